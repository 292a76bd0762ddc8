/** Forms to submit to, and the results, for tests. */

import type { Id } from 'crier-server/core/ids.ts'
import { changes } from 'crier-server/events/changes.ts'
import { formGet } from 'crier-server/forms/get.ts'
import { formList } from 'crier-server/forms/list.ts'
import { formSave as formSaveAt } from 'crier-server/forms/save.ts'
import { formSubmit } from 'crier-server/forms/submit.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { Clock } from 'crier-server/lib/time/clock.ts'
import type { Caller } from '../clients/calls.ts'
import { placeEvents } from './fan-out.ts'

const formSave = formSaveAt({ appUrl: 'https://app.example' })

const addresses = { appUrl: 'https://app.example' }
export const forms = {
  save: formSave,
  get: formGet(addresses),
  list: formList(addresses),
  submit: formSubmit(addresses),
}

export const emailField = { key: 'email', label: 'Email', type: 'email', required: true }

/** Publishes a form with an email field and these fields; returns its id. */
export async function publishedForm(
  caller: Caller,
  fields: readonly object[] = [],
  more: object = {},
): Promise<string> {
  const input = { name: 'A form', status: 'published', fields: [emailField, ...fields], ...more }
  return (await caller.get<{ form_id: string }>(forms.save, input)).form_id
}

export interface Submitted {
  submission_id: string
  contact_id: string
}

export interface FeedEvent {
  id: string
  type: string
  business_id: string
  data: Record<string, unknown>
}

/** All events of a business, from all pages of `meta.changes`. */
export async function feedOf(
  caller: Caller,
  deps: { db: Database; clock: Clock },
): Promise<FeedEvent[]> {
  await placeEvents(deps)
  const events: FeedEvent[] = []
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await caller.get<{ events: FeedEvent[]; next_cursor: string; more: boolean }>(
      changes,
      { limit: 200, ...(cursor !== undefined && { cursor }) },
    )
    events.push(...page.events)
    cursor = page.next_cursor
    more = page.more
  }
  return events
}

/** The number of a business's rows of each kind, which a refused submission must not change. */
export function traces(db: Database, businessId: Id<'business'>): Promise<PersonalData> {
  return db.one(sql`
    select
      (select coalesce(sum(submission_count), 0)::bigint from forms
        where business_id = ${businessId}) as counted,
      (select count(*) from submissions where business_id = ${businessId}) as submissions,
      (select count(*) from contacts where business_id = ${businessId}) as contacts,
      (select count(*) from events where business_id = ${businessId}
        and type = 'form.submitted') as announced
  `)
}

export interface PersonalData {
  counted: number
  submissions: number
  contacts: number
  announced: number
}
