/** Consent that a person is asked to confirm by mail. */

import { type Id, newId, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue, type NewJob } from '../../lib/jobs/job.ts'
import { days, later } from '../../lib/time/clock.ts'
import type { ConsentBox, ContactToSave } from '../contact.ts'

export interface NewConfirmation {
  businessId: Id<'business'>
  id: Id<'confirmation'>
  contactId: Id<'contact'>
  /** An email address, normalised. */
  address: string
  topics: string[] | null
  source: string
  text: string | null
  ip: string | null
  agent: string | null
  /** The page that the form was on, and the form's version. */
  page: string | null
  formVersion: number | null
  box: ConsentBox | null
  /** The language that the person read (BCP 47). */
  language: string | null
  /** The form that the request came by. */
  formId: Id<'form'> | null
  /** No challenge was solved on a guarded form, so the mail waits until a person releases it. */
  unproven: boolean
  /** When the person left, whom an OAuth connection would bring back. */
  leftAt: Date | null
  /** Whether the contact was created with it and is known for nothing else. */
  madeContact: boolean
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

export interface Confirmation extends Omit<NewConfirmation, 'businessId'> {
  /** Whether the person was erased: then no contact exists before they confirm. */
  isReturn: boolean
  /** When a person released the mail that was held. */
  releasedAt: Date | null
  askedAt: Date
  createdAt: Date
  mailedAt: Date | null
  remindedAt: Date | null
  confirmedAt: Date | null
  endedAt: Date | null
}

/** The job that sends the mail, if the limits allow it. */
export const confirmationMailJob = 'consent.confirmation-mail'
/** The job that reminds once, and finally ends the confirmation. */
export const confirmationWaitJob = 'consent.confirmation-wait'

export interface ConfirmationPayload {
  business_id: Id<'business'>
  confirmation_id: Id<'confirmation'>
}

export const confirmationTimes = {
  reminderMs: days(3),
  endMs: days(30),
} as const

/** Stores what is to be confirmed, and queues the mail in the same transaction. */
export async function askForConfirmation(
  tx: Tx,
  all: readonly NewConfirmation[],
  now: Date,
): Promise<void> {
  await ask(tx, all, { insert: insertConfirmation, now })
}

/** Asks erased people whose address was typed into a form; see `confirmConsent`. */
async function askToReturn(tx: Tx, all: readonly NewConfirmation[], now: Date): Promise<void> {
  await ask(tx, all, { insert: insertReturn, now })
}

interface ConfirmationQueueing {
  insert: typeof insertConfirmation
  now: Date
}

async function ask(
  tx: Tx,
  all: readonly NewConfirmation[],
  { insert, now }: ConfirmationQueueing,
): Promise<void> {
  const jobs: NewJob[] = []
  for (const confirmation of all) {
    const { id, isNew } = await insert(tx, confirmation, now)
    const payload: ConfirmationPayload = {
      business_id: confirmation.businessId,
      confirmation_id: id,
    }
    const { businessId } = confirmation
    jobs.push({ kind: confirmationMailJob, businessId, payload })
    const dueAt = later(now, confirmationTimes.reminderMs)
    if (isNew) jobs.push({ kind: confirmationWaitJob, businessId, payload, dueAt })
  }
  if (jobs.length > 0) await enqueue(tx, jobs, now)
}

export async function askErasedPeople(
  tx: Tx,
  refused: readonly ContactToSave[],
  now: Date,
): Promise<void> {
  const requests = refused.flatMap(requestOf)
  if (requests.length > 0) await askToReturn(tx, requests, now)
}

/** Only for a form that requests consent to email, if the person ticked it. */
function requestOf({ businessId, source, email, consent, origin }: ContactToSave) {
  const emailConsent = consent?.email
  if (source !== 'form' || email === undefined || !emailConsent) return []
  if (emailConsent.status === 'unsubscribed') return []
  const request: NewConfirmation = {
    businessId,
    id: newId('confirmation'),
    contactId: newId('contact'),
    address: email,
    topics: emailConsent.topics ? [...emailConsent.topics] : null,
    source: emailConsent.source,
    text: emailConsent.text ?? null,
    ip: emailConsent.ip ?? null,
    agent: emailConsent.agent ?? null,
    page: emailConsent.page ?? null,
    formVersion: emailConsent.formVersion ?? null,
    box: emailConsent.box ?? null,
    language: emailConsent.language ?? null,
    formId: emailConsent.formId ?? null,
    unproven: emailConsent.unproven ?? false,
    leftAt: null,
    madeContact: true,
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
  }
  return [request]
}

/**
 * A confirmation that is open already is updated to the latest request. What a form's guard holds stays
 * with it. Returns the open one.
 */
export function insertConfirmation(
  tx: Tx,
  row: NewConfirmation,
  now: Date,
): Promise<{ id: Id<'confirmation'>; isNew: boolean }> {
  return tx.one(sql`
    insert into confirmations (business_id, id, contact_id, address, topics, source, text, ip,
      agent, page, form_version, box, language, form_id, unproven, made_contact, left_at,
      connection_id, call_id, asked_at, created_at)
    values (${row.businessId}, ${row.id}, ${row.contactId}, ${row.address}, ${row.topics},
      ${row.source}, ${row.text}, ${row.ip}, ${row.agent},
      ${row.page}, ${row.formVersion}, ${row.box}, ${row.language}, ${row.formId}, ${row.unproven},
      ${row.madeContact}, ${row.leftAt}, ${row.connectionId}, ${row.callId}, ${now}, ${now})
    on conflict (business_id, contact_id) where confirmed_at is null and ended_at is null
    do update set address = excluded.address, topics = excluded.topics, source = excluded.source,
      text = excluded.text, ip = excluded.ip, agent = excluded.agent,
      page = excluded.page, form_version = excluded.form_version, box = excluded.box, language = excluded.language,
      form_id = case when confirmations.held_at is null then excluded.form_id
        else coalesce(excluded.form_id, confirmations.form_id) end,
      unproven = excluded.unproven
        or (confirmations.held_at is not null and excluded.form_id is null and confirmations.unproven),
      released_at = null,
      left_at = coalesce(excluded.left_at, confirmations.left_at),
      connection_id = excluded.connection_id, call_id = excluded.call_id,
      asked_at = excluded.asked_at
    returning id, xmax = 0 as "isNew"
  `)
}

/**
 * Does the same for an erased person, who has no contact. A confirmation that is open already is
 * updated to the latest request.
 */
export function insertReturn(
  tx: Tx,
  row: NewConfirmation,
  now: Date,
): Promise<{ id: Id<'confirmation'>; isNew: boolean }> {
  return tx.one(sql`
    insert into confirmations (business_id, id, contact_id, address, topics, source, text, ip,
      agent, page, form_version, box, language, form_id, unproven, made_contact, connection_id, call_id,
      is_return,
      asked_at, created_at)
    values (${row.businessId}, ${row.id}, ${row.contactId}, ${row.address}, ${row.topics},
      ${row.source}, ${row.text}, ${row.ip}, ${row.agent}, ${row.page}, ${row.formVersion},
      ${row.box}, ${row.language}, ${row.formId}, ${row.unproven}, true, ${row.connectionId}, ${row.callId}, true, ${now}, ${now})
    on conflict (business_id, address) where is_return and confirmed_at is null and ended_at is null
    do update set topics = excluded.topics, source = excluded.source, text = excluded.text,
      ip = excluded.ip, agent = excluded.agent, page = excluded.page,
      form_version = excluded.form_version, box = excluded.box, language = excluded.language,
      form_id = excluded.form_id, unproven = excluded.unproven, released_at = null,
      connection_id = excluded.connection_id, call_id = excluded.call_id,
      asked_at = excluded.asked_at
    returning id, xmax = 0 as "isNew"
  `)
}
