import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { isRefusal, type Refusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac, SetWrite } from '../core/operation.ts'
import { placeLater, type UnplacedEvent } from '../events/emit.ts'
import { replanned, sql, sqlWithin } from '../lib/db/db.ts'
import { isSpread } from '../lib/db/distribution.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'
import {
  type Counter,
  computeAllowance,
  countTaken,
  type HeldCounters,
  lockStandingCounters,
  overLimit,
  release,
} from '../usage/reserve.ts'
import { askErasedPeople } from './consent/confirmation.ts'
import { optOutsOf, suppressedOf } from './consent/consent.ts'
import {
  type Channel,
  type ContactSource,
  type ContactToSave,
  channels,
  type SavedContact,
} from './contact.ts'
import { countFields, type FieldChange } from './fields/count-fields.ts'
import {
  type Change,
  type Directory,
  directoryOf,
  type Entry,
  type FailedEntries,
  type LanguagesOfBusinesses,
  markAsStored,
  type NamesOfPerson,
  needsLanguage,
  outcomeOf,
  type PersonToSave,
  type Plan,
  planSaving,
  type Step,
} from './plan-saving.ts'
import { prepareRecords, type SavedChange } from './record.ts'
import {
  type Address,
  type ContactRow,
  changeableColumns,
  lockByEmail,
  lockByExternalId,
  lockByPhone,
  newRows,
  type StoredContact,
  updateContacts,
} from './rows.ts'
import {
  type Addressed,
  findErased,
  findErasedPeople,
  markOf,
  type NewAddress,
  staysOptedOut,
  suppress,
  suppressHashed,
} from './suppressions/suppression.ts'
import { archivedTopic, findTopics, noSuchTopic } from './topics/topic.ts'

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
  businessOf: ({ businessId }) => businessId,
  keyOf: ({ businessId, email, phone, external_id }) =>
    `${businessId} ${email ?? phone ?? external_id}`,

  save: (tx, items, now, optimistic = false) => saveAll(tx, items, { now, optimistic }),
}

/** The data about people that is needed before they are saved, read for a large set at once. */
export interface ReadAhead {
  /** The refusals of people whose address belongs to an erased person. */
  erased: ReadonlyMap<ContactToSave, Refusal>
  /** Each save updates it. Undefined after a save met a contact that differed from it. */
  directory: Directory | undefined
  languages: LanguagesOfBusinesses
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
  leftToEnd: LeftToEnd
}

/**
 * Saves the same way, and reports each change to `tell`, for a caller that records the old values.
 * With `ahead` (`readAhead`) nothing waits for the database: the transaction fails later if an
 * assumption was wrong, as with optimistic saves (`core/writes/unit-of-work.ts`).
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
  leftToEnd?: LeftToEnd
}

async function saveAll(tx: Tx, items: ContactToSave[], saving: Saving): Promise<Outcomes> {
  const outcomes: Outcomes = Array.from({ length: items.length })
  const all: PersonToSave[] = items.map((item, index) => ({ item, index: index }))
  const unknown = await unknownTopicsAmong(tx, all)
  for (const [{ index }, refusal] of unknown) outcomes[index] = refusal
  for (const { item, index } of saving.ahead ? all : []) {
    const refusal = saving.ahead?.erased.get(item)
    if (refusal) outcomes[index] ??= refusal
  }
  let open = all.filter(({ index }) => outcomes[index] === undefined)
  let size = open.length
  let idle = 0
  for (let round = 1; open.length > 0; round++) {
    // Starts with the first people, so that later people see the results of earlier ones.
    const batch = open.slice(0, size)
    const willing = round > 1 ? await refuseErased(tx, batch, { outcomes, now: saving.now }) : batch
    const again = await planAndWrite(tx, willing, outcomes, saving)
    if (again === 'blocked') {
      size = Math.ceil(willing.length / 2)
      open = [...willing, ...open.slice(batch.length)]
      continue
    }
    idle = again.length === batch.length ? idle + 1 : 0
    if (idle > maxIdleRounds) throw new Error('contacts change hands without end')
    open = [...again, ...open.slice(batch.length)]
    size *= 2
  }
  return outcomes
}

/** By index; filled in as outcomes become known. */
type Outcomes = (SavedContact | Refusal)[]

