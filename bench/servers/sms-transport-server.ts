/** Sends texts by the transport alone, one per connection at once; prints the texts a second. */

import { createLog } from '../../server/src/lib/process/log.ts'
import { createSmsTransport } from '../../server/src/lib/sms/choose-transport.ts'
import { parseSmsUrl } from '../../server/src/lib/sms/sms-url.ts'
import { systemClock } from '../../server/src/lib/time/clock.ts'
import type { TransportClientOptions } from '../sms/clients.ts'

const { smsUrl, texts, body } = JSON.parse(process.argv[2] ?? '') as TransportClientOptions
const options = parseSmsUrl(smsUrl)
if (!options) throw new Error('SMS_URL is none')
const nothing = async () => {}
const transport = createSmsTransport(options, {
  clock: systemClock,
  log: createLog('warn', process.stderr),
  hooks: 'https://crier.example',
  listener: { receipt: nothing, inbound: nothing },
})
await transport.use('normal', nothing)
const began = performance.now()
await Promise.all(
  Array.from({ length: texts }, () =>
    transport.use('normal', async (connection) => {
      const sent = await connection.send({ from: '12345', to: '+33612345678', body })
      if (sent.result !== 'accepted') throw new Error(sent.result)
    }),
  ),
)
process.stdout.write(String((texts * 1000) / (performance.now() - began)))
await transport.close()
