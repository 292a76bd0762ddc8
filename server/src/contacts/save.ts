import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { isRefusal, type Refusal } from '../core/errors.ts'
import type { SetWrite } from '../core/operation.ts'
import type { Tx } from '../lib/db/types.ts'
import type { HeldCounters } from '../usage/reserve.ts'
import type { ContactToSave, SavedContact } from './contact.ts'
import { countFields } from './fields/count-fields.ts'
import type { FieldChange } from './fields/field-changes.ts'
import { prepareRecords, type SavedChange } from './record.ts'
import { type Address, lockByEmail, lockByPhone, type StoredContact } from './rows.ts'
import { askErasedPeople } from './saving/ask-erased.ts'
import { type Addressed, findErasedPeople } from './saving/find-erased-people.ts'
import type { LeftToEnd } from './saving/left-to-end.ts'
import { optOutsOf, suppressedOf } from './saving/opt-outs.ts'
import {
  type Change,
  type Directory,
  directoryOf,
  type FailedEntries,
  markAsStored,
  outcomeOf,
  type PersonToSave,
  type Plan,
  planSaving,
  type Step,
} from './saving/plan.ts'
import { unknownTopicsAmong } from './saving/unknown-topics.ts'
import { writePlan } from './saving/write-plan.ts'

/** The most rounds in a row in which nobody is saved. More than one is rare; many mean a bug. */
const maxIdleRounds = 10

/**
 * Saves people as contacts, whether they come from an upsert, an import or a form. Saving the same
 * person twice leaves the same row and sends no event the second time.
 *
 * The result is planned from the locked rows and then written. Where a contact turns out different
 * (another transaction took its address, or it belongs to an erased person), the people who depend
 * on it are planned again.
 */
export const saveContacts: SetWrite<ContactToSave, SavedContact> = {
  name: 'contact.save',
  keyOf: ({ businessId, email, phone }) => `${businessId} ${email ?? phone}`,

  save: (tx, items, now, optimistic = false) => saveAll(tx, items, { now, optimistic }),
}

/** The data about people that is needed before they are saved, read for a large set at once. */
export interface ReadAhead {
  /** The refusals of people whose address belongs to an erased person. */
  erased: ReadonlyMap<ContactToSave, Refusal>
  /** Each save updates it. Undefined after a save met a contact that differed from it. */
  directory: Directory | undefined
  /** The counts of contacts, which the caller has locked. */
  counters: HeldCounters
}

/** Imports only: an `api` call may bring people back, which would need their opt-outs. */
export type ImportedContact = ContactToSave & { source: 'import' }

interface ImportSaving {
  now: Date
  tell: (change: Change) => void
  ahead?: ReadAhead
  /** The caller passes it to `endSaving` after the last step. */
  left: LeftToEnd
}

/**
 * Saves the same way, and reports each change to `tell`, for a caller that records the old values.
 * With `ahead` (`readAhead`) nothing waits for the database: the transaction fails later if an
 * assumption was wrong, as with optimistic saves (`core/writes/group-commit.ts`).
 */
export function saveImported(
  tx: Tx,
  items: ImportedContact[],
  { ahead, ...saving }: ImportSaving,
): Promise<Outcomes> {
  return saveAll(tx, items, { ...saving, optimistic: ahead !== undefined, ...(ahead && { ahead }) })
}

interface Saving {
  now: Date
  optimistic: boolean
  tell?: (change: Change) => void
  ahead?: ReadAhead
  left?: LeftToEnd
}

async function saveAll(tx: Tx, items: ContactToSave[], saving: Saving): Promise<Outcomes> {
  const outcomes: Outcomes = Array.from({ length: items.length })
  const all: PersonToSave[] = items.map((item, place) => ({ item, place }))
  const unknown = await unknownTopicsAmong(tx, all)
  for (const [{ place }, refusal] of unknown) outcomes[place] = refusal
  for (const { item, place } of saving.ahead ? all : []) {
    const refusal = saving.ahead?.erased.get(item)
    if (refusal) outcomes[place] ??= refusal
  }
  let open = all.filter(({ place }) => outcomes[place] === undefined)
  let size = open.length
  let idle = 0
  for (let round = 1; open.length > 0; round++) {
    // Starts with the first people, so that later people see the results of earlier ones.
    const some = open.slice(0, size)
    const willing = round > 1 ? await refuseErased(tx, some, { outcomes, now: saving.now }) : some
    const again = await planAndWrite(tx, willing, outcomes, saving)
    if (again === 'blocked') {
      size = Math.ceil(willing.length / 2)
      open = [...willing, ...open.slice(some.length)]
      continue
    }
    idle = again.length === some.length ? idle + 1 : 0
    if (idle > maxIdleRounds) throw new Error('contacts change hands without end')
    open = [...again, ...open.slice(some.length)]
    size *= 2
  }
  return outcomes
}

