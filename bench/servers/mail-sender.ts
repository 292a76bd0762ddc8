/**
 * Sends the queued messages, with the real parts and nothing else in the process. Its argument is
 * JSON. Commands on stdin start it, pause it, and request its resource usage.
 */
import { createPrivateKey } from 'node:crypto'
import { onlyRelay } from 'crier-server/messages/relays/relays.ts'
import { providerByName } from 'crier-server/messages/throttle/provider.ts'
import { createThrottle } from 'crier-server/messages/throttle/throttle.ts'
import { createPhonesTransport } from '../../server/src/core/inbox/phones.ts'
import { createVault } from '../../server/src/lib/crypto/vault.ts'
import { openDatabase } from '../../server/src/lib/db/db.ts'
import { createSmtpTransport } from '../../server/src/lib/email/smtp/transport.ts'
import { createWorker, type Worker } from '../../server/src/lib/jobs/worker.ts'
import { createLog } from '../../server/src/lib/process/log.ts'
import { systemClock } from '../../server/src/lib/time/clock.ts'
import { createSending } from '../../server/src/messages/sending.ts'
import type { MailSenderOptions } from '../mail/mail-sender.ts'
import { handleUntilEnd } from '../support/sender-loop.ts'

const options = JSON.parse(process.argv[2] ?? '') as MailSenderOptions
const db = openDatabase({ connection: options.connection, poolSize: 10 })
const clock = systemClock
const log = createLog('warn', process.stderr)
const privateKey = createPrivateKey(options.key)
const { domain } = options
const keys = [{ domain, selector: 's1', algorithm: 'rsa-sha256', privateKey } as const]
const sender = { from: `Shop <hello@${domain}>`, domain, keys, marketing: true as const }

const transport = createSmtpTransport(options.smtpUrl)
const throttle = createThrottle({ db, clock, route: transport.route, limits: transport })
const sending = createSending({
  utmOf: async () => undefined,
  db,
  clock,
  log,
  hmac: createVault('a secret of a bench, which is thrown away').hmac,
  relays: onlyRelay(transport, throttle),
  findProvider: providerByName,
  texting: {
    transport: createPhonesTransport({ db, clock }),
    senders: { textSenderOf: async () => ({ from: undefined, marketing: true }) },
  },
  dataDir: options.dataDir,
  wake: (news) => worker.wake(news),
  outcomes: { settled: async () => {} },
  senders: { senderOf: async () => sender },
  templates: {
    render: async () => {
      throw new Error('there are no templates here')
    },
    languageOf: async () => null,
    textOf: async () => '',
  },
  tracking: {
    preferencesUrl: () => undefined,
    viewUrl: () => undefined,
    prepare: async (_db, { rendered }) => ({ ...rendered, headers: [] }),
  },
  building: { build: async () => undefined },
  bounceDomain: `bounces.${domain}`,
})
let worker: Worker
await handleUntilEnd(() => createWorker({ db, clock, log, kinds: sending.kinds, slots: 20 }), {
  began: (begun) => {
    worker = begun
  },
  stop: () => sending.stop(),
})
