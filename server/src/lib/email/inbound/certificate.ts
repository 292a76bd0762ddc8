/** The certificate of a server that receives mail: the operator's, or one that is made for it. */
import { X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type KeyAndCertificate, selfSigned } from '../../crypto/self-signed.ts'
import { days, later } from '../../time/clock.ts'

export interface CertificateFiles {
  /** Both in PEM, the certificate with its chain. */
  cert: string
  key: string
}

export interface CertificateOptions {
  /** The operator's own; one that we make where there is none. */
  files: CertificateFiles | undefined
  dataDir: string
  /** The name of the file in it, such as `bounce-tls.pem`. */
  fileName: string
  domain: string
  now: Date
}

const validFor = days(3650)
const renewedBefore = days(30)

/**
 * Relays that bring a report encrypt where they can and do not check the name (RFC 7435), so for
 * them a certificate that no authority has signed is as good as any other.
 */
export async function serverCertificate(options: CertificateOptions): Promise<KeyAndCertificate> {
  const { files, dataDir, fileName, domain, now } = options
  if (files) {
    const [cert, key] = await Promise.all([read(files.cert), read(files.key)])
    return { cert, key }
  }
  const file = path.join(dataDir, fileName)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const existing = text === undefined ? undefined : parted(text)
  if (existing && isGood(existing, domain, now)) return existing
  const fresh = selfSigned(domain, later(now, -days(1)), later(now, validFor))
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // Whole or not at all, whoever else starts at this moment.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, fresh.key + fresh.cert, { mode: 0o600 })
  await rename(draft, file)
  return fresh
}

const read = (file: string) => readFile(file, 'utf8')

function parted(text: string): KeyAndCertificate | undefined {
  const block = (label: string) =>
    new RegExp(`-----BEGIN ${label}-----[^]*?-----END ${label}-----\n`).exec(text)?.[0]
  const [key, cert] = [block('PRIVATE KEY'), block('CERTIFICATE')]
  return key && cert ? { key, cert } : undefined
}

function isGood({ cert }: KeyAndCertificate, domain: string, now: Date): boolean {
  try {
    const certificate = new X509Certificate(cert)
    const isNamed = certificate.checkHost(domain) !== undefined
    return isNamed && later(now, renewedBefore) < new Date(certificate.validTo)
  } catch {
    return false
  }
}