/** Returns the people who are not refused. An erased person gets a mail if a form requests it. */
async function refuseErased(
  tx: Tx,
  people: PersonToSave[],
  { outcomes, now }: { outcomes: Outcomes; now: Date },
): Promise<PersonToSave[]> {
  const erased = await findErasedPeople(tx, people)
  await askErasedPeople(
    tx,
    [...erased.keys()].map(({ item }) => item),
    now,
  )
  for (const [{ index }, refusal] of erased) outcomes[index] = refusal
  return people.filter((save) => !erased.has(save))
}

/** Returns the people who must be planned again, or `blocked` where a smaller set must be tried. */
async function planAndWrite(
  tx: Tx,
  people: PersonToSave[],
  outcomes: Outcomes,
  { now, optimistic, tell, ahead, leftToEnd }: Saving,
): Promise<PersonToSave[] | 'blocked'> {
  const rows = ahead?.directory ? [] : await lockStored(tx, people)
  const directory = ahead?.directory ?? directoryOf(rows)
  const [optOuts, suppressed, languages] = await Promise.all([
    optOutsOf(tx, rows, people),
    suppressedOf(tx, rows, people),
    ahead ? ahead.languages : languagesOf(tx, people),
  ])
  const plan = planSaving(directory, people, { optOuts, suppressed, languages, now })
  const [failures, ready] = await Promise.all([
    writePlan(tx, plan, { now, optimistic, lockedCounters: ahead?.counters, leftToEnd }),
    // The records are prepared while the rows are written, because nearly always all rows succeed.
    turnOfLoop().then(() => prepareRecords(changesOf(plan.steps, nothing), now)),
  ])
  if (ahead && (failures === 'blocked' || failures.size > 0)) ahead.directory = undefined
  if (failures === 'blocked') return failures
  const again: PersonToSave[] = []
  for (const step of plan.steps) {
    const result = outcomeOf(step, failures)
    if (result === 'again') again.push(step)
    else if (isRefusal(result)) outcomes[step.index] = result
    else {
      outcomes[step.index] = savedBy(result)
      tell?.(result)
    }
  }
  const news = failures.size === 0 ? ready : prepareRecords(changesOf(plan.steps, failures), now)
  await news.write(tx, leftToEnd?.unplaced)
  const fields = fieldChangesOf(plan, failures)
  if (leftToEnd) leftToEnd.fields.push(...fields)
  else await countFields(tx, fields)
  if (ahead?.directory) markAsStored(ahead.directory, plan)
  return again
}

function fieldChangesOf({ altered, added }: Plan, failures: FailedEntries): FieldChange[] {
  return [...altered, ...added.keys()]
    .filter((entry) => !failures.has(entry))
    .map(({ businessId, stored, values }) => ({
      businessId,
      before: stored ?? null,
      after: values,
    }))
}

const nothing: FailedEntries = new Map()

function changesOf(steps: readonly Step[], failures: FailedEntries): SavedChange[] {
  const changes: SavedChange[] = []
  for (const step of steps) {
    const result = outcomeOf(step, failures)
    if (result !== 'again' && !isRefusal(result)) changes.push({ change: result, item: step.item })
  }
  return changes
}

/** Sorted, so that two sets lock shared contacts in the same order. */
async function lockStored(tx: Tx, people: readonly { item: Named }[]): Promise<StoredContact[]> {
  const emails = sortedAddresses(people, 'email')
  const phones = sortedAddresses(people, 'phone')
  const externalIds = sortedAddresses(people, 'external_id')
  const matches = await Promise.all([
    emails.length > 0 ? lockByEmail(tx, emails) : [],
    phones.length > 0 ? lockByPhone(tx, phones) : [],
    externalIds.length > 0 ? lockByExternalId(tx, externalIds) : [],
  ])
  return [...new Map(matches.flat().map((row) => [row.id, row])).values()]
}

