/** What no session with a server that receives mail may pass, whoever opened it. */
import type { Server, Socket } from 'node:net'
import { networkOf } from '../../rate-limit/attempts.ts'
import { seconds } from '../../time/clock.ts'

export interface SessionLimits {
  /** Most bytes of a mail. */
  mailBytes: number
  /** Bytes of a command line; the longest of RFC 5321 has 1,024. */
  commandBytes: number
  /** Sessions at once, and of them those of one network. */
  sessions: number
  sessionsOfNetwork: number
  /** How long a session may be silent, and how long it may last, in milliseconds. */
  idleMs: number
  sessionMs: number
  /** How long one may last whose client has not signed in, where clients sign in. */
  signInMs?: number
  /** How long a stop waits for mails that are being received. */
  closeMs: number
}

/** The session's end of the connection, as the server names it. */
export interface RemoteEnd {
  remoteAddress: string
  remotePort: number
}

interface Session {
  socket: Socket
  network: string
  until: number
}

const sweepMs = seconds(1)

/**
 * An idle timeout alone lets a sender that drips a byte now and then stay for ever. Sockets
 * are looked at and not listened to: STARTTLS takes all listeners off. Returns what to call once
 * the client of a session has signed in.
 */
export function limitSessions(
  server: Server,
  { sessionMs, sessionsOfNetwork, signInMs = sessionMs }: SessionLimits,
): (end: RemoteEnd) => void {
  const open = new Set<Session>()
  let sweeping: NodeJS.Timeout | undefined
  const sweep = () => {
    const now = performance.now()
    for (const session of open) {
      if (session.until <= now) session.socket.destroy()
      if (session.socket.destroyed) open.delete(session)
    }
    if (open.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }
  server.prependListener('connection', (socket) => {
    sweep()
    const network = networkOf(socket.remoteAddress ?? '')
    open.add({ socket, network, until: performance.now() + signInMs })
    sweeping ??= setInterval(sweep, Math.min(sweepMs, signInMs)).unref()
    const sessions = [...open].filter((session) => session.network === network).length
    if (sessions > sessionsOfNetwork) socket.destroy()
  })
  return ({ remoteAddress, remotePort }) => {
    const network = networkOf(remoteAddress)
    for (const session of open) {
      const isIts = session.network === network && session.socket.remotePort === remotePort
      if (isIts) session.until = performance.now() + sessionMs
    }
  }
}
