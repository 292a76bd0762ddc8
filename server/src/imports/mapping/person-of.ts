/** Turns a row of a file into a person, or into a refusal that says what is wrong with it. */

import {
  type AttributeValue,
  type ConsentSubject,
  consentSubjects,
  contactLimits,
  type Person,
} from '../../contacts/model/contact.ts'
import { type PersonInput, personSchema, readPerson } from '../../contacts/model/person.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { type ConsentCells, readConsent } from './consent-cells.ts'
import { unguarded } from './formula-guard.ts'
import type { Plan } from './plan.ts'
import { splitTags } from './tag-list.ts'
import { readTarget, type Target } from './target.ts'
import { isBlank, readAttributeCell, readAttributesCell } from './value-cells.ts'

export interface ReadRow {
  person: Person
  /** Consents that the row calls `subscribed`, although no source or text is given for them. */
  withoutEvidence?: ConsentSubject[]
}

/** The values collected from one row. */
interface Gathered {
  plan: Plan
  input: PersonInput
  /** No target and no key of a JSON cell is named `__proto__`. */
  attributes: Record<string, AttributeValue | null>
  tags: string[]
  firstName?: string
  lastName?: string
  cleared: ('name' | 'language')[]
  consent: Partial<Record<ConsentSubject, ConsentCells>>
}

const fault = schemaCheck(personSchema, 'the row')

/** `plan.targets` has been checked: each entry is a valid target or null. */
export function rowReader(plan: Plan): (cells: readonly string[]) => ReadRow | Refusal {
  const { length } = plan.targets
  const columns = plan.targets.flatMap((text, place) => {
    const target = text === null ? undefined : readTarget(text)
    return target ? [{ place, target }] : []
  })
  return (cells) => {
    for (let place = length; place < cells.length; place++) {
      if (!isBlank(cells[place] ?? '')) return tooManyCells(cells.length, length)
    }
    const row: Gathered = {
      plan,
      input: {},
      attributes: {},
      tags: [],
      cleared: [],
      consent: {},
    }
    for (const { place, target } of columns) {
      const wrong = take(row, target, cells[place] ?? '')
      if (wrong) return wrong
    }
    return finish(row)
  }
}

function take(row: Gathered, target: Target, written: string): Refusal | undefined {
  const { input, plan } = row
  const cell = unguarded(written)
  if (target.kind === 'attribute') {
    const value = readAttributeCell(written, target)
    if (isRefusal(value)) return value
    // If two columns have one key, such as one of each type, the cell that is not blank counts.
    if (value !== undefined) row.attributes[target.key] = value
    else if (plan.blanksErase && !Object.hasOwn(row.attributes, target.key)) {
      row.attributes[target.key] = null
    }
    return undefined
  }
  if (target.kind === 'consent' || target.kind === 'evidence') {
    const { channel } = target
    row.consent[channel] ??= { status: undefined, evidence: {} }
    const told = row.consent[channel]
    if (target.kind === 'consent') told.status = cell
    else if (cell !== '') told.evidence[target.part] = cell
    return undefined
  }
  if (isBlank(cell)) {
    if (plan.blanksErase && (target.kind === 'name' || target.kind === 'language')) {
      row.cleared.push(target.kind)
    }
    return undefined
  }
  switch (target.kind) {
    case 'attributes': {
      const opened = readAttributesCell(cell)
      if (isRefusal(opened)) return opened
      for (const [key, value] of opened) row.attributes[key] = value
      return undefined
    }
    case 'tags':
      row.tags.push(...splitTags(cell))
      return undefined
    case 'first_name':
      row.firstName = cell
      return undefined
    case 'last_name':
      row.lastName = cell
      return undefined
    case 'phone':
      input.phone = isWithoutPlus(plan) && /^[1-9]\d{7,14}$/.test(cell) ? `+${cell}` : cell
      return undefined
    default:
      input[target.kind] = cell
      return undefined
  }
}

/** Brevo exports numbers without their plus, and a spreadsheet takes it away from our own export. */
const isWithoutPlus = ({ known }: Plan) => known === 'brevo' || known === 'crier'

function finish(row: Gathered): ReadRow | Refusal {
  const { input, plan } = row
  const { firstName, lastName } = row
  const whole = firstName && lastName ? `${firstName} ${lastName}` : (firstName ?? lastName)
  if (input.name === undefined && whole) input.name = whole
  const tags = [...plan.tags, ...row.tags]
  if (tags.length > 0) input.tags = withoutDoubles(tags)
  const { length: attributes } = Object.keys(row.attributes)
  if (attributes > contactLimits.attributes) return tooManyAttributes(attributes)
  if (attributes > 0) input.attributes = row.attributes
  const person = fault(input) ?? readPerson(input)
  if (isRefusal(person)) return person
  const read: ReadRow = {
    person: row.cleared.length > 0 ? { ...person, clear: row.cleared } : person,
  }
  for (const channel of consentSubjects) {
    const agreement = plan.consent[channel]
    const cells = row.consent[channel] ?? (agreement && { status: undefined, evidence: {} })
    if (!cells || !isReachable(person, channel)) continue
    const consent = readConsent(cells, { agreement, fileName: plan.fileName })
    if (consent === 'unknown_status') return unknownStatus(channel)
    if (consent === 'without_evidence') {
      read.withoutEvidence = [...(read.withoutEvidence ?? []), channel]
    } else if (consent !== 'none') {
      const wrong = fault({ ...address(person), consent: { [channel]: schemaPart(consent) } })
      if (wrong) return wrong
      read.person.consent = { ...read.person.consent, [channel]: consent }
    }
  }
  return read
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
  return refuse('invalid_request', text, { field: 'row' })
}

function tooManyAttributes(count: number): Refusal {
  const most = contactLimits.attributes
  const text = `The row has ${count} attributes, and a contact takes ${most} at most. Leave columns out: map them to null.`
  return refuse('invalid_request', text, { field: 'attributes' })
}

function unknownStatus(channel: ConsentSubject): Refusal {
  const field = `consent.${channel}`
  const text = `${field} says none of subscribed, unsubscribed and none.`
  return refuse('invalid_request', text, { field })
}