interface Named extends Addressed {
  external_id?: string | undefined
}

function sortedAddresses(
  people: readonly { item: Named }[],
  field: 'email' | 'phone' | 'external_id',
): Address[] {
  const addresses = new Map<string, Address>()
  for (const { item } of people) {
    const { businessId, [field]: address } = item
    if (address !== undefined) addresses.set(`${businessId} ${address}`, { businessId, address })
  }
  return [...addresses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, address]) => address)
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

interface WriteContext {
  hmac: Hmac
  failures: Map<Entry, Refusal | 'again'>
  now: Date
  optimistic: boolean
}

interface WritingPlan {
  now: Date
  optimistic: boolean
  /** As for `computeAllowance`. */
  lockedCounters?: HeldCounters | undefined
  leftToEnd?: LeftToEnd | undefined
}

/**
 * Returns the entries that could not be written, or `blocked`, having written nothing, if
 * contacts of the set conflict with each other, as when two swap their numbers. With `optimistic` it
 * returns only the entries known beforehand, and the transaction fails if there are others.
 */
export async function writePlan(
  tx: Tx,
  { steps, altered, added, givenUp }: Plan,
  { now, optimistic, lockedCounters, leftToEnd }: WritingPlan,
): Promise<FailedEntries | 'blocked'> {
  const failures: WriteContext['failures'] = new Map()
  const hmac = steps[0]?.item.hmac
  if (!hmac) return failures
  const means: WriteContext = { hmac, failures, now, optimistic }
  const room =
    added.size > 0
      ? await readAllowance(tx, added, { now, lockedCounters, later: leftToEnd?.taken })
      : undefined
  const newcomers = new Map([...added.keys()].map((entry) => [entry, newAddressesOf(entry, hmac)]))
  const moved = [...altered].flatMap((entry) => newAddressesOf(entry, hmac))
  const renamed = [...altered].filter(({ stored, values }) => {
    return values.external_id !== null && values.external_id !== stored?.external_id
  })
  if (moved.length + renamed.length > 0) await findConflicts(tx, { moved, renamed }, means)
  if (failures.size > 0 && steps.length > 1) return 'blocked'
  const fresh = [...moved, ...[...newcomers.values()].flat()]
  leftToEnd?.fresh.push(...fresh)
  // Changed contacts come first: they may give up an address that a new contact gets.
  await Promise.all([
    updateChanged(tx, { entries: [...altered], moved }, means),
    room?.take(),
    room && insertAdded(tx, added, { ...means, room, newcomers }),
    suppressGivenUp(tx, givenUp, means),
    !leftToEnd &&
      fresh.length > 0 &&
      suppressHashed(tx.pipelined, fresh, 'suppression.import', now),
  ])
  return failures
}

async function suppressGivenUp(
  tx: Tx,
  givenUp: Plan['givenUp'],
  { hmac, failures, now }: WriteContext,
): Promise<void> {
  const suppressions = givenUp.flatMap(({ entry, channel, address }) => {
    const { businessId } = entry
    return failures.has(entry) ? [] : [{ businessId, channel, address, ...staysOptedOut }]
  })
  await suppress(tx.pipelined, hmac, suppressions, now)
}

/** New contacts with their addresses. */
type Newcomers = ReadonlyMap<Entry, AddressOfEntry[]>

interface ChangedEntries {
  entries: Entry[]
  moved: AddressOfEntry[]
}

async function updateChanged(
  tx: Tx,
  { entries, moved }: ChangedEntries,
  means: WriteContext,
): Promise<void> {
  const addresses = Map.groupBy(moved, ({ entry }) => entry)
  const rows = entries
    .filter((entry) => !means.failures.has(entry))
    .map((entry) => rowOf(entry, addresses.get(entry)))
  // The rows are locked and nothing conflicts, so there is no need to wait for the result.
  if (rows.length > 0) await updateContacts(tx.pipelined, rows, means.now)
}

