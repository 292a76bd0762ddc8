/**
 * Fields of other services within the words of a mail, as fields of ours: Mailchimp writes
 * `*|FNAME|*`, Klaviyo `{{ first_name|default:'there' }}`, Brevo `{{ contact.FIRSTNAME }}`. What is
 * not known becomes an empty slot, `[[BIRTHDAY]]`, which no check before a send lets through.
 */
import { ownVariables } from '../../variables.ts'

export interface FieldRead {
  /** As the other service wrote it. */
  written: string
  /** What stands in its place, or null where nobody knows what it means. */
  becomes: string | null
}

interface MergeTags {
  /** The text with fields of ours, in pieces: words as they are, and fields that are not to be escaped. */
  pieces(text: string): Piece[]
  /** The same for an address, where an unknown field becomes nothing. */
  address(text: string): string
  /** Each field that was found, once, in order. */
  found(): FieldRead[]
}

export type Piece = { words: string } | { field: string } | { slot: string }

/** Fields that are listed. Further ones are replaced all the same. */
const mostFields = 100

const field =
  /\*\|([^|]{1,200})\|\*|\{\{([^{}]{1,200})\}\}|\{%-?([^{}%]{1,200})%\}|\[(UNSUBSCRIBE|MIRROR|UPDATE_PROFILE|DEFAULT_FROM_NAME)\]/g

const [firstName, lastName, email, phone] = [
  'contact.first_name',
  'contact.last_name',
  'contact.email',
  'contact.phone',
]

/** By the last part of their name, in lower case and without spaces. */
const meanings: Readonly<Record<string, string>> = {
  fname: firstName,
  firstname: firstName,
  first_name: firstName,
  prenom: firstName,
  vorname: firstName,
  lname: lastName,
  lastname: lastName,
  last_name: lastName,
  nom: lastName,
  nachname: lastName,
  name: 'contact.name',
  fullname: 'contact.name',
  full_name: 'contact.name',
  email,
  email_address: email,
  phone,
  phone_number: phone,
  sms: phone,
  whatsapp: phone,
  unsub: 'unsubscribe_url',
  unsubscribe: 'unsubscribe_url',
  unsubscribe_link: 'unsubscribe_url',
  unsubscribe_url: 'unsubscribe_url',
  optout: 'unsubscribe_url',
  update_profile: 'preferences_url',
  manage_preferences: 'preferences_url',
  manage_preferences_link: 'preferences_url',
  preferences_url: 'preferences_url',
  archive: 'view_url',
  mirror: 'view_url',
  web_view: 'view_url',
  web_view_link: 'view_url',
  view_url: 'view_url',
  'list:company': 'business.name',
  'list:name': 'business.name',
  organization_name: 'business.name',
  'organization.name': 'business.name',
  default_from_name: 'business.name',
  'list:address': 'business.postal_address',
  'list:addressline': 'business.postal_address',
  'html:list_address_html': 'business.postal_address',
  list_address_html: 'business.postal_address',
  'organization.full_address': 'business.postal_address',
  'organization.address': 'business.postal_address',
}

/** Fields that say nothing in a mail of blocks: the subject is elsewhere, and we write the footer. */
const silent = new Set([
  'mc:subject',
  'mc_preview_text',
  'html:rewards',
  'rewards',
  'abuse_email',
  'list:description',
])

/** With the names of the business's own fields. */
export function mergeTags(ownFields: readonly string[], year: number): MergeTags {
  const own = new Map(
    ownFields.filter((key) => !/["\\{}%]/.test(key)).map((key) => [plain(key), key]),
  )
  const fields = new Map<string, FieldRead>()

  const read = (tag: string, inner: string): Piece => {
    const { name, fallback } = partsOf(inner)
    const meaning = meaningOf(name)
    const becomes = meaning === '' ? '' : meaning === undefined ? null : filled(meaning, fallback)
    if (fields.size < mostFields && !fields.has(tag)) fields.set(tag, { written: tag, becomes })
    if (becomes === null) return { slot: slotOf(inner) }
    return { field: becomes }
  }

  const meaningOf = (name: string): string | undefined => {
    if (Object.hasOwn(ownVariables, name) && name !== 'contact.attributes.KEY') return name
    if (/^contact\.attributes\.[A-Za-z_]\w{0,99}$/.test(name)) return name
    const whole = plain(name)
    if (silent.has(whole)) return ''
    if (whole === 'current_year' || whole === 'date:y') return String(year)
    const last = whole.replace(/^(?:contact|person|recipient|profile|subscriber|merge)\./, '')
    const attribute = own.get(last)
    const meaning = Object.hasOwn(meanings, last) ? meanings[last] : undefined
    return meaning ?? (attribute === undefined ? undefined : pathOf(attribute))
  }

  const piecesOf = (text: string): Piece[] => {
    const pieces: Piece[] = []
    let at = 0
    for (const match of text.matchAll(field)) {
      const inner = match[1] ?? match[2] ?? match[3] ?? match[4] ?? ''
      if (match.index > at) pieces.push({ words: harmless(text.slice(at, match.index)) })
      pieces.push(read(match[0], inner))
      at = match.index + match[0].length
    }
    if (at < text.length) pieces.push({ words: harmless(text.slice(at)) })
    return pieces
  }

  return {
    pieces: piecesOf,
    address: (text) =>
      piecesOf(text)
        .map((piece) => ('words' in piece ? piece.words : 'field' in piece ? piece.field : ''))
        .join(''),
    found: () => [...fields.values()],
  }
}

const pathOf = (key: string) =>
  /^[A-Za-z_]\w*$/.test(key) ? `contact.attributes.${key}` : `contact.attributes["${key}"]`

const plain = (name: string) => name.trim().toLowerCase().replaceAll(' ', '_')

/** No braces that Liquid would read. */
const harmless = (text: string) => text.replaceAll('{{', '{ {').replaceAll('{%', '{ %')

/** A number or an empty text stands as it is. */
function filled(meaning: string, fallback: string | undefined): string {
  if (/^\d{4}$/.test(meaning)) return meaning
  return fallback === undefined ? `{{ ${meaning} }}` : `{{ ${meaning} | default: "${fallback}" }}`
}

const slotOf = (inner: string) => `[[${inner.replace(/[[\]{}%|*\s]+/g, ' ').trim() || 'field'}]]`

/** `person|lookup:'City'|default:'there'` is City, with a word for people without one. */
function partsOf(inner: string): { name: string; fallback: string | undefined } {
  const [first = '', ...filters] = inner.replace(/-$/, '').split('|')
  let name = first.trim().split(' ')[0] ?? ''
  let fallback: string | undefined
  for (const filter of filters) {
    const colon = filter.indexOf(':')
    const word = filter.slice(0, colon < 0 ? filter.length : colon).trim()
    const value = colon < 0 ? '' : unquoted(filter.slice(colon + 1))
    if (word === 'lookup' && value !== '') name = value
    if (word === 'default' && value !== '') fallback = value
  }
  return { name, fallback }
}

const unquoted = (text: string) =>
  text
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/["\\{}%]/g, '')
