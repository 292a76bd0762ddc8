/** Sends mail through a relay, over connections that stay open while there is mail. */
import { seconds } from '../../time/clock.ts'
import { createConnectionPriority } from '../../transport/connection-priority.ts'
import type { MailConnection, Transport } from '../transport.ts'
import { type Connection, type Deadlines, deadlinesOf, openConnection } from './connection.ts'
import { parseSmtpUrl } from './url.ts'

/** How long an idle connection stays open: relays count open connections. */
const idleMs = seconds(10)
/** Messages per connection. Many relays end a connection after a hundred by themselves. */
const messagesPerConnection = 1000

interface Idle {
  connection: Connection
  messages: number
  since: number
}

/** @param route The name of the route, if not the relay's host and port. */
export function createSmtpTransport(
  url: string,
  ownDeadlines?: Deadlines,
  route?: string,
): Transport {
  const options = parseSmtpUrl(url)
  const deadlines = ownDeadlines ?? deadlinesOf(options)
  const turns = createConnectionPriority(options.pool)
  const idle: Idle[] = []
  let tidying: NodeJS.Timeout | undefined
  let closed = false

  const tidy = (): void => {
    const before = performance.now() - idleMs
    while (idle[0] && idle[0].since <= before) idle.shift()?.connection.close()
    if (idle.length === 0) {
      clearInterval(tidying)
      tidying = undefined
    }
  }
  const keep = (entry: Idle): void => {
    if (!entry.connection.open) return
    if (closed || entry.messages >= messagesPerConnection) {
      entry.connection.close()
      return
    }
    idle.push({ ...entry, since: performance.now() })
    tidying ??= setInterval(tidy, idleMs).unref()
  }
  /** The most recently used connection, which the relay is the least likely to have closed. */
  const reused = (): Idle | undefined => {
    for (let entry = idle.pop(); entry; entry = idle.pop()) if (entry.connection.open) return entry
    return undefined
  }
  const opened = async (): Promise<Idle> => ({
    connection: await openConnection(options, deadlines),
    messages: 0,
    since: 0,
  })

  return {
    route: route ?? `${options.host}:${options.port}`,
    connections: options.pool,
    rate: options.rate,
    warmUp: options.warmUp,
    use: (turn, work) =>
      turns.take(turn, async () => {
        const old = reused()
        const entry = old ?? (await opened())
        const connection = connectionOver(entry, { mayBeStale: old !== undefined, opened })
        try {
          return await work(connection)
        } finally {
          keep(entry)
        }
      }),
    async close() {
      closed = true
      clearInterval(tidying)
      for (const { connection } of idle.splice(0)) connection.close()
    },
  }
}

/**
 * A relay may have closed an idle connection, which only the next message reveals. That message is
 * sent again over a new connection.
 */
function connectionOver(
  entry: Idle,
  { mayBeStale, opened }: { mayBeStale: boolean; opened: () => Promise<Idle> },
): MailConnection {
  let stale = mayBeStale
  return {
    async send(envelope, message) {
      entry.messages++
      const sent = await entry.connection.send(envelope, message)
      if (!stale || sent.result !== 'untouched') {
        stale = false
        return sent
      }
      stale = false
      const fresh = await opened().catch(() => undefined)
      if (!fresh) return sent
      entry.connection = fresh.connection
      entry.messages = 1
      return entry.connection.send(envelope, message)
    },
  }
}