interface AddressOfEntry extends NewAddress {
  entry: Entry
}

function newAddressesOf(entry: Entry, hmac: Hmac): AddressOfEntry[] {
  const { businessId, stored, values } = entry
  const { email, phone } = values
  const addresses: AddressOfEntry[] = []
  if (email !== null && email !== stored?.email) {
    const mark = markOf(hmac, businessId, email)
    addresses.push({ entry, businessId, address: email, channel: 'email', mark })
  }
  if (phone !== null && phone !== stored?.phone) {
    const mark = markOf(hmac, businessId, phone)
    addresses.push({ entry, businessId, address: phone, channel: 'sms', mark })
  }
  return addresses
}

/**
 * An update has no `on conflict`, unlike an insert, so conflicts are checked first, with other
 * transactions locked out.
 */
async function findConflicts(
  tx: Tx,
  { moved, renamed }: { moved: AddressOfEntry[]; renamed: Entry[] },
  { failures }: WriteContext,
): Promise<void> {
  const businesses = [...new Set([...moved, ...renamed].map(({ businessId }) => businessId))]
  await lockStandingCounters(
    tx,
    businesses.map((businessId) => ({ businessId, metric: 'contacts' })),
  )
  if (renamed.length > 0) {
    const renames = renamed.map((entry) => {
      return { entry, businessId: entry.businessId, address: entry.values.external_id ?? '' }
    })
    const others = new Set((await lockByExternalId(tx, renames)).map(externalNameOf))
    for (const { entry, ...name } of renames)
      if (others.has(nameOf(name))) failures.set(entry, 'again')
  }
  if (moved.length === 0) return
  const takenNames = new Set((await findTaken(tx, moved)).map(nameOf))
  const erased = new Set((await findErased(tx, moved)).map(({ mark }) => mark.toString('hex')))
  for (const address of moved) {
    if (takenNames.has(nameOf(address)) || erased.has(address.mark.toString('hex')))
      failures.set(address.entry, 'again')
  }
}

const nameOf = ({ businessId, address }: { businessId: string; address: string }) =>
  `${businessId} ${address}`

const externalNameOf = ({ businessId, external_id }: StoredContact) =>
  `${businessId} ${external_id}`

interface ContactAllowance {
  /** How many of the requested contacts each business may still add. */
  left: Map<Id<'business'>, number>
  take(): Promise<void>
}

async function readAllowance(
  tx: Tx,
  added: Plan['added'],
  means: { now: Date; lockedCounters: HeldCounters | undefined; later: Counter[] | undefined },
): Promise<ContactAllowance> {
  const additions = [...Map.groupBy(added.values(), ({ businessId }) => businessId)].map(
    ([businessId, items]) => ({
      businessId,
      metric: 'contacts' as const,
      amount: items.length,
      tier: items[0]?.tier ?? 'free',
      partial: true,
    }),
  )
  const { granted, take } = await computeAllowance(tx, additions, means)
  return {
    left: new Map(additions.map(({ businessId }, i) => [businessId, granted[i] ?? 0])),
    take,
  }
}

async function insertAdded(
  tx: Tx,
  added: Plan['added'],
  {
    failures,
    now,
    optimistic,
    room,
    newcomers,
  }: WriteContext & { room: ContactAllowance; newcomers: Newcomers },
): Promise<void> {
  const fitting: [Entry, ContactToSave][] = []
  for (const [entry, item] of added) {
    const remaining = room.left.get(entry.businessId) ?? 0
    room.left.set(entry.businessId, remaining - 1)
    if (remaining > 0) fitting.push([entry, item])
    else failures.set(entry, overLimit('contacts', item.tier))
  }
  if (fitting.length === 0) return
  const rows = fitting.map(([entry, { source }]) => rowOf(entry, newcomers.get(entry), source))
  // Citus would write the rows that the check counts to a file of the node first.
  if (optimistic && !isSpread(tx)) return insertOptimistic(tx, rows, now)
  const inserted = new Set(await insertContacts(tx, rows, now))
  const failed = fitting.map(([entry]) => entry).filter(({ id }) => !inserted.has(id))
  for (const entry of failed) failures.set(entry, 'again')
  await release(
    tx,
    failed.map(({ businessId }) => ({ businessId, metric: 'contacts', amount: 1 })),
    now,
  )
}

