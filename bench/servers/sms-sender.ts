/** Sends the queued texts, with the real parts and nothing else in the process. */

import { onlyRelay } from 'crier-server/messages/relays/relays.ts'
import { providerByName } from 'crier-server/messages/throttle/provider.ts'
import { createThrottle } from 'crier-server/messages/throttle/throttle.ts'
import { createInboxTransport } from '../../server/src/core/inbox/mail-transport.ts'
import { createVault } from '../../server/src/lib/crypto/vault.ts'
import { openDatabase } from '../../server/src/lib/db/db.ts'
import { createWorker, type Worker } from '../../server/src/lib/jobs/worker.ts'
import { createLog } from '../../server/src/lib/process/log.ts'
import { createSmsTransport } from '../../server/src/lib/sms/choose-transport.ts'
import { parseSmsUrl } from '../../server/src/lib/sms/sms-url.ts'
import { systemClock } from '../../server/src/lib/time/clock.ts'
import { createSending } from '../../server/src/messages/sending.ts'
import type { SmsSenderOptions } from '../sms/sms-sender.ts'
import { handleUntilEnd } from '../support/sender-loop.ts'

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

const transport = createSmsTransport(options, {
  clock,
  log,
  listener,
  hooks: 'https://crier.example',
})
const inbox = createInboxTransport({ db, clock })
const throttle = createThrottle({ db, clock, route: inbox.route, limits: inbox })
const sending = createSending({
  utmOf: async () => undefined,
  db,
  clock,
  log,
  hmac: createVault('a secret of a bench, which is thrown away').hmac,
  relays: onlyRelay(inbox, throttle),
  findProvider: providerByName,
  texting: {
    transport,
    senders: { textSenderOf: async () => ({ from: '12345', marketing: true }) },
  },
  dataDir: given.dataDir,
  wake: (news) => worker.wake(news),
  outcomes: { settled: nothing },
  senders: { senderOf: notHere },
  templates: { render: notHere, languageOf: async () => null, textOf: notHere },
  tracking: { preferencesUrl: () => undefined, viewUrl: () => undefined, prepare: notHere },
  building: { build: async () => undefined },
  bounceDomain: undefined,
})

let worker: Worker
await handleUntilEnd(() => createWorker({ db, clock, log, kinds: sending.kinds, slots: 20 }), {
  began: (begun) => {
    worker = begun
  },
  async stop() {
    await sending.stop()
    await transport.close()
  },
})
