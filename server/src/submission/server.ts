/**
 * The SMTP server to which programs submit mail (RFC 6409): a client signs in over TLS with an API
 * key, and each mail becomes a call of `email.send`. Loaded only where a port is set for it.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { limits as sizes } from '../config.ts'
import { type Code, isRefusal, orRefusal, type Refusal } from '../core/errors.ts'
import type { KeyAndCertificate } from '../lib/crypto/self-signed.ts'
import { limitSessions, type SessionLimits } from '../lib/email/inbound/session-limits.ts'
import { SmtpReply } from '../lib/email/inbound/smtp-reply.ts'
import type { Log } from '../lib/process/log.ts'
import { minutes, seconds } from '../lib/time/clock.ts'
import type { IntakeBudget } from './intake-budget.ts'
import type { SignIn } from './sign-in.ts'
import { type SentEmail, type SubmitDeps, submitMail } from './submit.ts'
import { mostRecipients } from './to-email.ts'

export interface SubmissionDeps extends SubmitDeps {
  signIn: SignIn
  intake: IntakeBudget
  log: Log
  /** The name that it greets with. */
  domain: string
  tls: KeyAndCertificate
  /** TLS from the first byte (RFC 8314), in place of STARTTLS. */
  implicitTls: boolean
}

export interface SubmissionServer {
  /** Resolves with the port once it listens. */
  listen(port: number, host: string): Promise<number>
  /** For sessions that begin from now on. */
  useCertificate(tls: KeyAndCertificate): void
  close(): Promise<void>
}

interface SubmissionLimits extends SessionLimits {
  /** Keys refused in one session, after which it ends. */
  refusedKeys: number
}

export const submissionLimits: SubmissionLimits = {
  mailBytes: sizes.emailCallBytes,
  // A key in base64 takes 100 characters of a line.
  commandBytes: 2_048,
  sessions: 500,
  sessionsOfNetwork: 50,
  refusedKeys: 3,
  // RFC 5321 section 4.5.3.2.7.
  idleMs: minutes(5),
  sessionMs: minutes(60),
  signInMs: seconds(30),
  closeMs: seconds(5),
}

/** What the session keeps of its sign-in; the key is looked up again for each mail. */
interface SignedIn {
  key: string
}

const notNow = () => new SmtpReply(451, '4.3.0 The service cannot do this now. Try again later.')

export function createSubmissionServer(
  deps: SubmissionDeps,
  limits: SubmissionLimits = submissionLimits,
): SubmissionServer {
  const { log, signIn } = deps
  const refused = new WeakMap<object, number>()
  const server = new SMTPServer({
    name: deps.domain,
    banner: 'Crier',
    secure: deps.implicitTls,
    ...deps.tls,
    authMethods: ['PLAIN', 'LOGIN'],
    hideSMTPUTF8: true,
    disableReverseLookup: true,
    size: limits.mailBytes,
    rejectOversized: true,
    maxRecipients: mostRecipients,
    maxClients: limits.sessions,
    maxCommandLength: limits.commandBytes,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.closeMs,
    logger: false,
    onAuth({ password }, session, done) {
      admit(password ?? '', session).then(
        (user) => (user instanceof Error ? done(user) : done(null, { user })),
        (error: unknown) => {
          log.error({ err: error }, 'submission.sign_in_failed')
          done(new SmtpReply(454, '4.7.0 The service cannot check the key now. Try again later.'))
        },
      )
    },
    onData(stream, session, done) {
      receive(stream, session).then(
        (answer) => (answer instanceof Error ? done(answer) : done(null, answer)),
        (error: unknown) => {
          log.error({ err: error }, 'submission.failed')
          done(notNow())
        },
      )
    },
  })
  const signedIn = limitSessions(server.server, limits)
  // A connection that breaks is the client's affair.
  server.on('error', (error) => log.debug({ err: error }, 'submission.connection'))

  const admit = async (key: string, session: SMTPServerSession): Promise<SignedIn | Error> => {
    const submitter = await orRefusal(() => signIn.submitterOf(key, session.remoteAddress))
    if (!isRefusal(submitter)) {
      signedIn(session)
      return { key }
    }
    const times = (refused.get(session) ?? 0) + 1
    refused.set(session, times)
    log.info({ outcome: submitter.code }, 'submission.sign_in')
    const reply = replyOf({ code: 'unauthorized', message: submitter.message })
    return times < limits.refusedKeys ? reply : new SmtpReply(421, reply.message)
  }

  const receive = async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
    const { key } = session.user as SignedIn
    const submitter = await orRefusal(() => signIn.submitterOf(key, session.remoteAddress))
    const tenant = isRefusal(submitter) ? key : submitter.businessId
    const source = await deps.intake.read(stream, tenant)
    if (isRefusal(submitter)) return replyOf(submitter)
    if (!source) return notNow()
    // The server has its own answer to a mail that is too large.
    if (stream.sizeExceeded) return ''
    const recipients = session.envelope.rcptTo.map(({ address }) => address)
    const sent = await orRefusal(() => submitMail(deps, submitter, { source, recipients }))
    const outcome = isRefusal(sent) ? sent.code : 'ok'
    log.info({ businessId: submitter.businessId, outcome }, 'submission.mail')
    return isRefusal(sent) ? replyOf(sent) : accepted(sent)
  }

  return {
    async listen(port, host) {
      const listener = server.listen(port, host)
      await once(listener, 'listening')
      return (listener.address() as AddressInfo).port
    },
    useCertificate: (tls) => server.updateSecureContext({ ...tls }),
    close: () => new Promise((closed) => server.close(closed)),
  }
}

function accepted({ message_id: id, copies = [] }: SentEmail): string {
  const lost = copies.filter(({ error }) => error)
  if (lost.length === 0) return `2.0.0 Queued as ${id}`
  const reasons = [...new Set(lost.map(({ error }) => error?.code))].join(', ')
  return `2.0.0 Queued as ${id}; ${lost.length} of ${copies.length} copies refused: ${reasons}`
}

/** A client keeps the mail and tries again for 4xx; for 5xx it gives up and tells its sender. */
const replies: Partial<Record<Code, readonly [code: number, status: string]>> = {
  rate_limited: [451, '4.7.1'],
  unavailable: [451, '4.3.0'],
  internal: [451, '4.3.0'],
  unauthorized: [535, '5.7.8'],
  too_large: [552, '5.3.4'],
  invalid_request: [554, '5.6.0'],
}
const otherwise = [550, '5.7.1'] as const

/** A line of a reply has at most 512 bytes (RFC 5321 section 4.5.3.1.5). */
const longest = 400

function replyOf({
  code,
  message,
  details,
}: Pick<Refusal, 'code' | 'message'> & Partial<Pick<Refusal, 'details'>>): SmtpReply {
  // A key that is held goes on one day, and so its mail waits in the program's queue.
  const isHeld = details?.data?.['reason'] === 'held'
  const [number, status] = isHeld ? ([451, '4.7.1'] as const) : (replies[code] ?? otherwise)
  return new SmtpReply(number, `${status} ${inAscii(message)}`)
}

/** One line of ASCII, whatever the text quotes. */
function inAscii(text: string): string {
  return text
    .replaceAll('…', '...')
    .replaceAll('’', "'")
    .replaceAll(/[^ -~]/g, '?')
    .slice(0, longest)
}
