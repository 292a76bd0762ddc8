/**
 * How mail providers prove that a notification is theirs. Notifications of a provider without its
 * setting are refused.
 */
import type { KeyObject } from 'node:crypto'
import { ConfigError, readOptional, readPublicKey, readSecret, readTopic } from './readers.ts'

export interface ProviderSettings {
  providerSecret: string | undefined
  sesTopics: string[]
  sendgridKey: KeyObject | undefined
  mailgunKey: string | undefined
  resendKey: Buffer | undefined
  /** `user:password` of the URL that the provider was given. */
  postmarkLogin: string | undefined
  brevoLogin: string | undefined
  mailjetLogin: string | undefined
}

/** Whether notifications of this adapter are received. */
export function isReceived(settings: ProviderSettings, provider: string): boolean {
  return proofsIn(settings)[provider] !== undefined
}

/** Whether notifications of any adapter are received. */
export const isAnyReceived = (settings: ProviderSettings): boolean =>
  Object.values(proofsIn(settings)).some((proof) => proof !== undefined)

function proofsIn(settings: ProviderSettings): Record<string, unknown> {
  return {
    generic: settings.providerSecret,
    ses: settings.sesTopics[0],
    sendgrid: settings.sendgridKey,
    mailgun: settings.mailgunKey,
    resend: settings.resendKey,
    postmark: settings.postmarkLogin,
    brevo: settings.brevoLogin,
    mailjet: settings.mailjetLogin,
  }
}

type Text = (name: string) => string | undefined

/** Characters of a password that nobody guesses, and of a key as providers make them. */
const leastLength = 16

export function readProviders(text: Text): ProviderSettings {
  return {
    providerSecret: readSecret(text('PROVIDER_SECRET'), 'PROVIDER_SECRET'),
    sesTopics: (text('SES_TOPICS')?.split(/[\s,]+/) ?? []).map(readTopic),
    sendgridKey: readOptional(text('SENDGRID_KEY'), (key) => readPublicKey(key, 'SENDGRID_KEY')),
    mailgunKey: readOptional(text('MAILGUN_KEY'), readMailgunKey),
    resendKey: readOptional(text('RESEND_KEY'), readResendKey),
    postmarkLogin: readLogin(text, 'POSTMARK_LOGIN'),
    brevoLogin: readLogin(text, 'BREVO_LOGIN'),
    mailjetLogin: readLogin(text, 'MAILJET_LOGIN'),
  }
}

function readMailgunKey(text: string): string {
  if (text.length >= leastLength) return text
  throw new ConfigError('MAILGUN_KEY must be the HTTP webhook signing key that Mailgun shows.')
}

function readResendKey(text: string): Buffer {
  const key = Buffer.from(text.slice('whsec_'.length), 'base64')
  if (text.startsWith('whsec_') && key.length >= leastLength) return key
  throw new ConfigError('RESEND_KEY must be the signing secret that Resend shows, whsec_….')
}

/** The values are never repeated in a message. */
function readLogin(text: Text, name: string): string | undefined {
  return readOptional(text(name), (login) => {
    const colon = login.indexOf(':')
    if (colon > 0 && login.length - colon > leastLength) return login
    throw new ConfigError(
      `${name} must be USER:PASSWORD, the password of ${leastLength} characters or more.`,
    )
  })
}
