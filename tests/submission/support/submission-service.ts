/** A service that programs submit mail to, with a relay behind it and a key of a business. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import nodemailer from 'nodemailer'
import type SMTPTransport from 'nodemailer/lib/smtp-transport'
import { newApiKey } from '../../support/clients/api-keys.ts'
import { selfSigned } from '../../support/mail/certificate.ts'
import { type AcceptedMail, type FakeRelay, startFakeRelay } from '../../support/mail/fake-relay.ts'
import { type MailService, mailService } from '../../support/mail/mail-service.ts'
import { freePort } from '../../support/network/port.ts'
import { eventually } from '../../support/time/eventually.ts'

export interface SubmissionService {
  mail: MailService
  relay: FakeRelay
  /** With STARTTLS, and within TLS. */
  port: number
  tlsPort: number
  /** The file of the certificate, which clients are told to trust. */
  caFile: string
  /** An API key of the business. */
  secret: string
  /** A client; `more` in place of the key, or of anything else. */
  client(more?: SMTPTransport.Options): ReturnType<typeof nodemailer.createTransport>
  /** The mails to this address that reached the relay, once there are so many. */
  sentTo(address: string, count?: number): Promise<AcceptedMail[]>
  close(): Promise<void>
}

/** The settings of a service that takes submitted mail, and what its clients need. */
export async function submissionSettings() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-submission-'))
  const { key, cert } = selfSigned('localhost')
  const [certFile, keyFile] = [path.join(folder, 'cert.pem'), path.join(folder, 'key.pem')]
  await writeFile(certFile, cert)
  await writeFile(keyFile, key)
  const [port, tlsPort] = [await freePort(), await freePort()]
  const settings = {
    SUBMISSION_PORT: String(port),
    SUBMISSION_TLS_PORT: String(tlsPort),
    SUBMISSION_HOST: '127.0.0.1',
    SUBMISSION_DOMAIN: 'localhost',
    SUBMISSION_CERT: certFile,
    SUBMISSION_KEY: keyFile,
  }
  const remove = () => rm(folder, { recursive: true, force: true })
  return { settings, port, tlsPort, cert, certFile, remove }
}

export async function submissionService(): Promise<SubmissionService> {
  const { settings, port, tlsPort, cert, certFile, remove } = await submissionSettings()
  const relay = await startFakeRelay()
  const mail = await mailService(relay.url(), { settings })
  const { secret } = await newApiKey(mail.testbed.db, { businessId: mail.businessId })
  return {
    mail,
    relay,
    port,
    tlsPort,
    caFile: certFile,
    secret,
    client: (more = {}) =>
      nodemailer.createTransport({
        host: 'localhost',
        port,
        requireTLS: true,
        auth: { user: 'crier', pass: secret },
        tls: { ca: cert },
        ...more,
      }),
    sentTo: (address, count = 1) =>
      eventually(
        async () => relay.taken.filter(({ to }) => to === address),
        ({ length }) => length >= count,
      ),
    async close() {
      await mail.close()
      await relay.stop()
      await remove()
    },
  }
}

/** The header of a mail, with folded fields on one line. */
export function headerOf({ source }: AcceptedMail): string {
  return source.slice(0, source.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]/g, ' ')
}
