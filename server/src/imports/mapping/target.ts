/**
 * The target of a column. Mappings, exports and headers share these names; the names that mean the
 * same in the files of many services, in several languages, follow them.
 */

import { type ConsentSubject, consentSubjects, contactLimits } from '../../contacts/contact.ts'

export const attributeTypes = ['text', 'number', 'boolean'] as const
export type AttributeType = (typeof attributeTypes)[number]

/** The evidence that somebody agreed, besides the status itself. */
export const evidenceParts = [
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
