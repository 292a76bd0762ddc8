/**
 * The SMTP server that receives returned mail. It accepts only addresses that we issued. It is
 * loaded only if a port is set for it.
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream } from 'smtp-server'
import { type Config, limits as read } from '../../config.ts'
import type { KeyAndCertificate } from '../../lib/crypto/self-signed.ts'
import { serverCertificate } from '../../lib/email/inbound/certificate.ts'
import { limitSessions, type SessionLimits } from '../../lib/email/inbound/session-limits.ts'
import { SmtpReply } from '../../lib/email/inbound/smtp-reply.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, minutes, seconds } from '../../lib/time/clock.ts'
import { type IngestOutcome, ingestBounce, isOurs } from '../ingest-bounce.ts'
import type { FeedbackDeps } from '../ingest-reports.ts'

interface BounceServerParts extends Omit<BounceServerDeps, 'domain' | 'tls'> {
  config: Pick<Config, 'bounceDomain' | 'bounceCertificate' | 'dataDir'>
}

/** Opens the bounce server that the settings describe. */
export async function openBounceServer({
  config,
  db,
  vault,
  messages,
  clock,
  log,
}: BounceServerParts): Promise<BounceServer> {
  const { bounceDomain: domain, bounceCertificate: files, dataDir } = config
  const now = clock.now()
  const tls = await serverCertificate({ files, dataDir, fileName: 'bounce-tls.pem', domain, now })
  return createBounceServer({ db, vault, messages, clock, log, domain, tls })
}

interface BounceServerDeps extends FeedbackDeps {
  clock: Clock
  log: Log
  /** The name in the server's greeting. */
  domain: string
  /** The key and certificate for STARTTLS. */
  tls: KeyAndCertificate
}

export interface BounceServer {
  /** Resolves with the port once the server listens. */
  listen(port: number, host: string): Promise<number>
  close(): Promise<void>
}

export interface BounceLimits extends SessionLimits {
  /** Recipients refused in one session, after which it ends. */
  refusals: number
}

export const bounceLimits: BounceLimits = {
  // A report may return the whole message.
  mailBytes: 32 * 1024 * 1024,
  commandBytes: 2_048,
  sessions: 50,
  sessionsOfNetwork: 10,
  refusals: 5,
  idleMs: seconds(30),
  sessionMs: minutes(5),
  closeMs: seconds(5),
}

export function createBounceServer(
  deps: BounceServerDeps,
  limits: BounceLimits = bounceLimits,
): BounceServer {
  const { vault, log } = deps
  const refusals = new WeakMap<object, number>()
  const server = new SMTPServer({
    name: deps.domain,
    banner: 'reports on mail alone',
    // No client logs in.
    disabledCommands: ['AUTH'],
    ...deps.tls,
    authOptional: true,
    disableReverseLookup: true,
    size: limits.mailBytes,
    rejectOversized: true,
    // A report is addressed to the one sender of one message.
    maxRecipients: 1,
    maxClients: limits.sessions,
    maxCommandLength: limits.commandBytes,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.closeMs,
    logger: false,
    onRcptTo({ address }, session, done) {
      if (isOurs(vault, address)) return done()
      const refused = (refusals.get(session) ?? 0) + 1
      refusals.set(session, refused)
      if (refused >= limits.refusals) return done(new SmtpReply(421, 'Too many tries'))
      done(new SmtpReply(550, '5.1.1 No such address here'))
    },
    onData(stream, { envelope }, done) {
      takeStream(deps, stream, envelope.rcptTo).then(
        (outcome) => {
          log.info({ outcome }, 'bounce.mail')
          done(null, 'Thank you')
        },
        (error: unknown) => {
          log.error({ err: error }, 'bounce.failed')
          // The remote server keeps the mail in its queue and retries.
          done(new SmtpReply(451, '4.3.0 Not now, try again'))
        },
      )
    },
  })
  // A broken connection is the remote server's problem.
  server.on('error', (error) => log.debug({ err: error }, 'bounce.connection'))
  limitSessions(server.server, limits)
  return {
    async listen(port, host) {
      const listener = server.listen(port, host)
      await once(listener, 'listening')
      return (listener.address() as AddressInfo).port
    },
    close: () => new Promise((closed) => server.close(closed)),
  }
}

async function takeStream(
  deps: BounceServerDeps,
  stream: SMTPServerDataStream,
  [to]: SMTPServerAddress[],
): Promise<IngestOutcome | 'too large'> {
  const source = await readHead(stream)
  if (stream.sizeExceeded) return 'too large'
  return ingestBounce(deps, { recipient: to?.address ?? '', source, now: deps.clock.now() })
}

/** Reads the beginning, which contains the report. The message that it returns may be long. */
async function readHead(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (size < read.returnedMailBytes) chunks.push(chunk)
    size += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, read.returnedMailBytes)
}
