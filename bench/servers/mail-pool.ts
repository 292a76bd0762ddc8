/** nodemailer's own pool with its own DKIM: sends the requested messages as fast as it can. */
import { createTransport } from 'nodemailer'
import type { MailPoolOptions } from '../mail/mail-pool.ts'

const { port, connections, messages, key, domain, words } = JSON.parse(
  process.argv[2] ?? '',
) as MailPoolOptions
const transport = createTransport({
  pool: true,
  host: '127.0.0.1',
  port,
  ignoreTLS: true,
  maxConnections: connections,
  maxMessages: Number.POSITIVE_INFINITY,
  dkim: { domainName: domain, keySelector: 's1', privateKey: key },
})
const from = `Shop <hello@${domain}>`
const send = (n: number) => transport.sendMail({ from, to: `person-${n}@example.net`, ...words })

await Promise.all(Array.from({ length: connections }, (_, n) => send(n)))
const began = performance.now()
const rest = Array.from({ length: messages }, (_, n) => n).values()
// More messages than its pool takes, so that it never waits for us.
await Promise.all(
  Array.from({ length: connections * 4 }, async () => {
    for (const n of rest) await send(n)
  }),
)
const seconds = (performance.now() - began) / 1000
process.stdout.write(`${JSON.stringify({ perSecond: messages / seconds })}\n`)
transport.close()
