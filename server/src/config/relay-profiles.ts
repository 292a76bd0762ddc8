/** What is known of the relays of mail providers, and of one's own. */

export interface RelayProfile {
  /** As people know it. */
  title: string
  /** Ends of the host names by which a relay is recognised that names no profile. */
  hosts: readonly string[]
  /** Whether reports by mail find the way back to us: providers put in a return path of their own. */
  keepsReturnPath: boolean
  /** Whether its addresses are shared by many senders, so that mailbox providers know them. */
  isWarm: boolean
  /** The adapter of its notifications, and the setting with their proof; none for reports by mail. */
  reports?: { provider: string; setting: string }
  /** The records that a domain needs there besides those that Crier names. */
  records?: string
  /** An address to which mail bounces by the provider's design. */
  bouncesAt?: string
  /** Header lines that have its notifications name the message, and its own tracking left out. */
  lines?(message: string): readonly string[]
}

const profiles = {
  own: { title: 'your own relay', hosts: [], keepsReturnPath: true, isWarm: false },
  ses: {
    title: 'Amazon SES',
    hosts: ['amazonaws.com'],
    keepsReturnPath: false,
    isWarm: true,
    reports: { provider: 'ses', setting: 'SES_TOPICS' },
    records: 'three CNAME of DKIM, and MX and TXT of a custom MAIL FROM domain',
    bouncesAt: 'bounce@simulator.amazonses.com',
  },
  postmark: {
    title: 'Postmark',
    hosts: ['postmarkapp.com'],
    keepsReturnPath: false,
    isWarm: true,
    reports: { provider: 'postmark', setting: 'POSTMARK_LOGIN' },
    records: 'a TXT of DKIM that ends in pm._domainkey, and CNAME pm-bounces to pm.mtasv.net',
    bouncesAt: 'hardbounce@bounce-testing.postmarkapp.com',
    lines: (message) => [`X-PM-Metadata-crier-message: ${message}`, 'X-PM-KeepID: true'],
  },
  mailgun: {
    title: 'Mailgun',
    hosts: ['mailgun.org'],
    keepsReturnPath: false,
    isWarm: true,
    reports: { provider: 'mailgun', setting: 'MAILGUN_KEY' },
    records: 'TXT of SPF and of DKIM, as Mailgun shows them for the domain',
    lines: (message) => [
      `X-Mailgun-Variables: {"crier-message":"${message}"}`,
      'X-Mailgun-Track: no',
    ],
  },
  brevo: {
    title: 'Brevo',
    hosts: ['brevo.com', 'sendinblue.com'],
    keepsReturnPath: false,
    isWarm: true,
    reports: { provider: 'brevo', setting: 'BREVO_LOGIN' },
    records: 'TXT brevo-code, and CNAME brevo1._domainkey and brevo2._domainkey',
    lines: (message) => [`X-Mailin-custom: ${message}`],
  },
  resend: {
    title: 'Resend',
    hosts: ['resend.com'],
    keepsReturnPath: false,
    isWarm: true,
    reports: { provider: 'resend', setting: 'RESEND_KEY' },
    records: 'TXT resend._domainkey, and MX and TXT of send',
    bouncesAt: 'bounced@resend.dev',
    lines: (message) => [`X-Crier-Message: ${message}`],
  },
  sendgrid: {
    title: 'SendGrid',
    hosts: ['sendgrid.net'],
    keepsReturnPath: false,
    isWarm: true,
    reports: { provider: 'sendgrid', setting: 'SENDGRID_KEY' },
    records:
      'three CNAME of its domain authentication, with a custom DKIM selector, because s1 and s2 are those of this service',
    lines: (message) => [
      `X-SMTPAPI: {"unique_args":{"crier-message":"${message}"},`,
      ' "filters":{"clicktrack":{"settings":{"enable":0}},"opentrack":{"settings":{"enable":0}}}}',
    ],
  },
  mailjet: {
    title: 'Mailjet',
    hosts: ['mailjet.com'],
    keepsReturnPath: false,
    isWarm: true,
    reports: { provider: 'mailjet', setting: 'MAILJET_LOGIN' },
    records: 'TXT mailjet._domainkey, and include:spf.mailjet.com in its SPF',
    lines: (message) => [
      `X-MJ-CustomID: ${message}`,
      'X-Mailjet-TrackOpen: 0',
      'X-Mailjet-TrackClick: 0',
    ],
  },
} as const satisfies Record<string, RelayProfile>

export type ProfileName = keyof typeof profiles

export const profileNames = Object.keys(profiles) as ProfileName[]

export const profileOf = (name: ProfileName): RelayProfile => profiles[name]

/** The profile of the provider whose host this is; undefined for any other host. */
export function recognisedProfile(url: string): ProfileName | undefined {
  const host = new URL(url).hostname.toLowerCase()
  return profileNames.find((name) =>
    profileOf(name).hosts.some((end) => host === end || host.endsWith(`.${end}`)),
  )
}

/**
 * The header lines that a message gets for a relay. A provider is recognised for this alone; its
 * DNS records and warm-up follow the profile that the operator names.
 */
export function linesFor(relay: { url: string; profile?: ProfileName | undefined }) {
  const name = relay.profile ?? recognisedProfile(relay.url)
  return name === undefined ? undefined : profileOf(name).lines
}
