/** Finds names in a filter that no contact has, with the spellings that exist. */
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { nearest } from '../../lib/text/nearest.ts'
import { fieldLimits } from '../fields/count-fields.ts'
import { listCommonValues, listEventNames } from '../fields/fields.ts'
import {
  countAttributes,
  countTags,
  findUsed,
  findUsedValues,
  type NameCount,
  type TextValue,
} from '../fields/spelling-queries.ts'
import {
  attributeField,
  attributeKey,
  type Condition,
  type Filter,
  isHappening,
} from '../filters/filter.ts'
import { type PlacedCondition, splitFilter } from './split-filter.ts'

/** How many names or values are proposed for one that nobody has. */
const proposed = 3
/** The most values that are looked up, because each is compared with thousands of contacts. */
const valuesLookedUp = 10
const commonValues = 50

export interface Spelling {
  /** The path of the value. */
  path: string
  fix: string
  /** How many of the examined contacts have it. */
  contacts: number
}

type Used = Awaited<ReturnType<typeof findUsed>>[number]

export interface UnknownNames {
  warnings: string[]
  /** Values were typed by strangers, so they are shown in `untrusted`. */
  spellings: Spelling[]
}

export async function unknownNamesIn(
  db: Db,
  businessId: Id<'business'>,
  filter: Filter,
): Promise<UnknownNames> {
  const { conditions } = splitFilter(filter)
  const keys = [...new Set(conditions.flatMap(({ condition }) => keyOf(condition) ?? []))]
  const tags = [...new Set(conditions.flatMap(({ condition }) => tagOf(condition) ?? []))]
  const events = [...new Set(conditions.flatMap(({ condition }) => ownEventOf(condition) ?? []))]
  const [used, usedEvents]: [Used[], string[]] = await Promise.all([
    keys.length + tags.length > 0 ? findUsed(db, businessId, { keys, tags }) : [],
    events.length > 0 ? listEventNames(db, businessId, fieldLimits.namesCompared) : [],
  ])
  const usedKeys = new Set(used.map(({ key }) => key))
  const usedTags = new Set(used.map(({ tag }) => tag))
  const newKeys = keys.filter((key) => !usedKeys.has(key))
  const newTags = tags.filter((tag) => !usedTags.has(tag))
  const [attributes, everyTag, values] = await Promise.all([
    newKeys.length > 0 ? countAttributes(db, businessId) : [],
    newTags.length > 0 ? countTags(db, businessId) : [],
    unknownValues(
      db,
      businessId,
      conditions.filter(({ condition }) => usedKeys.has(keyOf(condition) ?? null)),
    ),
  ])
  return {
    warnings: [
      ...newKeys.map(
        (key) =>
          `No contact has ${attributeField(key)}.${meantBy(key, attributes, attributeField)}`,
      ),
      ...newTags.map((tag) => {
        return `No contact has the tag ${JSON.stringify(tag)}.${meantBy(tag, everyTag)}`
      }),
      ...events
        .filter((event) => !usedEvents.includes(event))
        .map((event) => {
          const likely = nearest(event, usedEvents)
          const meant = likely === undefined ? '' : ` Spelled like it: ${likely}.`
          return `contact.track never told of an event ${event}.${meant}`
        }),
      ...values.warnings,
    ],
    spellings: values.spellings,
  }
}

const keyOf = (condition: Condition) =>
  'field' in condition ? attributeKey(condition.field) : undefined

const tagOf = (condition: Condition) => ('tag' in condition ? condition.tag : undefined)

function ownEventOf(condition: Condition): string | undefined {
  const event =
    'did' in condition ? condition.did : 'did_not' in condition ? condition.did_not : undefined
  return event === undefined || isHappening(event) ? undefined : event
}

function meantBy(
  name: string,
  candidates: readonly NameCount[],
  format: (name: string) => string = (text) => text,
): string {
  const nearest = nearestOf(name, candidates)
  if (nearest.length === 0) return ''
  const suggestions = nearest
    .map((count) => `${format(count.name)} (${contactsOf(count.contacts)})`)
    .join(', ')
  return ` Spelled like it: ${suggestions}.`
}

const contactsOf = (count: number) => (count === 1 ? '1 contact' : `${count} contacts`)

function nearestOf<Known extends NameCount>(name: string, candidates: readonly Known[]): Known[] {
  const proposals: Known[] = []
  for (let remaining = [...candidates]; proposals.length < proposed; ) {
    const next = nearest(
      name,
      remaining.map((entry) => entry.name),
    )
    const match = remaining.find((candidate) => candidate.name === next)
    if (!match) break
    proposals.push(match)
    remaining = remaining.filter((candidate) => candidate !== match)
  }
  return proposals
}

interface AskedValue extends TextValue {
  path: string
}

/** `is` and `in` on attributes are exact: a value in another case finds nobody. */
async function unknownValues(
  db: Db,
  businessId: Id<'business'>,
  conditions: readonly PlacedCondition[],
): Promise<UnknownNames> {
  const values = conditions.flatMap(valuesAsked).slice(0, valuesLookedUp)
  if (values.length === 0) return { warnings: [], spellings: [] }
  const keys = [...new Set(values.map(({ key }) => key))]
  const [used, common] = await Promise.all([
    findUsedValues(db, businessId, values),
    listCommonValues(db, businessId, { keys, values: commonValues }),
  ])
  const unknown = values.filter(
    ({ key, value }) => !used.some((entry) => entry.key === key && entry.value === value),
  )
  const read = fieldLimits.contactsRead.toLocaleString('en')
  return {
    warnings: unknown.map(({ path }) => `${path}: none of the newest ${read} contacts has it.`),
    spellings: unknown.flatMap(({ key, value, path }) => {
      const candidates = common.filter((entry) => entry.key === key)
      const [best] = nearestOf(
        value,
        candidates.map((entry) => ({ name: entry.value, contacts: entry.contacts })),
      )
      return best ? [{ path, fix: best.name, contacts: best.contacts }] : []
    }),
  }
}

const exactOperators = ['is', 'is_not', 'in', 'not_in']

function valuesAsked({ path, condition }: PlacedCondition): AskedValue[] {
  const key = keyOf(condition)
  if (key === undefined || !('field' in condition)) return []
  if (!exactOperators.includes(condition.op)) return []
  const { value } = condition
  if (typeof value === 'string') return [{ key, value, path: `${path}.value` }]
  if (!Array.isArray(value)) return []
  return value.flatMap((entry, n) =>
    typeof entry === 'string' ? [{ key, value: entry, path: `${path}.value[${n}]` }] : [],
  )
}
