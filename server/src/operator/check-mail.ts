/** Checks whether the mail relay answers: connect, greeting, EHLO, TLS, login. No mail is sent. */
import type { Config } from '../config.ts'
import { parseSmtpUrl } from '../lib/email/smtp/url.ts'
import { type Finding, fail, ok } from './finding.ts'

const patience = 10_000

export async function mailFinding({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === undefined) return ok('mail', 'the built-in inbox; nothing leaves this machine')
  const { host, port, secure, requireTls, auth } = parseSmtpUrl(smtpUrl)
  const place = `${host}:${port}`
  const transport = (await import('nodemailer')).createTransport({
    host,
    port,
    secure,
    requireTLS: requireTls,
    ...(auth && { auth }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
  })
  try {
    await transport.verify()
    return ok('mail', `${place} answers${auth ? ' and accepts the password' : ''}`)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return fail('mail', `${place} does not work (${code})`, mendFor(code))
  } finally {
    transport.close()
  }
}

function mendFor(code: string): string {
  if (code === 'EAUTH') return 'Check user and password in SMTP_URL.'
  if (code === 'ETLS') {
    return 'Use smtps:// if the relay uses TLS from the first byte. For a relay without TLS on your own network, tls=offered in SMTP_URL permits sending the password unencrypted.'
  }
  return 'Check host and port in SMTP_URL, and that this machine may reach them.'
}
