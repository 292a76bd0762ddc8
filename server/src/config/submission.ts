/** The settings of the SMTP server to which programs submit mail. */
import {
  ConfigError,
  hostOf,
  readCertificate,
  readDomain,
  readInteger,
  readOptional,
} from './readers.ts'

export interface SubmissionConfig {
  /** Where clients begin with STARTTLS, and where with TLS; at least one of the two is set. */
  port: number | undefined
  tlsPort: number | undefined
  host: string
  domain: string
  /** PEM files; a self-signed certificate is made where there are none. */
  certificate: { cert: string; key: string } | undefined
}

type Text = (name: string) => string | undefined

/** Undefined where no port is set: then there is no such server. */
export function readSubmission(text: Text, host: string): SubmissionConfig | undefined {
  const portOf = (name: string) =>
    readOptional(text(name), (port) => readInteger(port, name, 0, 65_535))
  const [port, tlsPort] = [portOf('SUBMISSION_PORT'), portOf('SUBMISSION_TLS_PORT')]
  if (port === undefined && tlsPort === undefined) return undefined
  if (port === tlsPort && port !== 0) {
    throw new ConfigError(
      'SUBMISSION_PORT and SUBMISSION_TLS_PORT must be two ports, usually 587 and 465.',
    )
  }
  const name = text('SUBMISSION_DOMAIN') ?? hostOf(text('BASE_URL') ?? 'http://localhost')
  return {
    port,
    tlsPort,
    host: text('SUBMISSION_HOST') ?? host,
    domain: readDomain(name, 'SUBMISSION_DOMAIN'),
    certificate: readCertificate(text, ['SUBMISSION_CERT', 'SUBMISSION_KEY']),
  }
}
