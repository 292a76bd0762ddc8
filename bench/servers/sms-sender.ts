/** Sends texts that wait in the queue, with the real parts and nothing else in the process. */
import { createSending } from '../../server/src/messages/sending.ts'
import { systemClock } from '../../server/src/platform/clock.ts'
import { openDatabase } from '../../server/src/platform/db.ts'
import { createWorker, type Worker } from '../../server/src/platform/jobs/worker.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { createInboxWire } from '../../server/src/platform/mail/inbox-wire.ts'
import { parseSmsUrl } from '../../server/src/platform/sms/sms-url.ts'
import { createSmsWire } from '../../server/src/platform/sms/sms-wire.ts'
import { createVault } from '../../server/src/platform/vault.ts'
import type { SmsSenderOptions } from '../sms/sms-sender.ts'
import { obeyUntilEnd } from '../support/sender-loop.ts'

const given = JSON.parse(process.argv[2] ?? '') as SmsSenderOptions
const db = openDatabase({ connection: given.connection, poolSize: 10 })
const clock = systemClock
const log = createLog('warn', process.stderr)
const options = parseSmsUrl(given.smsUrl)
if (!options) throw new Error('SMS_URL is none')
const nothing = async () => {}
const listener = { receipt: nothing, inbound: nothing }
const notHere = async () => {
  throw new Error('there is no mail here')
}

const wire = createSmsWire(options, { clock, log, listener, hooks: 'https://crier.example' })
const sending = createSending({
  db,
  clock,
  log,
  hmac: createVault('a secret of a bench, which is thrown away').hmac,
  wire: createInboxWire({ db, clock }),
  texting: {
    wire,
    senders: { textSenderOf: async () => ({ from: '12345', marketing: true }) },
  },
  dataDir: given.dataDir,
  wake: (news) => worker.wake(news),
  outcomes: { settled: nothing },
  senders: { senderOf: notHere },
  templates: { render: notHere, textOf: notHere },
  tracking: { preferencesUrl: () => undefined, prepare: notHere },
  building: { build: async () => undefined },
  bounceDomain: undefined,
})

let worker: Worker
await obeyUntilEnd(() => createWorker({ db, clock, log, kinds: sending.kinds, slots: 20 }), {
  began: (begun) => {
    worker = begun
  },
  async stop() {
    await sending.stop()
    await wire.close()
  },
})