/** By index; filled in as outcomes become known. */
type Outcomes = (SavedContact | Refusal)[]

/** Returns the people who are not refused. An erased person gets a mail if a form requests it. */
async function refuseErased(
  tx: Tx,
  asked: PersonToSave[],
  { outcomes, now }: { outcomes: Outcomes; now: Date },
): Promise<PersonToSave[]> {
  const erased = await findErasedPeople(tx, asked)
  await askErasedPeople(
    tx,
    [...erased.keys()].map(({ item }) => item),
    now,
  )
  for (const [{ place }, refusal] of erased) outcomes[place] = refusal
  return asked.filter((save) => !erased.has(save))
}

/** Returns the people who must be planned again, or `blocked` where a smaller set must be tried. */
async function planAndWrite(
  tx: Tx,
  asked: PersonToSave[],
  outcomes: Outcomes,
  { now, optimistic, tell, ahead, left }: Saving,
): Promise<PersonToSave[] | 'blocked'> {
  const rows = ahead?.directory ? [] : await lockStored(tx, asked)
  const directory = ahead?.directory ?? directoryOf(rows)
  const [optOuts, suppressed] = await Promise.all([
    optOutsOf(tx, rows, asked),
    suppressedOf(tx, rows, asked),
  ])
  const plan = planSaving(directory, asked, { optOuts, suppressed, now })
  const [lost, ready] = await Promise.all([
    writePlan(tx, plan, { now, optimistic, held: ahead?.counters, left }),
    // The records are prepared while the rows are written, because nearly always all rows succeed.
    turnOfLoop().then(() => prepareRecords(changesOf(plan.steps, nothing), now)),
  ])
  if (ahead && (lost === 'blocked' || lost.size > 0)) ahead.directory = undefined
  if (lost === 'blocked') return lost
  const again: PersonToSave[] = []
  for (const step of plan.steps) {
    const result = outcomeOf(step, lost)
    if (result === 'again') again.push(step)
    else if (isRefusal(result)) outcomes[step.place] = result
    else {
      outcomes[step.place] = savedBy(result)
      tell?.(result)
    }
  }
  const news = lost.size === 0 ? ready : prepareRecords(changesOf(plan.steps, lost), now)
  await news.write(tx, left?.unplaced)
  const fields = fieldChangesOf(plan, lost)
  if (left) left.fields.push(...fields)
  else await countFields(tx, fields)
  if (ahead?.directory) markAsStored(ahead.directory, plan)
  return again
}

function fieldChangesOf({ altered, added }: Plan, lost: FailedEntries): FieldChange[] {
  return [...altered, ...added.keys()]
    .filter((entry) => !lost.has(entry))
    .map(({ businessId, stored, values }) => ({
      businessId,
      before: stored ?? null,
      after: values,
    }))
}

const nothing: FailedEntries = new Map()

function changesOf(steps: readonly Step[], lost: FailedEntries): SavedChange[] {
  const changes: SavedChange[] = []
  for (const step of steps) {
    const result = outcomeOf(step, lost)
    if (result !== 'again' && !isRefusal(result)) changes.push({ change: result, item: step.item })
  }
  return changes
}

/** Sorted, so that two sets lock shared contacts in the same order. */
export async function lockStored(
  tx: Tx,
  asked: readonly { item: Addressed }[],
): Promise<StoredContact[]> {
  const emails = addressesOf(asked, 'email')
  const phones = addressesOf(asked, 'phone')
  const [byEmail, byPhone] = await Promise.all([
    emails.length > 0 ? lockByEmail(tx, emails) : [],
    phones.length > 0 ? lockByPhone(tx, phones) : [],
  ])
  return [...new Map([...byEmail, ...byPhone].map((row) => [row.id, row])).values()]
}

function addressesOf(asked: readonly { item: Addressed }[], field: 'email' | 'phone'): Address[] {
  const found = new Map<string, Address>()
  for (const { item } of asked) {
    const { businessId, [field]: address } = item
    if (address !== undefined) found.set(`${businessId} ${address}`, { businessId, address })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, address]) => address)
}

function savedBy({
  entry,
  kind,
  stayedUnsubscribed,
  stillSuppressed,
  awaitsConfirmation,
}: Change): SavedContact {
  return {
    id: entry.id,
    change: kind,
    ...(stayedUnsubscribed.length > 0 && { stayedUnsubscribed }),
    ...(stillSuppressed.length > 0 && { stillSuppressed }),
    ...(awaitsConfirmation && { awaitsConfirmation }),
  }
}
