/** How to read a file: its encoding, the target of each column, and what its people agreed to. */

import { type ConsentSubject, consentSubjects, contactLimits } from '../contacts/contact.ts'
import type { ImportedReason } from '../contacts/suppressions/import.ts'
import type { Encoding } from './csv.ts'

/** Services whose exported files are recognised by their columns. */
export const knownSources = ['crier', 'mailchimp', 'brevo', 'listmonk', 'klaviyo'] as const
export type KnownSource = (typeof knownSources)[number]

/** What a file holds: contacts, or people who must not be written to. */
export const importKinds = ['contacts', 'suppressions'] as const
export type ImportKind = (typeof importKinds)[number]

/** The format of the file, derived from its beginning. */
export interface Layout {
  encoding: Encoding
  delimiter: string
  /** Names of the columns: the first line, or `Column 1` and so on if that line holds a person. */
  columns: string[]
  hasHeader: boolean
  /** The byte at which the first row begins. */
  start: number
  known: KnownSource | null
}

export const modes = ['update', 'only_new', 'fill_blanks'] as const
type Mode = (typeof modes)[number]

export interface Agreement {
  /** Where people gave their consent. */
  source: string
  /** The wording that they agreed to. */
  text: string
}

/** The choices that the uploader makes. */
export interface Choices {
  /** By column. Null for a column that is left out. */
  targets: (string | null)[]
  tags: string[]
  mode: Mode
  /** Whether a blank cell erases the value. By default it changes nothing. */
  blanksErase: boolean
  /** Agreement of the file's people, by channel or to tracking. Nothing is assumed without it. */
  consent: Partial<Record<ConsentSubject, Agreement>>
  /** Of suppressions, why: for rows that do not say it. */
  reason?: ImportedReason
  /** The country in which numbers without a country code are read: two capital letters. */
  country?: string
  /** By column, what stands for a cell of this text, without outer spaces. */
  values?: Record<string, Record<string, string>>
  /** By target, what a row without a value of its own gets. */
  defaults?: Record<string, string>
  /** Set if the mapping is that of the last import of a file with the same headings. */
  isRemembered?: boolean
}

export interface Plan extends Layout, Choices {
  kind: ImportKind
  /** The file that the consent ledger names as the source. */
  fileName: string
}

const attributeTypes = ['text', 'number', 'boolean'] as const
export type AttributeType = (typeof attributeTypes)[number]

/** The evidence that somebody agreed, besides the status itself. */
const evidenceParts = [
  'source',
  'text',
  'ip',
  'agent',
  'at',
  'confirmed_at',
  'confirmed_ip',
  // Keys of the topics that the person agreed to. If absent, the consent covers the whole channel.
  'topics',
  // The person has left, unless the cell is blank or `no`.
  'left_at',
] as const
export type EvidencePart = (typeof evidenceParts)[number]

const plainTargets = [
  'email',
  'phone',
  'external_id',
  'name',
  'first_name',
  'last_name',
  'language',
  'tags',
] as const
type PlainTarget = (typeof plainTargets)[number]

export type Target =
  | { kind: PlainTarget }
  /** `type` is undefined if no type was given: the cell is then text, without outer spaces. */
  | { kind: 'attribute'; key: string; type: AttributeType | undefined }
  /** Each cell holds a JSON object, and each of its keys is an attribute. */
  | { kind: 'attributes' }
  | { kind: 'consent'; channel: ConsentSubject }
  | { kind: 'evidence'; channel: ConsentSubject; part: EvidencePart }

const attributeStart = 'attributes.'

/** Reads `email`, `attributes.plan:number`, `consent.email.source`, or returns undefined. */
export function readTarget(text: string): Target | undefined {
  const plain = plainTargets.find((plainTarget) => plainTarget === text)
  if (plain) return { kind: plain }
  if (text === 'attributes') return { kind: 'attributes' }
  if (text.startsWith(attributeStart)) return readAttribute(text.slice(attributeStart.length))
  for (const channel of consentSubjects) {
    const name = `consent.${channel}`
    if (text === name) return { kind: 'consent', channel }
    const part = evidenceParts.find((evidencePart) => text === `${name}.${evidencePart}`)
    // Consent to tracking has no topics.
    if (part === 'topics' && channel === 'tracking') return undefined
    if (part) return { kind: 'evidence', channel, part }
  }
  return undefined
}

function readAttribute(text: string): Target | undefined {
  const type = attributeTypes.find((attributeType) => text.endsWith(`:${attributeType}`))
  const key = type === undefined ? text : text.slice(0, -type.length - 1)
  if (key.trim() === '' || key.length > contactLimits.attributeKeyLength) return undefined
  if (/\p{Cc}/u.test(key) || key === '__proto__') return undefined
  return { kind: 'attribute', key, type }
}

/** The name of an attribute's column, such as `attributes.zip:text`. */
export function attributeTarget(key: string, type?: AttributeType): string {
  return `${attributeStart}${key}${type === undefined ? '' : `:${type}`}`
}

/** The target without the type of its attribute. */
export const baseOf = <T extends string | null>(target: T) =>
  target === null ? null : target.replace(/:(?:text|number|boolean)$/, '')

/** The targets that a mapping may use, listed for error messages. */
export const targetWords =
  'email, phone, external_id, name, first_name, last_name, language, tags, attributes, attributes.KEY (with :text, :number or :boolean), consent.email, consent.sms, consent.tracking, and of each consent .source, .text, .ip, .agent, .at, .topics (not of tracking), .confirmed_at, .confirmed_ip and .left_at'

/** Each target with its names, as `plainName` reduces them. */
const namesOf: Readonly<Record<string, string>> = {
  email:
    'email emailaddress emailid mail emailadresse mailadresse correo correoelectronico courriel adresseemail adressemail indirizzoemail emailadres enderecodeemail adresemail',
  phone:
    'phone phonenumber mobile mobilenumber sms smsphonenumber telefon telefonnummer handy handynummer mobil mobilnummer telefono telephone portable cellulare telefoon telefoonnummer telefone telemovel',
  external_id: 'externalid externeid kundennummer customerid userid',
  name: 'name fullname vollername vorundnachname nombrecompleto nomcomplet nomecompleto',
  first_name: 'firstname fname givenname vorname prenom nombre nome voornaam imie',
  last_name:
    'lastname lname surname familyname nachname familienname nomdefamille apellido apellidos cognome achternaam sobrenome apelido nazwisko',
  language: 'language lang locale sprache langue idioma lingua taal jezyk',
  tags: 'tags schlagworte schlagworter etiquetas etiquettes etichette',
}

const targets = new Map(
  Object.entries(namesOf).flatMap(([target, names]) =>
    names.split(' ').map((name) => [name, target] as const),
  ),
)

const countryNames = new Set(
  'country countrycode cc land landercode laendercode landerkurzel pays codepays pais paese landcode kraj'.split(
    ' ',
  ),
)

/** Whether a column of this name holds the country of a person. */
export const isCountryName = (name: string): boolean => countryNames.has(name)

/** What a column of this name holds in the files of many services. */
export const commonTarget = (name: string): string | undefined => targets.get(name)

/** Lower-case letters and digits alone, without accents. */
export const plainName = (column: string) =>
  column
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
