/**
 * `crier doctor --mail`: sends a mail to an address that bounces, over each relay, and waits until the
 * running service has recorded the report on it.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { domainToASCII } from 'node:url'
import { type Finding, fail, ok } from '../checks/finding.ts'
import { linesFor, profileOf, recognisedProfile } from '../config/relay-profiles.ts'
import { relaysIn } from '../config/relays.ts'
import type { Config } from '../config.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, newId } from '../core/ids.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { parseMailbox } from '../lib/email/header-fields.ts'
import { createSmtpTransport } from '../lib/email/smtp/transport.ts'
import type { SendResult } from '../lib/email/transport.ts'
import type { Clock } from '../lib/time/clock.ts'
import { Unreachable } from '../lib/transport/unreachable.ts'
import { probes } from '../messages/relays/probes.ts'
import { returnPath } from '../messages/return-path.ts'
import { createServiceKeys } from '../sender-domains/senders/service-keys.ts'
import { routeOf } from './check-reports.ts'

export interface MailTest {
  /** An address that bounces, or a domain at which one is made up. */
  to?: string | undefined
  /** One relay of the file RELAYS; all of them otherwise. */
  relay?: string | undefined
  waitSeconds: number
}

interface Parts {
  db: Database
  config: Config
  clock: Clock
  vault: Vault
}

type Relay = ReturnType<typeof relaysIn>[number]

/** Seconds between two lines of progress. */
const progressSeconds = 10

/** Yields a finding for each relay. Throws the Refusal of a wrong option. */
export async function* testRelays(
  parts: Parts,
  wanted: MailTest,
  say: (line: string) => void,
): AsyncGenerator<Finding> {
  const all = relaysIn(parts.config)
  if (all.length === 0) {
    throw refuse('conflict', 'No relay is set up: all email stays in the test inbox.')
  }
  const chosen = all.filter(({ name }) => wanted.relay === undefined || name === wanted.relay)
  if (chosen.length === 0) throw noRelay(wanted.relay, all)
  for (const relay of chosen) yield await testRelay(parts, relay, wanted, say)
}

function noRelay(name: string | undefined, all: readonly Relay[]): Refusal {
  const names = all.flatMap(({ name }) => name ?? [])
  const has = names.length > 0 ? `it has ${names.join(', ')}` : 'RELAYS is not set'
  return refuse('invalid_request', `There is no relay ${name} in the file RELAYS (${has}).`)
}

async function testRelay(
  parts: Parts,
  relay: Relay,
  { to: input, waitSeconds }: MailTest,
  say: (line: string) => void,
): Promise<Finding> {
  const { db, config, clock } = parts
  const check = relay.name === undefined ? 'mail test' : `mail test of ${relay.name}`
  const profile = profileOf(relay.profile ?? recognisedProfile(relay.url) ?? 'own')
  const to = input === undefined ? profile.bouncesAt : addressOf(input)
  if (to === undefined) {
    const text = `of ${profile.title} no address is known that bounces`
    const how = 'Name one, or a domain of yours: crier doctor --mail example.com.'
    return fail(check, text, how)
  }
  const id = newId('message')
  const route = routeOf(relay)
  await probes.begin(db, { id, route }, clock.now())
  say(`${check}: sends to ${to} over ${route}`)
  const sent = await send(parts, relay, { id, to })
  if (sent.result !== 'accepted') return notAccepted(check, sent)
  const words = await waitFor({ db, id, waitSeconds }, (seconds) =>
    say(`${check}: waits for the report, ${seconds} s of ${waitSeconds} s`),
  )
  if (words !== undefined) return ok(check, `the report came back (${words})`)
  const { reports } = profile
  const mend = reports
    ? `See that ${profile.title} notifies ${config.baseUrl}/hooks/email/${reports.provider}, that ${reports.setting} is right, and that the service runs. A report that comes later counts too.`
    : `See that the MX record of ${config.bounceDomain} leads to BOUNCE_PORT, and that the service runs. A report that comes later counts too.`
  return fail(check, `no report came back within ${waitSeconds} s`, mend)
}

/** The address, or one that nobody has at the domain. */
function addressOf(input: string): string {
  const whole = input.includes('@') ? input : `crier-${randomBytes(8).toString('hex')}@${input}`
  const address = normaliseEmail(whole)
  if (typeof address === 'string') return address
  throw refuse('invalid_request', `--mail must be an address or a domain, not "${input}".`)
}

async function send(
  { db, config, clock, vault }: Parts,
  relay: Relay,
  { id, to }: { id: ReturnType<typeof newId<'message'>>; to: string },
): Promise<SendResult> {
  const [{ buildMessage }, { signMessage }] = await Promise.all([
    import('../lib/email/message.ts'),
    import('../lib/email/dkim.ts'),
  ])
  const now = clock.now()
  const from = parseMailbox(config.mailFrom).address
  const domain = domainToASCII(from.slice(from.lastIndexOf('@') + 1))
  const text = 'This mail tests whether reports on mail come back. It is meant to bounce.'
  const name = formatId('message', id)
  const built = await buildMessage({
    from: config.mailFrom,
    to,
    subject: 'A test of crier doctor',
    text,
    messageId: `${name}@${domain}`,
    date: now,
    headers: [['Auto-Submitted', 'auto-generated']],
  })
  const keys = await createServiceKeys({ db, clock, vault })(domain)
  const signed = keys.length > 0 ? await signMessage(built, keys, now) : built
  const lines = linesFor(relay)?.(name).map((line) => `${line}\r\n`) ?? []
  const message = Buffer.concat([Buffer.from(lines.join('')), signed])
  const returns = config.receivesBounces ? returnPath(vault, id, config.bounceDomain) : from
  const transport = createSmtpTransport(relay.url, undefined, routeOf(relay))
  try {
    return await transport.use('urgent', (connection) =>
      connection.send({ from: returns, to, messageId: id, receiptOf: 'transactional' }, message),
    )
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return { result: 'untouched', fault: 'it cannot be reached' }
  } finally {
    await transport.close()
  }
}

function notAccepted(check: string, sent: Exclude<SendResult, { result: 'accepted' }>): Finding {
  if (sent.result !== 'refused') {
    return fail(check, `the relay did not take the mail (${sent.fault})`, 'Run crier doctor first.')
  }
  const text = `the relay refused the mail at once (${sent.code} ${sent.words.slice(0, 200)})`
  return fail(check, text, 'Name an address that the relay accepts, and that bounces later.')
}

/** The words of the report, once the service has recorded it. */
async function waitFor(
  {
    db,
    id,
    waitSeconds,
  }: { db: Database; id: ReturnType<typeof newId<'message'>>; waitSeconds: number },
  progress: (seconds: number) => void,
): Promise<string | undefined> {
  for (let seconds = 0; ; seconds++) {
    const words = await probes.answerTo(db, id)
    if (words !== undefined || seconds >= waitSeconds) return words
    if (seconds % progressSeconds === 0) progress(seconds)
    await sleep(1000)
  }
}
