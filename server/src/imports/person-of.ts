/**
 * Turns a row of a file into a person. A cell that cannot be read is left out, and the row is refused
 * only where nothing is left that says who the person is.
 */

import { isIP } from 'node:net'
import {
  type AttributeValue,
  type ConsentGiven,
  type ConsentSubject,
  consentSubjects,
  contactLimits,
  type Person,
  type PersonInput,
  personSchema,
  readPerson,
  textFields,
} from '../contacts/contact.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { schemaCheck } from '../core/schema-check.ts'
import { countryOf } from '../lib/phone/numbering-plans.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import { singleLine } from '../lib/text/single-line.ts'
import {
  attributeTarget,
  type EvidencePart,
  isBlank,
  isCountryName,
  type LeftOutCell,
  plainName,
  readAttributeCell,
  readAttributesCell,
  readTarget,
  splitTags,
  type Target,
  unguarded,
  wordsOf,
} from './cells.ts'
import type { Agreement, Plan } from './plan.ts'

interface ReadRow {
  person: Person
  leftOut?: LeftOutCell[]
  /** Consents that the row calls `subscribed`, although no source or text is given for them. */
  withoutEvidence?: ConsentSubject[]
}

/** The values collected from one row. */
interface Gathered {
  plan: Plan
  columns: readonly Column[]
  leftOut: LeftOutCell[]
  input: PersonInput
  /** No target and no key of a JSON cell is named `__proto__`. */
  attributes: Record<string, AttributeValue | null>
  /** The country in which the row's number is read if it has no country code. */
  country: string | undefined
  tags: string[]
  cleared: (typeof textFields)[number][]
  consent: Partial<Record<ConsentSubject, ConsentCells>>
}

interface Column {
  index: number
  target: Target
  /** What stands for a cell of a text, where the uploader said so. */
  values?: ReadonlyMap<string, string>
}

const fault = schemaCheck(personSchema, 'the row')

/** `plan.targets` has been checked: each entry is a valid target or null. */
export function rowReader(plan: Plan): (cells: readonly string[]) => ReadRow | Refusal {
  const { length } = plan.targets
  const columns: Column[] = plan.targets.flatMap((text, index) => {
    const target = text === null ? undefined : readTarget(text)
    const values = valuesOf(plan, index)
    return target ? [{ index, target, ...(values && { values }) }] : []
  })
  const defaults = Object.entries(plan.defaults ?? {}).flatMap(([text, value]) => {
    const target = readTarget(text)
    return target ? [{ target, value }] : []
  })
  const countries = countryColumns(plan)
  return (cells) => {
    for (let index = length; index < cells.length; index++) {
      if (!isBlank(cells[index] ?? '')) return tooManyCells(cells.length, length)
    }
    const row: Gathered = {
      plan,
      columns,
      leftOut: [],
      input: {},
      attributes: {},
      country: countryIn(cells, countries) ?? plan.country,
      tags: [],
      cleared: [],
      consent: {},
    }
    for (const { index, target, values } of columns) {
      const cell = cells[index] ?? ''
      take(row, { index, target }, values?.get(unguarded(cell).trim()) ?? cell)
    }
    for (const { target, value } of defaults) {
      if (isWithout(row, target)) take(row, { target }, value)
    }
    const person = readValid(row)
    return isRefusal(person) ? person : withConsent(row, person)
  }
}

function valuesOf({ values, columns }: Plan, index: number): Map<string, string> | undefined {
  const column = values && columns[index]
  const own = column !== undefined && Object.hasOwn(values ?? {}, column) && values?.[column]
  return own ? new Map(Object.entries(own)) : undefined
}

/** The columns that may name the country of a person. */
function countryColumns({ columns = [], targets }: Partial<Plan>): number[] {
  return columns.flatMap((column, index) => {
    const isOfCountry = targets?.[index]?.startsWith('attributes.country') === true
    return isOfCountry || isCountryName(plainName(column)) ? [index] : []
  })
}

