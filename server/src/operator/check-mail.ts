/** Checks whether the mail relay answers: connect, greeting, EHLO, TLS, login. No mail is sent. */
import type { Config } from '../config.ts'
import { parseSmtpUrl } from '../lib/email/smtp/url.ts'
import { type Finding, fail, ok } from './finding.ts'

const patience = 10_000

/** A finding for each relay, or one about the built-in inbox. */
export async function* mailFindings({
  smtpUrl,
  relays,
}: Pick<Config, 'smtpUrl' | 'relays'>): AsyncGenerator<Finding> {
  if (!relays) yield await mailFinding({ smtpUrl })
  for (const [name, { url }] of relays?.relays ?? []) {
    yield await relayFinding(url, { label: `relay ${name}`, setting: 'the file RELAYS' })
  }
}

export async function mailFinding({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding> {
  if (smtpUrl === undefined) return ok('mail', 'the built-in inbox; nothing leaves this machine')
  return relayFinding(smtpUrl, { label: 'mail', setting: 'SMTP_URL' })
}

interface Named {
  label: string
  /** Where the operator set it. */
  setting: string
}

async function relayFinding(smtpUrl: string, { label, setting }: Named): Promise<Finding> {
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
    return ok(label, `${place} answers${auth ? ' and accepts the password' : ''}`)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return fail(label, `${place} does not work (${code})`, mendFor(code, setting))
  } finally {
    transport.close()
  }
}

function mendFor(code: string, setting: string): string {
  if (code === 'EAUTH') return `Check user and password in ${setting}.`
  if (code === 'ETLS') {
    return `Use smtps:// if the relay uses TLS from the first byte. For a relay without TLS on your own network, tls=offered in ${setting} permits sending the password unencrypted.`
  }
  return `Check host and port in ${setting}, and that this machine may reach them.`
}
