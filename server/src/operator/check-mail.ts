/** Whether the mail relay answers: connect, greeting, EHLO, TLS, log in. No mail is sent. */
import type { Config } from '../config.ts'
import { type Finding, fail, ok } from './finding.ts'

const patience = 10_000

export async function mailFinding({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === undefined) return ok('mail', 'the built-in inbox; nothing leaves this machine')
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  const place = `${hostname}:${Number(port) || (secure ? 465 : 587)}`
  const transport = (await import('nodemailer')).createTransport({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
  })
  try {
    await transport.verify()
    return ok('mail', `${place} answers${username ? ' and takes the password' : ''}`)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return fail('mail', `${place} does not do (${code})`, mendFor(code))
  } finally {
    transport.close()
  }
}

function mendFor(code: string): string {
  if (code === 'EAUTH') return 'Check user and password in SMTP_URL.'
  if (code === 'ETLS') return 'Use smtps:// where the relay speaks TLS from the first byte.'
  return 'Check host and port in SMTP_URL, and that this machine may reach them.'
}
