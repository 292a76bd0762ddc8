/** How the settings of a business are checked: each gives the value as it is stored. */
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { tiers } from '../../core/operation.ts'
import { parseMailbox, smtpAddress } from '../../lib/email/mailbox.ts'
import { readSmsSender } from '../../lib/sms/sender.ts'
import { hasUnseen } from '../../lib/text/visible-text.ts'
import { businessName } from '../businesses/business.ts'
import type { SettingColumn } from '../businesses/queries.ts'

type Read = (text: string) => string | null | Refusal

export const settingReaders: Record<SettingColumn, Read> = {
  name: businessName,
  tier: (text) =>
    tiers.find((tier) => tier === text) ?? wrong('tier', `tier takes ${tiers.join(', ')}.`),
  time_zone: timeZone,
  language,
  postal_address: postalAddress,
  sender,
  reply_to: replyTo,
  sms_help: smsHelp,
  sms_sender: smsSender,
  track_opens: (text) => yesOrNo('track_opens', text),
  track_clicks: (text) => yesOrNo('track_clicks', text),
  deploy_limit: deployLimit,
  two_people: (text) => yesOrNo('two_people', text),
  colour,
}

function wrong(field: SettingColumn, message: string): Refusal {
  return refuse('invalid_request', message, { field })
}

function timeZone(text: string): string | Refusal {
  try {
    // ECMA-402 also takes offsets such as +02:00, which know no summer time.
    if (!/^[A-Z]/i.test(text)) throw new RangeError(text)
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return wrong('time_zone', 'time_zone takes an IANA name such as Europe/Paris or UTC.')
  }
}

function language(text: string): string | Refusal {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? wrong('language', 'language is missing.')
  } catch {
    return wrong('language', 'language takes a tag such as en or pt-BR.')
  }
}

function yesOrNo(key: SettingColumn, text: string): string | Refusal {
  return text === 'yes' || text === 'no' ? text : wrong(key, `${key} takes yes or no.`)
}

export const mostDeployed = 100_000_000

/** Recipients up to which a campaign needs nobody's approval. */
function deployLimit(text: string): string | null | Refusal {
  if (text === 'none') return null
  const fine = /^\d{1,9}$/.test(text) && Number(text) <= mostDeployed
  return fine
    ? text
    : wrong('deploy_limit', 'deploy_limit takes a whole number of recipients, or none.')
}

const longestAddress = 500
const mostLines = 8

/** As it stands under mail: a line for each part, none of them empty. */
function postalAddress(text: string): string | null | Refusal {
  const lines = text
    .normalize('NFC')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const address = lines.join('\n')
  if (lines.length > mostLines || address.length > longestAddress) {
    return wrong(
      'postal_address',
      `postal_address takes at most ${mostLines} lines and ${longestAddress} characters.`,
    )
  }
  // Angle brackets stand in examples that somebody forgot to fill in.
  if (hasUnseen(lines.join('')) || /[<>]/.test(address)) {
    return wrong(
      'postal_address',
      'postal_address takes plain text: a street, a town and a country where letters arrive, without < and >.',
    )
  }
  return address === '' ? null : address
}

const longestSender = 300

/** Empty for none: then it is the first verified domain's, or MAIL_FROM where that may send. */
function sender(text: string): string | null | Refusal {
  const written = text.trim()
  if (written === '') return null
  const { name, address } = parseMailbox(written)
  const spelled = mailAddress('sender', address)
  if (isRefusal(spelled)) return spelled
  if (written.length > longestSender || hasUnseen(written)) {
    return wrong('sender', `sender takes one line of at most ${longestSender} characters.`)
  }
  return name === undefined ? address : `${name} <${address}>`
}

function replyTo(text: string): string | null | Refusal {
  const address = text.trim()
  return address === '' ? null : mailAddress('reply_to', address)
}

/** One at a domain that mail can reach: `ana@localhost` is none. */
function mailAddress(field: 'sender' | 'reply_to', address: string): string | Refusal {
  const spelled = smtpAddress(address, field)
  if (isRefusal(spelled)) return spelled
  return spelled.slice(spelled.lastIndexOf('@')).includes('.')
    ? spelled
    : wrong(field, `${field} takes an address at a domain, such as ana@example.com.`)
}

function smsSender(text: string): string | null | Refusal {
  if (text.trim() === '') return null
  const read = readSmsSender(text)
  return isRefusal(read) ? wrong('sms_sender', read.message) : read
}

const longestHelp = 120

/** What HELP is answered after the name: with it one text of 160 characters, mostly. */
function smsHelp(text: string): string | null | Refusal {
  const help = text.normalize('NFC').trim()
  if (help.length > longestHelp || hasUnseen(help)) {
    return wrong('sms_help', `sms_help takes one line of at most ${longestHelp} characters.`)
  }
  return help === '' ? null : help
}

function colour(text: string): string | null | Refusal {
  const written = text.trim().toLowerCase()
  if (written === '') return null
  return /^#[0-9a-f]{6}$/.test(written)
    ? written
    : wrong('colour', 'colour takes six hexadecimal digits such as #4338ca.')
}