function countryIn(cells: readonly string[], columns: readonly number[]): string | undefined {
  for (const index of columns) {
    const country = countryOf(cells[index] ?? '')
    if (country !== undefined) return country
  }
  return undefined
}

/** Whether a row has no value of its own for a target that has a default. */
function isWithout({ input, attributes, consent }: Gathered, target: Target): boolean {
  if (target.kind === 'attribute') return (attributes[target.key] ?? null) === null
  if (target.kind === 'language') return input.language === undefined
  return target.kind === 'evidence' && consent[target.channel]?.evidence[target.part] === undefined
}

/** Takes what a cell holds, or leaves the cell out. A default has no column: it was checked before. */
function take(
  row: Gathered,
  { index, target }: { index?: number; target: Target },
  text: string,
): void {
  const { input, plan } = row
  const refuseCell = (refusal: Refusal) => {
    if (index !== undefined) leaveOut(row, { index, target }, refusal)
  }
  const cell = unguarded(text)
  if (target.kind === 'attribute') {
    const value = readAttributeCell(text, target)
    // If two columns have one key, such as one of each type, the cell that is not blank counts.
    if (isRefusal(value)) refuseCell(value)
    else if (value !== undefined) row.attributes[target.key] = value
    else if (plan.blanksErase && !Object.hasOwn(row.attributes, target.key)) {
      row.attributes[target.key] = null
    }
    return
  }
  if (target.kind === 'consent' || target.kind === 'evidence') {
    const { channel } = target
    row.consent[channel] ??= { status: undefined, evidence: {} }
    const cells = row.consent[channel]
    if (target.kind === 'consent') cells.status = cell
    else if (cell !== '') cells.evidence[target.part] = cell
    return
  }
  if (isBlank(cell)) {
    const field = textFields.find((textField) => textField === target.kind)
    if (plan.blanksErase && field && field !== 'external_id') row.cleared.push(field)
    return
  }
  switch (target.kind) {
    case 'attributes': {
      const attributes = readAttributesCell(cell)
      if (isRefusal(attributes)) refuseCell(attributes)
      else for (const [key, value] of attributes) row.attributes[key] = value
      return
    }
    case 'tags':
      row.tags.push(...splitTags(cell))
      return
    case 'phone':
      input.phone = phoneOf(row, cell)
      return
    case 'external_id':
      input.external_id = cell.trim()
      return
    default:
      input[target.kind] = cell
      return
  }
}

/** A number with its country code, where the file or the row says which country it is of. */
function phoneOf({ plan, country }: Gathered, cell: string): string {
  if (isWithoutPlus(plan) && /^[1-9]\d{7,14}$/.test(cell)) return `+${cell}`
  if (country === undefined || cell.length > longestNumber) return cell
  const number = normalisePhone(cell, country)
  return isRefusal(number) ? cell : number
}

/** Longer cells are no phone numbers. */
const longestNumber = 40

/** Brevo exports numbers without their plus, and a spreadsheet takes it away from our own export. */
const isWithoutPlus = ({ known: source }: Plan) => source === 'brevo' || source === 'crier'

