/** What an operator may change about a business, key by key: `crier businesses set ID KEY VALUE`. */

import type { Db } from '../platform/db.ts'
import { isRefusal, type Refusal, refuse } from '../platform/errors.ts'
import type { Id } from '../platform/ids.ts'
import { parseMailbox, wireAddress } from '../platform/mail/mailbox.ts'
import { tiers } from '../platform/operation.ts'
import { readSmsSender } from '../platform/sms/sender.ts'
import { hasUnseen } from '../platform/visible-text.ts'
import { businessName } from './business.ts'
import { type SettingColumn, updateSetting } from './queries.ts'

/** Each gives the value as it is stored, or says what would be right. */
const readers: Record<SettingColumn, (text: string) => string | null | Refusal> = {
  name: businessName,
  tier: (text) => tiers.find((tier) => tier === text) ?? wrong(`tier takes ${tiers.join(', ')}.`),
  time_zone: timeZone,
  language,
  postal_address: postalAddress,
  sender,
  sms_help: smsHelp,
  sms_sender: (text) => (text.trim() === '' ? null : readSmsSender(text)),
  track_opens: (text) => yesOrNo('track_opens', text),
  track_clicks: (text) => yesOrNo('track_clicks', text),
  deploy_limit: deployLimit,
}

export const settingKeys = Object.keys(readers) as SettingColumn[]

export async function setBusiness(
  db: Db,
  id: Id<'business'>,
  setting: { key: string; value: string; now: Date },
): Promise<SettingColumn | Refusal> {
  const column = settingKeys.find((key) => key === setting.key)
  if (!column) return wrong(`A business has these settings: ${settingKeys.join(', ')}.`)
  const value = readers[column](setting.value)
  if (isRefusal(value)) return value
  const changed = await updateSetting(db, id, { column, value, now: setting.now })
  return changed === 1 ? column : refuse('not_found', 'There is no such business.')
}

function wrong(message: string): Refusal {
  return refuse('invalid_request', message)
}

function timeZone(text: string): string | Refusal {
  try {
    // ECMA-402 also takes offsets such as +02:00, which know no summer time.
    if (!/^[A-Z]/i.test(text)) throw new RangeError(text)
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return wrong('time_zone takes an IANA name such as Europe/Paris or UTC.')
  }
}

function language(text: string): string | Refusal {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? wrong('language is missing.')
  } catch {
    return wrong('language takes a tag such as en or pt-BR.')
  }
}

function yesOrNo(key: string, text: string): string | Refusal {
  return text === 'yes' || text === 'no' ? text : wrong(`${key} takes yes or no.`)
}

export const mostDeployed = 100_000_000

/** Recipients up to which a campaign needs nobody's approval. */
function deployLimit(text: string): string | null | Refusal {
  if (text === 'none') return null
  const fine = /^\d{1,9}$/.test(text) && Number(text) <= mostDeployed
  return fine ? text : wrong('deploy_limit takes a whole number of recipients, or none.')
}

const longestAddress = 500

function postalAddress(text: string): string | null | Refusal {
  const address = text.replace(/\r\n?/g, '\n').trim()
  if (address.length > longestAddress) {
    return wrong(`postal_address takes at most ${longestAddress} characters.`)
  }
  return address === '' ? null : address
}

const longestSender = 300

/** Empty for none: then it is the first verified domain's, or MAIL_FROM where that may send. */
function sender(text: string): string | null | Refusal {
  const written = text.trim()
  if (written === '') return null
  const { name, address } = parseMailbox(written)
  const wire = wireAddress(address, 'sender')
  if (isRefusal(wire)) return wire
  if (written.length > longestSender || hasUnseen(written)) {
    return wrong(`sender takes one line of at most ${longestSender} characters.`)
  }
  return name === undefined ? address : `${name} <${address}>`
}

const longestHelp = 120

/** What HELP is answered after the name: with it one text of 160 characters, mostly. */
function smsHelp(text: string): string | null | Refusal {
  const help = text.normalize('NFC').trim()
  if (help.length > longestHelp || /\p{Cc}/u.test(help)) {
    return wrong(`sms_help takes one line of at most ${longestHelp} characters.`)
  }
  return help === '' ? null : help
}
