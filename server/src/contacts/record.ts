/**
 * What saving a contact writes in addition to its row: consent in its ledger, events and timeline
 * entries, and the job that makes the person searchable.
 */

import { formatId, type Id, newId } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import { callIdOf, type NewEvent, prepareEvents, type UnplacedEvent } from '../events/emit.ts'
import { ids, longTexts, sql, texts } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { askForConfirmation, type NewConfirmation } from './consent/confirmation.ts'
import type { ConfirmationRequest } from './consent/consent.ts'
import { countConsents, type RecordedConsents } from './consent/many-consents.ts'
import {
  type ChangeSource,
  type ConsentBasis,
  type ConsentBox,
  type ConsentStatus,
  type ConsentSubject,
  eachText,
  shownTopics,
} from './contact.ts'
import type { Change } from './plan-saving.ts'
import { insertActivity, type NewActivity, rowOf } from './timeline/activity.ts'

/** A change to a contact, and where it came from. */
export interface SavedChange {
  item: {
    businessId: Id<'business'>
    source: ChangeSource
    /** Absent if no call caused the change. */
    origin?: Origin
  }
  change: Change
}

export async function recordChanges(tx: Tx, all: SavedChange[], now: Date): Promise<void> {
  await prepareRecords(all, now).write(tx)
}

/** For consent that was given again without changing: only the ledger gets a row. */
export async function recordConsents(tx: Tx, saved: SavedChange, now: Date): Promise<void> {
  const consents = consentsOf(saved)
  if (consents.length > 0) await insertConsents(tx.pipelined, consents, now)
}

/** Records of changes, prepared before it is certain that the changes can be written. */
export interface PreparedRecords {
  /** `unplaced`: as of `PreparedEvents`. */
  write(tx: Tx, unplaced?: UnplacedEvent[]): Promise<void>
}

export function prepareRecords(all: SavedChange[], now: Date): PreparedRecords {
  const news = all.filter(({ change }) => change.kind !== 'unchanged')
  const consents = news.flatMap(consentsOf)
  const recorded = recordedByConnections(news)
  const confirmations = all.flatMap(confirmationsOf)
  const events = prepareEvents([...news.map(eventOf), ...news.flatMap(choicesOf)], now)
  // The contact itself holds its creation, so only updates are written to the timeline.
  const updates = news.filter(({ change }) => change.kind === 'updated')
  const activity = updates.map((update) => rowOf(activityOf(update)))
  const searched = news
    .filter(({ change }) => change.kind === 'created' || changesSearch(change.changed))
    .map(({ change }) => change.entry)
  return {
    async write(tx, unplaced) {
      if (consents.length > 0) await insertConsents(tx.pipelined, consents, now)
      await events.write(tx.pipelined, unplaced)
      if (activity.length > 0) await insertActivity(tx.pipelined, activity, now)
      if (searched.length > 0) await indexLater(tx.pipelined, searched, now)
      if (confirmations.length > 0) await askForConfirmation(tx, confirmations, now)
      if (recorded.length > 0) await countConsents(tx, recorded, now)
    },
  }
}

/** The people who subscribed by calls of connections and keys, by business and connection. */
function recordedByConnections(news: readonly SavedChange[]): RecordedConsents[] {
  const counts = new Map<string, RecordedConsents>()
  for (const { item, change } of news) {
    const connectionId = item.origin?.connectionId
    if (!connectionId || !change.consents.some(({ action }) => action === 'subscribed')) continue
    const { businessId } = change.entry
    const key = `${businessId} ${connectionId}`
    const people = (counts.get(key)?.people ?? 0) + 1
    counts.set(key, { businessId, connectionId, people })
  }
  return [...counts.values()]
}

function consentsOf({ item, change: { entry, consents } }: SavedChange): ConsentRow[] {
  return consents.map(({ channel, topic, action, evidence }) => ({
    businessId: entry.businessId,
    contactId: entry.id,
    id: newId('consent'),
    channel,
    topic: topic ?? null,
    action,
    source: evidence.source,
    text: evidence.text ?? null,
    ip: evidence.ip ?? null,
    agent: evidence.agent ?? null,
    connectionId: item.origin?.connectionId ?? null,
    callId: callIdOf(item.origin),
    confirmationId: evidence.confirmationId ?? null,
    basis: evidence.basis ?? null,
    saidAt: evidence.at ?? null,
    page: evidence.page ?? null,
    formVersion: evidence.formVersion ?? null,
    box: evidence.box ?? null,
  }))
}

/** Includes contacts that do not change, because a repeated request sends the mail again. */
function confirmationsOf({ item, change }: SavedChange): NewConfirmation[] {
  const { confirmation, values } = change
  if (!confirmation || values.email === null) return []
  return [confirmationOf({ item, change }, confirmation, values.email)]
}

function confirmationOf(
  { item, change: { entry, kind } }: SavedChange,
  { topics, evidence, leftAt }: ConfirmationRequest,
  address: string,
): NewConfirmation {
  return {
    businessId: entry.businessId,
    id: newId('confirmation'),
    contactId: entry.id,
    address,
    topics: topics ? [...topics] : null,
    source: evidence.source,
    text: evidence.text ?? null,
    ip: evidence.ip ?? null,
    agent: evidence.agent ?? null,
    page: evidence.page ?? null,
    formVersion: evidence.formVersion ?? null,
    box: evidence.box ?? null,
    language: evidence.language ?? null,
    formId: evidence.formId ?? null,
    unproven: evidence.unproven ?? false,
    leftAt: leftAt ?? null,
    madeContact: kind === 'created' && !evidence.keepsContact,
    connectionId: item.origin?.connectionId ?? null,
    callId: callIdOf(item.origin),
  }
}

