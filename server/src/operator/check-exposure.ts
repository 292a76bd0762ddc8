/** Checks for settings that give an installation away once its address is public. */
import { type Finding, fail, ok, warn } from '../checks/finding.ts'
import { type Config, isLoopbackUrl } from '../config.ts'
import { isThisMachine } from '../lib/http-client/outbound-guard.ts'

type Exposed = Pick<
  Config,
  | 'baseUrl'
  | 'appUrl'
  | 'allowInbox'
  | 'signup'
  | 'senderGate'
  | 'smtpUrl'
  | 'relays'
  | 'sms'
  | 'receivesBounces'
> &
  Partial<Reports>

/** Where providers tell of bounces and complaints in place of a bounce server. */
type Reports = Pick<
  Config,
  | 'providerSecret'
  | 'sesTopics'
  | 'sendgridKey'
  | 'mailgunKey'
  | 'resendKey'
  | 'postmarkLogin'
  | 'brevoLogin'
  | 'mailjetLogin'
>

export function exposureFindings(
  config: Exposed,
  isHere: (url: string) => boolean = isThisMachine,
): Finding[] {
  const isPublic = ![config.baseUrl, config.appUrl].every(isLoopbackUrl)
  const relays = [...(config.relays?.relays.values() ?? [])].map(({ url }) => url)
  const urls = [...(config.smtpUrl === undefined ? [] : [config.smtpUrl]), ...relays]
  const isReal = urls.some((url) => !isHere(url))
  const found = [
    ...(isPublic ? publicFindings(config, urls.length > 0) : []),
    ...(isReal ? relayFindings(config) : []),
  ]
  return found.length > 0 ? found : [ok('exposure', 'nothing is open that should not be')]
}

function publicFindings({ allowInbox, signup, sms }: Exposed, hasRelay: boolean): Finding[] {
  const found: Finding[] = []
  if (allowInbox) {
    const mails = hasRelay ? 'the inbox' : 'all mail, sign-in links included,'
    const texts = sms === undefined ? ', and all texts at /phones' : ''
    const mend = 'Remove ALLOW_INBOX, and set SMTP_URL (and SMS_URL) so that messages are sent.'
    found.push(fail('exposure', `ALLOW_INBOX shows everybody ${mails} at /inbox${texts}`, mend))
  }
  if (signup === 'open') {
    const mend = 'Set SIGNUP=invite, unless everybody may have a business here.'
    found.push(warn('exposure', 'SIGNUP=open lets everybody make a business and send', mend))
  }
  return found
}

function relayFindings(config: Exposed): Finding[] {
  const found: Finding[] = []
  if (config.senderGate === 'off') {
    const mend = 'Remove SENDER_GATE, so that marketing needs a verified domain of its business.'
    const text = 'SENDER_GATE=off lets every business send marketing as MAIL_FROM over the relay'
    found.push(warn('exposure', text, mend))
  }
  if (!config.receivesBounces && !hasReports(config)) {
    const mend =
      'Set BOUNCE_PORT and BOUNCE_DOMAIN, or the webhook of your provider (docs/operate/mail.md).'
    const text = 'no bounces and complaints are received: dead addresses are mailed again and again'
    found.push(warn('exposure', text, mend))
  }
  return found
}

const hasReports = (config: Exposed): boolean =>
  (config.sesTopics?.length ?? 0) > 0 ||
  [
    config.providerSecret,
    config.sendgridKey,
    config.mailgunKey,
    config.resendKey,
    config.postmarkLogin,
    config.brevoLogin,
    config.mailjetLogin,
  ].some((setting) => setting !== undefined)