function rowOf(
  { businessId, id, values }: Entry,
  addresses: readonly AddressOfEntry[] = [],
  source?: ContactSource,
): ContactRow {
  return {
    ...values,
    businessId,
    id,
    source,
    emailMark: markOn(addresses, 'email'),
    phoneMark: markOn(addresses, 'sms'),
  }
}

function markOn(addresses: readonly AddressOfEntry[], channel: Channel): Buffer | null {
  for (const address of addresses) if (address.channel === channel) return address.mark
  return null
}

interface NamedTopic {
  key: string
  /** The path of the topic in the call. */
  field: string
  isWanted: boolean
}

/** Finds people who name a topic that does not exist, or join one that is archived. */
async function unknownTopicsAmong<Asked extends { item: ContactToSave }>(
  tx: Tx,
  people: readonly Asked[],
): Promise<ReadonlyMap<Asked, Refusal>> {
  const refused = new Map<Asked, Refusal>()
  const naming: { entry: Asked; named: readonly NamedTopic[] }[] = []
  for (const entry of people) {
    const named = namedIn(entry.item)
    if (named.length > 0) naming.push({ entry, named })
  }
  if (naming.length === 0) return refused
  const byBusiness = Map.groupBy(naming, ({ entry }) => entry.item.businessId)
  for (const [businessId, all] of byBusiness) {
    const topics = await knownTopics(
      tx,
      businessId,
      all.flatMap(({ named: topics }) => topics),
    )
    for (const { entry, named } of all) {
      const unknownTopic = named.find(({ key, isWanted }) => {
        const topic = topics.get(key)
        return !topic || (topic.isArchived && isWanted)
      })
      if (unknownTopic) refused.set(entry, refusalOf(unknownTopic, topics.has(unknownTopic.key)))
    }
  }
  return refused
}

async function knownTopics(tx: Tx, businessId: Id<'business'>, topics: readonly NamedTopic[]) {
  const keys = [...new Set(topics.map(({ key }) => key))]
  const rows = await findTopics(tx, businessId, keys)
  return new Map(rows.map((topic) => [topic.key, topic]))
}

function refusalOf({ key, field }: NamedTopic, isKnown: boolean): Refusal {
  return isKnown ? archivedTopic(key, field) : noSuchTopic(key, field)
}

const nothingNamed: readonly NamedTopic[] = []

function namedIn({ consent }: ContactToSave): readonly NamedTopic[] {
  if (!consent?.email?.topics && !consent?.sms?.topics) return nothingNamed
  return channels.flatMap((channel) => {
    const { topics = [], status } = consent[channel] ?? {}
    return topics.map((key, n) => ({
      key,
      field: `consent.${channel}.topics[${n}]`,
      isWanted: status !== 'unsubscribed',
    }))
  })
}

interface LeftToEnd {
  unplaced: UnplacedEvent[]
  fields: FieldChange[]
  /** What was taken of the tiers' allowance. */
  taken: Counter[]
  /** New addresses, which another service's list may suppress. */
  fresh: NewAddress[]
}

export const nothingLeft = (): LeftToEnd => ({ unplaced: [], fields: [], taken: [], fresh: [] })

/** Counts what all steps took and changed, and queues the jobs for their events. */
export async function endSaving(
  tx: Tx,
  { unplaced, fields, taken: usage, fresh }: LeftToEnd,
  now: Date,
): Promise<void> {
  const writes = tx.pipelined
  await countTaken(writes, usage, now)
  if (fresh.length > 0) await suppressHashed(writes, fresh, 'suppression.import', now)
  await placeLater(writes, unplaced, now)
  // Last, because all saves of the business's contacts change the same few rows.
  await countFields(tx, fields)
}

