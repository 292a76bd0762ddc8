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
  input: PersonInput
  attributes: Map<string, AttributeValue | null>
  tags: string[]
  firstName?: string
  lastName?: string
  cleared: ('name' | 'language')[]
  consent: Partial<Record<ConsentSubject, ConsentCells>>
}

const fault = schemaCheck(personSchema, 'the row')

/** `plan.targets` has been checked: each entry is a valid target or null. */
export function rowReader(plan: Plan): (cells: readonly string[]) => ReadRow | Refusal {
  const targets = plan.targets.map((text) => (text === null ? undefined : readTarget(text)))
  return (cells) => {
    const over = cells.findIndex((cell, i) => i >= targets.length && !isBlank(cell))
    if (over !== -1) {
      const text = `The row has ${cells.length} cells, and the file ${targets.length} columns. A cell with the separator in it needs quotes.`
      return refuse('invalid_request', text, { field: 'row' })
    }
    const row: Gathered = { input: {}, attributes: new Map(), tags: [], cleared: [], consent: {} }
    for (const [i, target] of targets.entries()) {
      const wrong = target && take(row, target, { cell: cells[i] ?? '', plan })
      if (wrong) return wrong
    }
    return finish(row, plan)
  }
}

interface Cell {
  cell: string
  plan: Plan
}

function take(row: Gathered, target: Target, { cell: written, plan }: Cell): Refusal | undefined {
  const { input } = row
  const cell = unguarded(written)
  if (target.kind === 'attribute') {
    const value = readAttributeCell(written, target)
    if (isRefusal(value)) return value
    // If two columns have one key, such as one of each type, the cell that is not blank counts.
    if (value !== undefined) row.attributes.set(target.key, value)
    else if (plan.blanksErase && !row.attributes.has(target.key)) {
      row.attributes.set(target.key, null)
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
      for (const [key, value] of opened) row.attributes.set(key, value)
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
      input.phone = plan.known === 'brevo' && /^[1-9]\d{7,14}$/.test(cell) ? `+${cell}` : cell
      return undefined
    default:
      input[target.kind] = cell
      return undefined
  }
}

function finish(row: Gathered, plan: Plan): ReadRow | Refusal {
  const { input } = row
  const whole = [row.firstName, row.lastName].filter((text) => text !== undefined).join(' ')
  if (input.name === undefined && whole !== '') input.name = whole
  const tags = [...plan.tags, ...row.tags]
  if (tags.length > 0) input.tags = [...new Set(tags)]
  if (row.attributes.size > contactLimits.attributes) return tooManyAttributes(row.attributes.size)
  if (row.attributes.size > 0) input.attributes = Object.fromEntries(row.attributes)
  const person = fault(input) ?? readPerson(input)
  if (isRefusal(person)) return person
  const read: ReadRow = {
    person: row.cleared.length > 0 ? { ...person, clear: row.cleared } : person,
  }
  for (const channel of consentSubjects) {
    // Nobody can consent to messages at an address that the row does not have.
    const has = {
      email: person.email !== undefined,
      sms: person.phone !== undefined,
      tracking: true,
    }[channel]
    const agreement = plan.consent[channel]
    const cells = row.consent[channel] ?? (agreement && { status: undefined, evidence: {} })
    if (!cells || !has) continue
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

const address = ({ email, phone }: Person) => ({
  ...(email !== undefined && { email }),
  ...(phone !== undefined && { phone }),
})

function schemaPart({ status, source, text }: { status: string; source: string; text?: string }) {
  return { status, source, ...(text !== undefined && { text }) }
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