function eventOf({ item, change }: SavedChange): NewEvent {
  const { businessId, origin, source } = item
  const { values } = change
  const data = {
    contact_id: formatId('contact', change.entry.id),
    email: values.email,
    phone: values.phone,
    ...eachText((field) => values[field]),
    attributes: values.attributes,
    tags: [...values.tags],
    consent: values.consent,
    topics: shownTopics(values.topics),
    source,
    consent_given: consentGiven(change),
    tags_added: [...change.tagsAdded],
  }
  return change.kind === 'created'
    ? { businessId, origin, type: 'contact.created', data }
    : { businessId, origin, type: 'contact.updated', data: { ...data, changed: change.changed } }
}

/** The channels and topics to which the contact is subscribed by this change. */
function consentGiven({ changed, values }: Change): string[] {
  return changed.filter((field) => {
    const [kind, channel, topic] = field.split('.')
    if (kind === 'consent') return values.consent[channel as ConsentSubject] === 'subscribed'
    const topics = kind === 'topics' && (channel === 'email' || channel === 'sms')
    return topics && values.topics[channel]?.[topic ?? ''] === 'subscribed'
  })
}

/** Which channels and topics a contact leaves, or takes up again. */
function choicesOf({ item, change }: SavedChange): NewEvent[] {
  const { kind, consents, entry, values } = change
  if (kind !== 'updated' || consents.length === 0) return []
  const { businessId, origin, source } = item
  const { email, phone } = values
  return consents.flatMap(({ channel, topic = null, action, isReturn }): NewEvent[] => {
    if (channel === 'tracking' || !(isReturn || action === 'unsubscribed')) return []
    const contact_id = formatId('contact', entry.id)
    const data = { contact_id, email, phone, channel, topic, source }
    const type = isReturn ? 'contact.resubscribed' : 'contact.unsubscribed'
    return [{ businessId, origin, type, data }]
  })
}

function activityOf({ item, change }: SavedChange): NewActivity {
  const { businessId, origin, source } = item
  return {
    businessId,
    contactId: change.entry.id,
    type: 'contact.updated',
    details: { source, changed: change.changed },
    origin,
  }
}

interface ConsentRow {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  id: Id<'consent'>
  channel: ConsentSubject
  /** The topic; null for the whole channel. */
  topic: string | null
  action: ConsentStatus
  source: string
  text: string | null
  ip: string | null
  agent: string | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  confirmationId: Id<'confirmation'> | null
  basis: ConsentBasis | null
  saidAt: Date | null
  page: string | null
  formVersion: number | null
  box: ConsentBox | null
}

function insertConsents(tx: Tx, rows: ConsentRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into consent_events (business_id, contact_id, id, channel, topic, action, source, text, ip,
      agent, connection_id, call_id, confirmation_id, basis, said_at, page,
      form_version, box, created_at)
    select business_id, contact_id, id, channel, topic, action, source, text, ip, agent, connection_id,
      call_id, confirmation_id, basis, said_at, page, form_version, box, ${now}
    from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${ids(rows.map((row) => row.contactId))}::uuid[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${texts(rows.map((row) => row.channel))}::text[],
      ${texts(rows.map((row) => row.topic))}::text[],
      ${texts(rows.map((row) => row.action))}::text[],
      ${texts(rows.map((row) => row.source))}::text[],
      ${longTexts(rows.map((row) => row.text))}::text[],
      ${texts(rows.map((row) => row.ip))}::inet[],
      ${texts(rows.map((row) => row.agent))}::text[],
      ${ids(rows.map((row) => row.connectionId))}::uuid[],
      ${ids(rows.map((row) => row.callId))}::uuid[],
      ${ids(rows.map((row) => row.confirmationId))}::uuid[],
      ${texts(rows.map((row) => row.basis))}::text[],
      ${rows.map((row) => row.saidAt)}::timestamptz[],
      ${longTexts(rows.map((row) => row.page))}::text[],
      ${rows.map((row) => row.formVersion)}::integer[],
      ${texts(rows.map((row) => row.box))}::text[]
    ) as new (business_id, contact_id, id, channel, topic, action, source, text, ip, agent,
      connection_id, call_id, confirmation_id, basis, said_at, page, form_version, box)
  `)
}

/** Whether a change of these fields changes the words that a person is found by. */
const changesSearch = (changed: readonly string[]): boolean =>
  changed.some((field) => searchedFields.has(field) || field.startsWith('attributes.'))

const searchedFields: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'name',
  'first_name',
  'last_name',
  'attributes',
])

export const indexJob = 'contact.index-search'

export interface IndexPayload {
  business_id: Id<'business'>
  contact_ids: Id<'contact'>[]
}

/** Queues the job that makes changed contacts searchable. */
export async function indexLater(
  tx: Tx,
  changed: readonly { businessId: Id<'business'>; id: Id<'contact'> }[],
  now: Date,
): Promise<void> {
  const jobs = [...Map.groupBy(changed, ({ businessId }) => businessId)].map(
    ([businessId, contacts]) => {
      const payload: IndexPayload = {
        business_id: businessId,
        contact_ids: contacts.map(({ id }) => id),
      }
      return { kind: indexJob, businessId, payload }
    },
  )
  await enqueue(tx, jobs, now)
}