export interface FoundAhead<Asked> {
  /** The refusals of people whose address belongs to an erased person. */
  erased: ReadonlyMap<Asked, Refusal>
  directory: Directory
  languages: LanguagesOfBusinesses
}

/** Locks their contacts. The caller has locked the count of contacts, so none are created. */
export async function readAhead<Asked extends { item: Named & NamesOfPerson }>(
  tx: Tx,
  people: readonly Asked[],
): Promise<FoundAhead<Asked>> {
  const [erased, stored, languages] = await Promise.all([
    findErasedPeople(tx, people),
    lockStored(tx, people),
    languagesOf(tx, people),
  ])
  return { erased, directory: directoryOf(stored), languages }
}

const noLanguages: LanguagesOfBusinesses = new Map()

/** The languages in whose order names are put together. Most sets of people need none. */
async function languagesOf(
  tx: Tx,
  people: readonly { item: NamesOfPerson & Named }[],
): Promise<LanguagesOfBusinesses> {
  const businesses = people.flatMap(({ item }) => (needsLanguage(item) ? [item.businessId] : []))
  if (businesses.length === 0) return noLanguages
  const rows = await tx.all<{ id: Id<'business'>; language: string }>(sql`
    select id, language from businesses where id = any(${[...new Set(businesses)]}::uuid[])
  `)
  return new Map(rows.map(({ id, language }) => [id, language]))
}

/**
 * Inserts contacts and returns the ids of those inserted. A contact is left out if its address is
 * taken or erased.
 */
async function insertContacts(tx: Tx, rows: ContactRow[], now: Date): Promise<Id<'contact'>[]> {
  const inserted = await tx.all<{ id: Id<'contact'> }>(
    sqlWithin`${insertion(rows, now)} returning id`,
  )
  return inserted.map(({ id }) => id)
}

/**
 * Inserts all rows without waiting for the result. If a row cannot be inserted, the statement divides
 * by zero, and the transaction fails (`core/writes/unit-of-work.ts`).
 */
async function insertOptimistic(tx: Tx, rows: ContactRow[], now: Date): Promise<void> {
  await tx.pipelined.run(sqlWithin`
    with added as (${insertion(rows, now)} returning 1)
    select 1 / (count(*) = ${rows.length})::int as enough from added
  `)
}

/**
 * With `offset 0` each address is looked up by its key. As a join, a plan made while there were few
 * suppressions compared each new contact with every suppression of all businesses.
 */
function insertion(rows: ContactRow[], now: Date): Sql {
  return sqlWithin`
      insert into contacts (business_id, id, ${changeableColumns}, source, email_mark, phone_mark,
        created_at, updated_at)
      select business_id, id, ${changeableColumns}, source, email_mark, phone_mark, ${now}::timestamptz,
        ${now}::timestamptz
      from (${newRows(rows)}) as new
      where not exists (
        select from suppressions s where s.business_id = new.business_id and s.channel = 'email'
          and s.address_hmac = new.email_mark and s.reason = 'erased' offset 0
      ) and not exists (
        select from suppressions s where s.business_id = new.business_id and s.channel = 'sms'
          and s.address_hmac = new.phone_mark and s.reason = 'erased' offset 0
      )
      on conflict do nothing
  `
}

/**
 * Which of the addresses a contact has already; an address shows by its form whether it is an
 * email or a number.
 */
function findTaken(db: Db, addresses: Address[]): Promise<Address[]> {
  return db.all(
    replanned(sql`
      select asked.business_id as "businessId", asked.address
      from unnest(
        ${addresses.map((address) => address.businessId)}::uuid[],
        ${addresses.map((address) => address.address)}::text[]
      ) as asked (business_id, address)
      where exists (
        select from contacts
        where business_id = asked.business_id and email = asked.address collate "C"
      ) or exists (
        select from contacts
        where business_id = asked.business_id and phone = asked.address collate "C"
      )
    `),
  )
}
