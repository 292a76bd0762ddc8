/** What saving a set of people comes to, worked out before anything is written. */
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { ContactToSave, ContactValues, SavedContact } from '../model/contact.ts'
import { type Merged, merge } from './apply-changes.ts'
import { createDirectory, type Entry, type StoredContact } from './directory.ts'

/** A person, and the place of its outcome among those asked for. */
export interface Asked {
  item: ContactToSave
  place: number
}

/** What one person does to one contact. */
export interface Change extends Merged {
  entry: Entry
  kind: SavedContact['change']
}

export interface Step extends Asked {
  result: Change | Refusal
  /** Contacts that had a part in the result: where one turns out otherwise, so may this. */
  seen: Entry[]
}

export interface Plan {
  steps: Step[]
  /** New contacts and the person that brought each, in order. */
  added: Map<Entry, ContactToSave>
  /** Stored contacts whose values change. */
  altered: Set<Entry>
}

/** Takes in one person after the other, each meeting what those before it have left. */
export function planOf(stored: readonly StoredContact[], asked: readonly Asked[]): Plan {
  const directory = createDirectory(stored)
  const plan: Plan = { steps: [], added: new Map(), altered: new Set() }
  for (const { item, place } of asked) {
    const { entry, seen } = directory.find(item)
    const result = isRefusal(entry) ? entry : changeOf(entry, item)
    plan.steps.push({ item, place, result, seen: isRefusal(result) ? seen : [result.entry] })
    if (isRefusal(result) || result.kind === 'unchanged') continue
    directory.keep(result.entry, result.values)
    if (result.entry.stored) plan.altered.add(result.entry)
    else if (result.kind === 'created') plan.added.set(result.entry, item)
  }
  return plan
}

function changeOf(entry: Entry, item: ContactToSave): Change | Refusal {
  const merged = merge(entry.values, item, item.source)
  if (isRefusal(merged)) return merged
  return { ...merged, entry, kind: kindOf(entry, merged) }
}

function kindOf({ stored, values }: Entry, { changed }: Merged): Change['kind'] {
  if (!stored && isBlank(values)) return 'created'
  return changed.length > 0 ? 'updated' : 'unchanged'
}

const isBlank = ({ email, phone }: ContactValues) => email === null && phone === null

/** Entries that could not be written: why for good, or `again`. */
export type Lost = ReadonlyMap<Entry, Refusal | 'again'>

/** What a step came to once the plan was written as far as it could be. */
export function resultOf({ result, seen }: Step, lost: Lost): Change | Refusal | 'again' {
  const missing = seen.find((entry) => lost.has(entry))
  if (!missing) return result
  // One that only looked at a contact which is not there now must look again.
  return isRefusal(result) ? 'again' : (lost.get(missing) ?? 'again')
}
