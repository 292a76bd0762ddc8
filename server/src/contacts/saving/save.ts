import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { SetWrite } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { countFields } from '../fields/count-fields.ts'
import type { FieldChange } from '../fields/field-changes.ts'
import type { ContactToSave, SavedContact } from '../model/contact.ts'
import { type Announced, readyNews } from './announce.ts'
import { erasedAmong } from './erased.ts'
import {
  type Asked,
  type Change,
  type Lost,
  type Plan,
  planOf,
  resultOf,
  type Step,
} from './plan.ts'
import { type Address, lockByEmail, lockByPhone, type StoredContact } from './queries.ts'
import { unknownTopicsAmong } from './unknown-topics.ts'
import { writePlan } from './write-plan.ts'

/** Rounds at most in which nobody is saved. More than one is rare, many are a fault of ours. */
const mostIdleRounds = 10

/**
 * People become contacts, whoever brings them: an upsert, an import or a form. The same
 * person saved twice leaves the same row and announces nothing the second time.
 *
 * What a set comes to is worked out from the rows, locked, and then written. Where a
 * contact turns out otherwise (another transaction gave its address away, or it is an
 * erased person's), those who had to do with it go through once more.
 */
export const saveContacts: SetWrite<ContactToSave, SavedContact> = {
  name: 'contact.save',
  keyOf: ({ businessId, email, phone }) => `${businessId} ${email ?? phone}`,

  async save(tx, items, now, presuming = false) {
    const outcomes: Outcomes = Array.from({ length: items.length })
    const all: Asked[] = items.map((item, place) => ({ item, place }))
    const unknown = await unknownTopicsAmong(tx, all)
    for (const [{ place }, refusal] of unknown) outcomes[place] = refusal
    let open = all.filter((one) => !unknown.has(one))
    let size = open.length
    let idle = 0
    for (let round = 1; open.length > 0; round++) {
      // From the first on: whoever comes later finds what those before have left.
      const some = open.slice(0, size)
      const willing = round > 1 ? await refuseErased(tx, some, outcomes) : some
      const again = await saveSome(tx, willing, outcomes, { now, presuming })
      if (again === 'blocked') {
        size = Math.ceil(willing.length / 2)
        open = [...willing, ...open.slice(some.length)]
        continue
      }
      idle = again.length === some.length ? idle + 1 : 0
      if (idle > mostIdleRounds) throw new Error('contacts change hands without end')
      open = [...again, ...open.slice(some.length)]
      size *= 2
    }
    return outcomes
  },
}

/** By place; filled in as they become known. */
type Outcomes = (SavedContact | Refusal)[]

/** Gives those who are left. */
async function refuseErased(tx: Tx, asked: Asked[], outcomes: Outcomes): Promise<Asked[]> {
  const erased = await erasedAmong(tx, asked)
  for (const [{ place }, refusal] of erased) outcomes[place] = refusal
  return asked.filter((one) => !erased.has(one))
}

/** Gives those who must go through once more, or `blocked` where fewer must go at a time. */
async function saveSome(
  tx: Tx,
  asked: Asked[],
  outcomes: Outcomes,
  { now, presuming }: { now: Date; presuming: boolean },
): Promise<Asked[] | 'blocked'> {
  const plan = planOf(await stored(tx, asked), asked)
  const [lost, ready] = await Promise.all([
    writePlan(tx, plan, { now, presuming }),
    // What is to be told is made while the rows are written: nearly always all of them can be.
    turnOfLoop().then(() => readyNews(changesOf(plan.steps, nothing), now)),
  ])
  if (lost === 'blocked') return lost
  const again: Asked[] = []
  for (const step of plan.steps) {
    const result = resultOf(step, lost)
    if (result === 'again') again.push(step)
    else outcomes[step.place] = isRefusal(result) ? result : savedBy(result)
  }
  const news = lost.size === 0 ? ready : readyNews(changesOf(plan.steps, lost), now)
  await news.write(tx)
  // Last of all, since everybody who saves contacts of the business changes the same few rows.
  await countFields(tx, fieldChangesOf(plan, lost))
  return again
}

function fieldChangesOf({ altered, added }: Plan, lost: Lost): FieldChange[] {
  return [...altered, ...added.keys()]
    .filter((entry) => !lost.has(entry))
    .map(({ businessId, stored, values }) => ({
      businessId,
      before: stored ?? null,
      after: values,
    }))
}

const nothing: Lost = new Map()

function changesOf(steps: readonly Step[], lost: Lost): Announced[] {
  return steps.flatMap((step) => {
    const result = resultOf(step, lost)
    return result === 'again' || isRefusal(result) ? [] : [{ change: result, item: step.item }]
  })
}

/** Sorted, so that two sets lock what they share in one order. */
async function stored(tx: Tx, asked: readonly Asked[]): Promise<StoredContact[]> {
  const emails = addressesOf(asked, 'email')
  const phones = addressesOf(asked, 'phone')
  const [byEmail, byPhone] = await Promise.all([
    emails.length > 0 ? lockByEmail(tx, emails) : [],
    phones.length > 0 ? lockByPhone(tx, phones) : [],
  ])
  return [...new Map([...byEmail, ...byPhone].map((row) => [row.id, row])).values()]
}

function addressesOf(asked: readonly Asked[], field: 'email' | 'phone'): Address[] {
  const found = new Map<string, Address>()
  for (const { item } of asked) {
    const { businessId, [field]: address } = item
    if (address !== undefined) found.set(`${businessId} ${address}`, { businessId, address })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, address]) => address)
}

function savedBy({ entry, kind, stayedUnsubscribed }: Change): SavedContact {
  const saved = { id: entry.id, change: kind }
  return stayedUnsubscribed.length > 0 ? { ...saved, stayedUnsubscribed } : saved
}
