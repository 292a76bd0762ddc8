/** Checks the settings of a business. Each reader returns the value as it is stored. */
import { retentionLimits } from '../../config/retention-limits.ts'
import { isRefusal, orThrow, type Refusal, refuse } from '../../core/errors.ts'
import { tiers } from '../../core/operation.ts'
import { readUtm } from '../../core/utm.ts'
import { parseMailbox, smtpAddress } from '../../lib/email/header-fields.ts'
import { readSmsSender } from '../../lib/sms/sender.ts'
import { hasUnseen } from '../../lib/text/visible-text.ts'
import { businessName, trackingPolicies } from '../businesses/business.ts'
import type { SettingColumn } from '../businesses/queries.ts'
import { fewestMonths, retainedKinds } from '../businesses/retention.ts'
import { readArchive } from './archive-setting.ts'
import { readAttention } from './attention.ts'

type Read = (text: string) => string | null

export const settingReaders: Record<SettingColumn, Read> = {
  name: businessName,
  tier: readTier,
  time_zone: readTimeZone,
  language: readLanguage,
  postal_address: readPostalAddress,
  sender: readSender,
  reply_to: readReplyTo,
  sms_help: readSmsHelp,
  sms_sender: readSmsSenderSetting,
  track_opens: (text) => readYesOrNo('track_opens', text),
  track_clicks: (text) => readYesOrNo('track_clicks', text),
  track_transactional: (text) => readYesOrNo('track_transactional', text),
  tracking: readTracking,
  attribution_days: readAttributionDays,
  deploy_limit: readDeployLimit,
  two_people: (text) => readYesOrNo('two_people', text),
  colour: readColour,
  privacy_url: readPrivacyUrl,
  retention: readRetention,
  utm: readUtmSetting,
  archive: (text) => readArchive(parseObject(text)),
  attention: (text) => readAttention(text),
  relay_transactional: (text) => readRelay('relay_transactional', text),
  relay_marketing: (text) => readRelay('relay_marketing', text),
}

function refuseSetting(
  field: SettingColumn,
  message: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', message, { field, data })
}

function readTier(text: string): string {
  const tier = tiers.find((listedTier) => listedTier === text)
  if (tier) return tier
  throw refuseSetting('tier', `tier must be one of ${tiers.join(', ')}.`)
}

function readTimeZone(text: string): string {
  try {
    // ECMA-402 also accepts offsets such as +02:00, which have no daylight saving time.
    if (!/^[A-Z]/i.test(text)) throw new RangeError(text)
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    throw refuseSetting(
      'time_zone',
      'time_zone must be an IANA name such as Europe/Paris or UTC.',
      {
        reason: 'no_time_zone',
      },
    )
  }
}

function readLanguage(text: string): string {
  let tag: string | undefined
  try {
    tag = Intl.getCanonicalLocales(text)[0]
  } catch {
    throw refuseSetting('language', 'language must be a tag such as en or pt-BR.', {
      reason: 'no_language',
    })
  }
  if (tag !== undefined) return tag
  throw refuseSetting('language', 'language is missing.', { reason: 'missing' })
}

function readYesOrNo(key: SettingColumn, text: string): string {
  if (text === 'yes' || text === 'no') return text
  throw refuseSetting(key, `${key} must be yes or no.`)
}

function readTracking(text: string): string {
  const policy = trackingPolicies.find((trackingPolicy) => trackingPolicy === text)
  if (policy) return policy
  throw refuseSetting('tracking', `tracking must be one of ${trackingPolicies.join(', ')}.`)
}

/** The days within which orders count for a campaign; activities are stored for longer. */
export const attributionDays = { minimum: 1, maximum: 90 } as const

function readAttributionDays(text: string): string {
  const { minimum, maximum } = attributionDays
  const fine = /^\d{1,2}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  const rule = `attribution_days must be a whole number from ${minimum} to ${maximum}.`
  if (fine) return text
  throw refuseSetting('attribution_days', rule, { reason: 'number_between', minimum, maximum })
}

export const maxDeployLimit = 100_000_000

/** The number of recipients up to which a campaign needs no approval. */
function readDeployLimit(text: string): string | null {
  if (text === 'none') return null
  const fine = /^\d{1,9}$/.test(text) && Number(text) <= maxDeployLimit
  if (fine) return text
  throw refuseSetting(
    'deploy_limit',
    'deploy_limit must be a whole number of recipients, or none.',
    {
      reason: 'no_number',
    },
  )
}

const longestAddress = 500
const mostLines = 8

/** The postal address as mail shows it: several lines, none of them empty. */
function readPostalAddress(text: string): string | null {
  const lines = text
    .normalize('NFC')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const address = lines.join('\n')
  if (lines.length > mostLines || address.length > longestAddress) {
    throw refuseSetting(
      'postal_address',
      `postal_address can have at most ${mostLines} lines and ${longestAddress} characters.`,
      { reason: 'postal_address_too_long', lines: mostLines, limit: longestAddress },
    )
  }
  // Angle brackets are the sign of an example that was not filled in.
  if (hasUnseen(lines.join('')) || /[<>]/.test(address)) {
    throw refuseSetting(
      'postal_address',
      'postal_address must be plain text: a street, a town and a country where you can receive post, without < and >.',
      { reason: 'no_postal_address_text' },
    )
  }
  return address === '' ? null : address
}

