/**
 * What saving a contact writes in addition to its row: consent in its ledger, events and timeline
 * entries.
 */

import { formatId, type Id, newId } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import { callIdOf, type NewEvent, prepareEvents, type UnplacedEvent } from '../events/emit.ts'
import type { Tx } from '../lib/db/types.ts'
import type { ConfirmationAsked } from './consent/consent.ts'
import { type ChangeSource, eachText } from './contact.ts'
import { askForConfirmation } from './model/ask-for-confirmation.ts'
import type { NewConfirmation } from './model/confirmation.ts'
import { type ConsentRow, insertConsents } from './model/consent-queries.ts'
import { countConsents, type RecordedConsents } from './model/many-consents.ts'
import { shownTopics } from './model/view.ts'
import type { Change } from './saving/plan.ts'
import { type NewActivity, rowOf } from './timeline/activity.ts'
import { insertActivity } from './timeline/activity-queries.ts'

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
  return {
    async write(tx, unplaced) {
      if (consents.length > 0) await insertConsents(tx.pipelined, consents, now)
      await events.write(tx.pipelined, unplaced)
      if (activity.length > 0) await insertActivity(tx.pipelined, activity, now)
      await askForConfirmation(tx, confirmations, now)
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
  { topics, evidence, leftAt }: ConfirmationAsked,
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
  }
  return change.kind === 'created'
    ? { businessId, origin, type: 'contact.created', data }
    : { businessId, origin, type: 'contact.updated', data: { ...data, changed: change.changed } }
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
