/** Checks whether the mail relay answers: connect, greeting, EHLO, TLS, login. No mail is sent. */

import { type Finding, fail, ok, warn } from '../checks/finding.ts'
import type { Config } from '../config.ts'
import { type RelayFault, relayFault } from '../lib/email/smtp/connection.ts'
import { parseSmtpUrl, type SmtpOptions } from '../lib/email/smtp/url.ts'
import { isThisMachine } from '../lib/http-client/outbound-guard.ts'
import { seconds } from '../lib/time/clock.ts'
import { relayFaultWords } from './mail-fault.ts'

const patienceSeconds = 10
const patience = seconds(patienceSeconds)

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
  if (smtpUrl === undefined) return ok('mail', 'the test inbox; nothing leaves this machine')
  return relayFinding(smtpUrl, { label: 'mail', setting: 'SMTP_URL', ...(isHere && { isHere }) })
}

interface RelayLabel {
  label: string
  /** Where the operator set it. */
  setting: string
  /** Whether the URL names this machine, on which no TLS is needed. */
  isHere?: (url: string) => boolean
}

async function relayFinding(
  smtpUrl: string,
  { label, setting, isHere = isThisMachine }: RelayLabel,
): Promise<Finding> {
  const options = parseSmtpUrl(smtpUrl)
  const { host, port, secure, requireTls, auth } = options
  const address = `${host}:${port}`
  const fault = await verify(options, requireTls)
  if (fault !== undefined) {
    const { text, mend } = relayFaultWords(fault, { host, port, secure, setting, patienceSeconds })
    return fail(label, text, mend)
  }
  if (auth && !(await offersAuth(options))) {
    return fail(
      label,
      `${address} offers no AUTH, so the password is never used and mail may be refused`,
      `Use the port for submission (587, or smtps:// with 465) in ${setting}, or leave the password out.`,
    )
  }
  const answers = `${address} answers${auth ? ' and accepts the password' : ''}`
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

/** Undefined where it works. */
async function verify(
  { host, port, secure, auth }: SmtpOptions,
  requireTLS: boolean,
): Promise<RelayFault | undefined> {
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
    return relayFault(error)
  } finally {
    transport.close()
  }
}

/** Nodemailer leaves the sign-in out where the relay does not offer it, and calls that a success. */
async function offersAuth({ host, port, secure, requireTls }: SmtpOptions): Promise<boolean> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({
    host,
    port,
    secure,
    requireTLS: requireTls,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: patience,
  })
  try {
    return await new Promise<boolean>((resolve, reject) => {
      connection.once('error', reject)
      connection.connect(() => resolve(connection.allowsAuth))
    })
  } finally {
    connection.close()
  }
}
