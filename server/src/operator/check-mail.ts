/** Checks whether the mail relay answers: connect, greeting, EHLO, TLS, login. No mail is sent. */

import { type Finding, fail, ok, warn } from '../checks/finding.ts'
import type { Config } from '../config.ts'
import { parseSmtpUrl, type SmtpOptions } from '../lib/email/smtp/url.ts'
import { isThisMachine } from '../lib/http-client/this-machine.ts'

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

export async function mailFinding(
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  isHere?: (url: string) => boolean,
): Promise<Finding> {
  if (smtpUrl === undefined) return ok('mail', 'the built-in inbox; nothing leaves this machine')
  return relayFinding(smtpUrl, { label: 'mail', setting: 'SMTP_URL', ...(isHere && { isHere }) })
}

interface Named {
  label: string
  /** Where the operator set it. */
  setting: string
  /** Whether the URL names this machine, on which no TLS is needed. */
  isHere?: (url: string) => boolean
}

async function relayFinding(
  smtpUrl: string,
  { label, setting, isHere = isThisMachine }: Named,
): Promise<Finding> {
  const options = parseSmtpUrl(smtpUrl)
  const { host, port, secure, requireTls, auth } = options
  const place = `${host}:${port}`
  const code = await verify(options, requireTls)
  if (code !== undefined) {
    return fail(label, `${place} does not work (${code})`, mendFor(code, setting))
  }
  const answers = `${place} answers${auth ? ' and accepts the password' : ''}`
  // Where TLS is optional, only a try that requires it tells whether it is used.
  const isSafe =
    requireTls || secure || isHere(smtpUrl) || (await verify(options, true)) === undefined
  if (isSafe) return ok(label, answers)
  return warn(
    label,
    `${answers}, without TLS: mail crosses the network unencrypted`,
    'Use a relay that offers STARTTLS, or smtps://.',
  )
}

/** Undefined where it works, or the code of the error. */
async function verify(
  { host, port, secure, auth }: SmtpOptions,
  requireTLS: boolean,
): Promise<string | undefined> {
  const transport = (await import('nodemailer')).createTransport({
    host,
    port,
    secure,
    requireTLS,
    ...(auth && { auth }),
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
  })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
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