/** The name of a relay of the operator's file RELAYS; `default` for no choice. */
function readRelay(key: SettingColumn, text: string): string | null {
  if (text === 'default') return null
  if (/^[a-z0-9-]{1,40}$/.test(text)) return text
  throw refuseSetting(key, `${key} must be the name of a relay in the file RELAYS, or default.`)
}

const longestSender = 300

/**
 * Empty if it has no sender of its own: the sender is then the first verified domain's, or
 * MAIL_FROM if that is allowed.
 */
function readSender(text: string): string | null {
  const written = text.trim()
  if (written === '') return null
  const { name, address } = parseMailbox(written)
  readMailAddress('sender', address)
  if (written.length > longestSender || hasUnseen(written)) {
    throw refuseSetting(
      'sender',
      `sender must be one line of at most ${longestSender} characters.`,
      {
        reason: 'one_short_line',
        limit: longestSender,
      },
    )
  }
  return name === undefined ? address : `${name} <${address}>`
}

function readReplyTo(text: string): string | null {
  const address = text.trim()
  return address === '' ? null : readMailAddress('reply_to', address)
}

/** An address at a domain that mail can reach, which `ana@localhost` is not. */
function readMailAddress(field: 'sender' | 'reply_to', address: string): string {
  const spelled = orThrow(smtpAddress(address, field))
  if (spelled.slice(spelled.lastIndexOf('@')).includes('.')) return spelled
  throw refuseSetting(field, `${field} must be an address at a domain, such as ana@example.com.`, {
    reason: 'no_email',
  })
}

function readSmsSenderSetting(text: string): string | null {
  if (text.trim() === '') return null
  const read = readSmsSender(text)
  if (isRefusal(read)) throw refuseSetting('sms_sender', read.message, { reason: 'no_sms_sender' })
  return read
}

const longestHelp = 120

/**
 * The answer to HELP, after the business's name; together they usually fit one text of 160
 * characters.
 */
function readSmsHelp(text: string): string | null {
  const help = text.normalize('NFC').trim()
  if (help.length > longestHelp || hasUnseen(help)) {
    throw refuseSetting(
      'sms_help',
      `sms_help must be one line of at most ${longestHelp} characters.`,
      { reason: 'one_short_line', limit: longestHelp },
    )
  }
  return help === '' ? null : help
}

function readPrivacyUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'https:' || url.protocol === 'http:') && !url.username)
    return url.href
  throw refuseSetting(
    'privacy_url',
    'privacy_url must be an address such as https://shop.example/privacy.',
    { reason: 'no_web_address' },
  )
}

function readColour(text: string): string | null {
  const written = text.trim().toLowerCase()
  if (written === '') return null
  if (/^#[0-9a-f]{6}$/.test(written)) return written
  throw refuseSetting('colour', 'colour must be # and six hexadecimal digits, such as #4338ca.', {
    reason: 'no_colour',
  })
}

/** Months by kind as JSON, such as `{"messages":12}`; null means never to delete the kind. */
function readRetention(text: string): string {
  const { maxMonths } = retentionLimits
  const kinds = retainedKinds.join(', ')
  const wrong = (rule: string) =>
    refuse('invalid_request', `retention ${rule}`, {
      field: 'retention',
      data: { reason: 'wrong_form' },
    })
  const values = parseObject(text)
  if (!values) throw wrong(`must give months by kind (${kinds}), such as {"messages":12}.`)
  for (const [name, months] of Object.entries(values)) {
    const kind = retainedKinds.find((entry) => entry === name)
    if (kind === undefined) throw wrong(`has these kinds: ${kinds}.`)
    const minimum = fewestMonths[kind]
    const isNumber = typeof months === 'number' && Number.isInteger(months)
    if (months === null || (isNumber && months >= minimum && months <= maxMonths)) continue
    const rule = `must be ${minimum} to ${maxMonths} months, or null to keep it.`
    throw refuse('invalid_request', `retention.${kind} ${rule}`, {
      field: `retention.${kind}`,
      data: { reason: 'number_between', minimum, maximum: maxMonths },
    })
  }
  return JSON.stringify(values)
}

/** The values as JSON, such as `{"source":"newsletter"}`; empty or `{}` for none. */
function readUtmSetting(text: string): string | null {
  const input = text === '' ? {} : parseObject(text)
  const example = '{"source":"newsletter","medium":"email"}'
  if (!input) throw refuseSetting('utm', `utm must be an object such as ${example}.`)
  const utm = readUtm(input)
  return Object.keys(utm).length === 0 ? null : JSON.stringify(utm)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
