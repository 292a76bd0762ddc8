/** The servers for submitted mail as the settings want them, with the certificate kept up to date. */
import { X509Certificate } from 'node:crypto'
import type { SubmissionConfig } from '../config/submission.ts'
import type { KeyAndCertificate } from '../lib/crypto/self-signed.ts'
import { serverCertificate } from '../lib/email/inbound/certificate.ts'
import { type Clock, minutes } from '../lib/time/clock.ts'
import { createIntakeBudget, intakeLimits } from './intake-budget.ts'
import { createMailReader } from './reading/mail-reader.ts'
import { createSubmissionServer, type SubmissionDeps, type SubmissionServer } from './server.ts'

export interface SubmissionParts extends Pick<SubmissionDeps, 'signIn' | 'send' | 'log'> {
  settings: SubmissionConfig
  dataDir: string
  clock: Clock
}

export interface Submission {
  /** The ports that it listens on: with STARTTLS, and within TLS. */
  ports: { startTls: number | undefined; tls: number | undefined }
  /** When the certificate in use ends. */
  certificateEnds(): Date
  close(): Promise<void>
}

/** A renewed certificate is used this soon. */
const lookMs = minutes(60)

export async function openSubmission(parts: SubmissionParts): Promise<Submission> {
  const { settings, dataDir, clock, log, signIn, send } = parts
  const { port, tlsPort, host, domain, certificate: files } = settings
  const read = () =>
    serverCertificate({
      files,
      dataDir,
      fileName: 'submission-tls.pem',
      domain,
      now: clock.now(),
    })
  let tls = await read()
  const reader = createMailReader()
  const intake = createIntakeBudget(intakeLimits)
  const servers: SubmissionServer[] = []
  const listen = async (at: number | undefined, implicitTls: boolean) => {
    if (at === undefined) return undefined
    const server = createSubmissionServer({
      signIn,
      send,
      reader,
      intake,
      log,
      domain,
      tls,
      implicitTls,
    })
    servers.push(server)
    return server.listen(at, host)
  }
  const ports = { startTls: await listen(port, false), tls: await listen(tlsPort, true) }
  const timer = setInterval(() => {
    read().then(
      (certificate) => {
        if (isSame(certificate, tls)) return
        tls = certificate
        for (const server of servers) server.useCertificate(certificate)
        log.info('submission.certificate')
      },
      // The one in use stays.
      (error: unknown) => log.error({ err: error }, 'submission.certificate_failed'),
    )
  }, lookMs).unref()
  return {
    ports,
    certificateEnds: () => new Date(new X509Certificate(tls.cert).validTo),
    async close() {
      clearInterval(timer)
      await Promise.all(servers.map((server) => server.close()))
      await reader.close()
    },
  }
}

function isSame(first: KeyAndCertificate, second: KeyAndCertificate): boolean {
  return first.cert === second.cert && first.key === second.key
}
