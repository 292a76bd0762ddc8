/**
 * Checks that every write exists completely or not at all, whatever was interrupted, refused or
 * done concurrently.
 */

import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'

/** The inconsistencies of a business, in words; empty if there are none. */
export async function halvesIn(db: Db, businessId: Id<'business'>): Promise<string[]> {
  const n = await countsOf(db, businessId)
  const pairs: [string, number, number][] = [
    [
      'contacts, of now or once, and events that announce them',
      n.contacts + n.former,
      n.createdEvents,
    ],
    ['contacts, and the standing count', n.contacts, n.standing],
    ['contacts, and the sum of the daily counts', n.contacts, n.daily],
    ['submissions, and the counts of their forms', n.submissions, n.counted],
    ['submissions, and events that announce them', n.submissions, n.submittedEvents],
    // Erasing a person deletes the timeline at once, and the form answers soon after.
    ['submissions, and lines in the timeline', n.submissions - n.leftBehind, n.submittedLines],
    ['submissions of somebody who is no contact, and none', n.orphans, 0],
    ['idempotency keys without an answer, and none', n.openKeys, 0],
  ]
  // An erased person's timeline is gone; the events about them remain, without personal data.
  if (n.erased === 0) {
    const what = 'changes of contacts announced, and in their timeline'
    pairs.push([what, n.updatedEvents, n.updatedLines])
  }
  return pairs.filter(([, a, b]) => a !== b).map(([what, a, b]) => `${what}: ${a}, ${b}`)
}

type Counts = Record<
  | 'contacts'
  | 'former'
  | 'erased'
  | 'createdEvents'
  | 'updatedEvents'
  | 'updatedLines'
  | 'standing'
  | 'daily'
  | 'submissions'
  | 'leftBehind'
  | 'counted'
  | 'submittedEvents'
  | 'submittedLines'
  | 'orphans'
  | 'openKeys',
  number
>

function countsOf(db: Db, businessId: Id<'business'>): Promise<Counts> {
  return db.one<Counts>(sql`
    with ours as (select type from events where business_id = ${businessId}),
      lines as (select type from contact_activity where business_id = ${businessId})
    select
      (select count(*) from contacts where business_id = ${businessId}) as contacts,
      (select count(*) from former_contacts where business_id = ${businessId}) as former,
      (select count(*) from former_contacts
        where business_id = ${businessId} and became is null) as erased,
      (select count(*) from ours where type = 'contact.created') as "createdEvents",
      (select count(*) from ours where type = 'contact.updated') as "updatedEvents",
      (select count(*) from lines where type = 'contact.updated') as "updatedLines",
      (select coalesce(sum(amount), 0)::bigint from usage_standing
        where business_id = ${businessId} and metric = 'contacts') as standing,
      (select coalesce(sum(amount), 0)::bigint from usage_days
        where business_id = ${businessId} and metric = 'contacts') as daily,
      (select count(*) from submissions where business_id = ${businessId}) as submissions,
      (select coalesce(sum(submission_count), 0)::bigint from forms
        where business_id = ${businessId}) as counted,
      (select count(*) from ours where type = 'form.submitted') as "submittedEvents",
      (select count(*) from lines where type = 'form.submitted') as "submittedLines",
      (select count(*) from submissions s join former_contacts f
        on f.business_id = s.business_id and f.id = s.contact_id
        where s.business_id = ${businessId}) as "leftBehind",
      (select count(*) from submissions s where s.business_id = ${businessId} and not exists (
        select from contacts c where c.business_id = s.business_id and c.id = s.contact_id
      ) and not exists (
        select from former_contacts f where f.business_id = s.business_id and f.id = s.contact_id
      )) as orphans,
      (select count(*) from idempotency_keys
        where business_id = ${businessId} and answer is null) as "openKeys"
  `)
}
