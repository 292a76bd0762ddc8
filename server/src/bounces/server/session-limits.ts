/** What no session may pass, whoever it is with. */
import type { Server, Socket } from 'node:net'
import { networkOf } from '../../lib/rate-limit/attempts.ts'
import { minutes, seconds } from '../../lib/time/clock.ts'

export interface SessionLimits {
  /** Bytes of a mail. A report may return the whole message. */
  mailBytes: number
  /** Bytes of a command line; the longest of RFC 5321 has half as many. */
  commandBytes: number
  /** Sessions at once, and of them those of one network. */
  sessions: number
  sessionsOfNetwork: number
  /** Recipients refused in one session, after which it ends. */
  refusals: number
  /** How long a session may be silent, and how long it may last, in milliseconds. */
  idleMs: number
  sessionMs: number
  /** How long a stop waits for what is being taken. */
  closeMs: number
}

export const sessionLimits: SessionLimits = {
  mailBytes: 32 * 1024 * 1024,
  commandBytes: 2_048,
  sessions: 50,
  sessionsOfNetwork: 10,
  refusals: 5,
  idleMs: seconds(30),
  sessionMs: minutes(5),
  closeMs: seconds(5),
}

interface Session {
  socket: Socket
  network: string
  until: number
}

const sweepMs = seconds(1)

/**
 * An idle timeout alone lets a sender that drips a byte now and then stay for ever. Sockets
 * are looked at and not listened to: STARTTLS takes all listeners off.
 */
export function limitSessions(
  server: Server,
  { sessionMs, sessionsOfNetwork }: SessionLimits,
): void {
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
    open.add({ socket, network, until: performance.now() + sessionMs })
    sweeping ??= setInterval(sweep, Math.min(sweepMs, sessionMs)).unref()
    const sessions = [...open].filter((session) => session.network === network).length
    if (sessions > sessionsOfNetwork) socket.destroy()
  })
}