/** The person, without the values that are wrong; or the refusal of what says who it is. */
function readValid(row: Gathered): Person | Refusal {
  const { input, plan } = row
  const tags = [...plan.tags, ...row.tags]
  if (tags.length > 0) input.tags = withoutDoubles(tags)
  leaveOutSurplus(row)
  if (Object.keys(row.attributes).length > 0) input.attributes = row.attributes
  let ofAddress: Refusal | undefined
  for (;;) {
    const person = fault(input) ?? readPerson(input)
    if (!isRefusal(person)) return person
    const [part = ''] = (person.details.field ?? '').split(/[.[]/, 1)
    if (part === 'email' || part === 'phone') ofAddress ??= person
    if (!takeAway(row, part, person)) return ofAddress ?? person
  }
}

/** The person with what they agreed to, and with what was left out of the row. */
function withConsent(row: Gathered, person: Person): ReadRow {
  const { plan } = row
  const read: ReadRow = {
    person: row.cleared.length > 0 ? { ...person, clear: row.cleared } : person,
  }
  for (const channel of consentSubjects) {
    const agreement = plan.consent[channel]
    const cells = row.consent[channel] ?? (agreement && { status: undefined, evidence: {} })
    if (!cells || !isReachable(person, channel)) continue
    const consent = readConsent(cells, { agreement, fileName: plan.fileName })
    if (consent === 'unknown_status') {
      leaveOutOf(row, (target) => isConsent(target, channel), unknownStatus(channel))
    } else if (consent === 'without_evidence') {
      read.withoutEvidence = [...(read.withoutEvidence ?? []), channel]
    } else if (consent !== 'none') {
      const refusal = fault({ ...address(person), consent: { [channel]: schemaPart(consent) } })
      if (refusal) leaveOutOf(row, (target) => isEvidence(target, channel), refusal)
      // Consent without its evidence is none, but whoever left has left.
      const { status } = consent
      if (refusal && status !== 'unsubscribed') continue
      const accepted = refusal ? { status, source: fileSource(plan.fileName) } : consent
      read.person.consent = { ...read.person.consent, [channel]: accepted }
    }
  }
  return row.leftOut.length > 0 ? { ...read, leftOut: row.leftOut } : read
}

function leaveOut({ leftOut }: Gathered, { index, target }: Column, refusal: Refusal): void {
  const field =
    target.kind === 'attribute'
      ? attributeTarget(target.key)
      : 'channel' in target
        ? `consent.${target.channel}`
        : target.kind
  leftOut.push({ column: index, field, ...wordsOf(refusal) })
}

/** Leaves out the first column with such a target. A blank cell of it has nothing that is lost. */
function leaveOutOf(row: Gathered, isOf: (target: Target) => boolean, refusal: Refusal): void {
  const column = row.columns.find(({ target }) => isOf(target))
  if (column) leaveOut(row, column, refusal)
}

const isConsent = (target: Target, channel: ConsentSubject) =>
  target.kind === 'consent' && target.channel === channel
const isEvidence = (target: Target, channel: ConsentSubject) =>
  target.kind === 'evidence' && target.channel === channel

/** Takes a wrong value away. False if the person cannot do without it. */
function takeAway(row: Gathered, part: string, refusal: Refusal): boolean {
  const { input, plan } = row
  switch (part) {
    case 'email':
    case 'phone':
      delete input[part]
      leaveOutOf(row, ({ kind }) => kind === part, refusal)
      return (input.email ?? input.phone ?? input.external_id) !== undefined
    case 'external_id':
      delete input.external_id
      leaveOutOf(row, ({ kind }) => kind === part, refusal)
      return (input.email ?? input.phone) !== undefined
    case 'name':
    case 'first_name':
    case 'last_name':
    case 'language':
      delete input[part]
      leaveOutOf(row, ({ kind }) => kind === part, refusal)
      return true
    case 'tags':
      // Those for everybody in the file were checked when they were chosen.
      if (plan.tags.length > 0) input.tags = withoutDoubles(plan.tags)
      else delete input.tags
      leaveOutOf(row, ({ kind }) => kind === 'tags', refusal)
      return row.tags.splice(0).length > 0
    case 'attributes':
      return takeAwayAttributes(row)
    default:
      return false
  }
}

/** Each attribute is checked by itself, so that many wrong ones take no more time than as many right ones. */
function takeAwayAttributes(row: Gathered): boolean {
  let isAnyWrong = false
  for (const [key, value] of Object.entries(row.attributes)) {
    const alone = { email: 'a@example.com', attributes: { [key]: value } }
    const refusal = fault(alone) ?? readPerson(alone)
    if (!isRefusal(refusal)) continue
    isAnyWrong = true
    leaveOutAttribute(row, key, refusal)
  }
  return isAnyWrong
}

function leaveOutAttribute(row: Gathered, key: string, refusal: Refusal): void {
  delete row.attributes[key]
  const isOwn = (target: Target) => target.kind === 'attribute' && target.key === key
  const hasOwn = row.columns.some(({ target }) => isOwn(target))
  leaveOutOf(row, hasOwn ? isOwn : ({ kind }) => kind === 'attributes', refusal)
}

/** Keeps the first attributes of a row that has more than a contact takes. */
function leaveOutSurplus(row: Gathered): void {
  const keys = Object.keys(row.attributes)
  if (keys.length <= contactLimits.attributes) return
  const refusal = tooManyAttributes(keys.length)
  for (const key of keys.slice(contactLimits.attributes)) leaveOutAttribute(row, key, refusal)
}

/** So many texts are compared with each other faster than a set is made of them. */
const few = 16

function withoutDoubles(all: readonly string[]): string[] {
  if (all.length > few) return [...new Set(all)]
  return all.filter((text, i) => all.indexOf(text) === i)
}

/** Nobody can consent to messages at an address that the row does not have. */
function isReachable({ email, phone }: Person, channel: ConsentSubject): boolean {
  if (channel === 'email') return email !== undefined
  return channel === 'tracking' || phone !== undefined
}

const address = ({ email, phone }: Person) => ({
  ...(email !== undefined && { email }),
  ...(phone !== undefined && { phone }),
})

function schemaPart({ status, source, text }: { status: string; source: string; text?: string }) {
  return { status, source, ...(text !== undefined && { text }) }
}

function tooManyCells(count: number, columns: number): Refusal {
  const text = `The row has ${count} cells, and the file ${columns} columns. A cell with the separator in it needs quotes.`
  return refuse('invalid_request', text, { field: 'row', data: { reason: 'too_many_cells' } })
}

function tooManyAttributes(count: number): Refusal {
  const maximum = contactLimits.attributes
  const text = `The row has ${count} attributes; a contact can have at most ${maximum}. Leave columns out: map them to null.`
  return refuse('invalid_request', text, {
    field: 'attributes',
    data: { reason: 'too_many_attributes', limit: maximum },
  })
}

function unknownStatus(channel: ConsentSubject): Refusal {
  const field = `consent.${channel}`
  const text = `${field} says none of subscribed, unsubscribed and none.`
  return refuse('invalid_request', text, { field, data: { reason: 'unknown_status' } })
}

type Status = 'subscribed' | 'unsubscribed' | 'none' | 'as_agreed'

/**
 * Status words of the known exports in the languages that they come in, as `plainName` reduces them.
 * Words of a list that may be written to say nothing of a consent: the agreement for the file decides.
 */
const statusWords: Readonly<Record<Status, string>> = {
  subscribed:
    'subscribed optedin confirmed yes true 1 abonniert angemeldet bestatigt ja abonne inscrit confirme oui suscrito confirmado si iscritto confermato inscrito sim ingeschreven tak',
  unsubscribed:
    'unsubscribed optedout no false 0 cleaned bounced hardbounced hardbounce disabled blocklisted blacklisted suppressed complained abused spam inactive deactivated archived deleted abgemeldet ausgetragen bereinigt nein inaktiv deaktiviert gesperrt blockiert gebounct gebounced unzustellbar geloscht archiviert desabonne desinscrit nettoye non bloque inactif supprime desuscrito dadodebaja limpiado inactivo disiscritto ripulito descadastrado nao uitgeschreven nee nie',
  none: 'none never neversubscribed nonsubscribed notsubscribed transactional unconfirmed pending nichtabonniert nieabonniert nichtbestatigt unbestatigt ausstehend nonabonne nonconfirme enattente nosuscrito pendiente noniscritto inattesa naoinscrito pendente',
  as_agreed:
    'enabled active activated new aktiv aktiviert neu actif active nouveau activo attivo ativo actief aktywny',
}

const statuses = new Map(
  Object.entries(statusWords).flatMap(([status, words]) =>
    words.split(' ').map((word) => [word, status as Status] as const),
  ),
)

/** Undefined for a word that says nothing known; a blank cell says that nobody was asked. */
function statusOf(cell: string): Status | undefined {
  const text = cell.trim()
  return text === '' ? 'none' : statuses.get(plainName(text))
}

/** Parts of words that are said of lists alone; “confirmed” may be said of an order. */
const wordsOfLists = ['subscri', 'abonn', 'suscri', 'iscritt', 'optedin', 'optedout', 'bereinigt']

/** Whether each of these texts is a known status, and one of them can be nothing else. */
export function areStatuses(texts: readonly string[]): boolean {
  const words = texts.map(plainName)
  const isOfLists = (word: string) => wordsOfLists.some((part) => word.includes(part))
  return words.every((word) => statuses.has(word)) && words.some(isOfLists)
}

interface ConsentCells {
  /** Undefined if no column holds the status. */
  status: string | undefined
  evidence: Partial<Record<EvidencePart, string>>
}

type ReadConsent = ConsentGiven | 'none' | 'without_evidence' | 'unknown_status'

/** What the ledger names as the source where the row names none. */
const fileSource = (fileName: string): string => `the file ${fileName}`

const saysNo = new Set(['', 'no', 'false', '0', 'nein', 'non', 'não', 'nee', 'nie'])
const longestAgent = 500
/** The length of a moment as an export writes it. */
const longestTime = 100

/** Reads a person's consent to one channel, and its evidence, from the cells of a row. */
function readConsent(
  { status, evidence }: ConsentCells,
  { agreement, fileName }: { agreement: Agreement | undefined; fileName: string },
): ReadConsent {
  const state = status === undefined ? 'as_agreed' : statusOf(status)
  const hasLeft = !saysNo.has((evidence.left_at?.trim() ?? '').toLowerCase())
  if (!state && !hasLeft) return 'unknown_status'
  if (hasLeft || state === 'unsubscribed') {
    const source = sourceOf(evidence, fileSource(fileName))
    return withDetails({ status: 'unsubscribed', source }, evidence, evidence.text)
  }
  if (state === 'none') return 'none'
  const own = evidence.source?.trim() ?? ''
  if (!own && !agreement) return state === 'subscribed' ? 'without_evidence' : 'none'
  const source = sourceOf(evidence, agreement?.source ?? '')
  const text = evidence.text ?? (own ? undefined : agreement?.text)
  return withDetails({ status: 'subscribed', source }, evidence, text)
}

function sourceOf(evidence: ConsentCells['evidence'], otherwise: string): string {
  let times = ''
  for (const { part, verb } of timesTold) {
    const time = evidence[part]?.trim()
    if (time) times += `${times && ', '}${verb} ${time.slice(0, longestTime)}`
  }
  const source = evidence.source?.trim() ? evidence.source : otherwise
  if (times === '') return source
  const ending = ` (${singleLine(times)})`.slice(0, contactLimits.consentSourceLength)
  return source.slice(0, contactLimits.consentSourceLength - ending.length) + ending
}

const timesTold = [
  { part: 'at', verb: 'agreed' },
  { part: 'confirmed_at', verb: 'confirmed' },
  { part: 'left_at', verb: 'left' },
] as const

/** Adds the other evidence to what the row says. */
function withDetails(
  consent: ConsentGiven,
  { topics, agent, ...evidence }: ConsentCells['evidence'],
  text: string | undefined,
): ConsentGiven {
  if (text) consent.text = text
  const ip = ipOf(evidence.confirmed_ip) ?? ipOf(evidence.ip)
  if (ip) consent.ip = ip
  const keys = topics === undefined ? [] : splitTags(topics)
  if (keys.length > 0) consent.topics = keys
  if (agent) consent.agent = agent.slice(0, longestAgent)
  return consent
}

function ipOf(cell: string | undefined): string | undefined {
  const text = cell?.trim()
  return text && isIP(text) ? text : undefined
}
