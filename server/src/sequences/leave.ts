/** Ends the entries of people who leave a sequence, and tells of it. */

import type { Channel } from '../contacts/contact.ts'
import { recordActivity } from '../contacts/timeline/activity.ts'
import { formatId, type Id } from '../core/ids.ts'
import { emitAll } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

interface Ending {
  businessId: Id<'business'>
  contactIds: readonly Id<'contact'>[]
  /** Only this one; all marketing sequences without it. */
  sequenceId?: Id<'sequence'>
  /** Leaves only those of them that send on nothing but this channel. */
  only?: Channel
  reason: string
  now: Date
}

interface EndedEntry {
  sequenceId: Id<'sequence'>
  name: string
  contactId: Id<'contact'>
  version: number
  step: number
  enteredAt: Date
}

/** Finds steps that send on another channel than this one. */
const otherChannel = {
  email: '$.steps.** ? (exists(@.send) && @.channel == "sms")',
  sms: '$.steps.** ? (exists(@.send) && !(@.channel == "sms"))',
  none: '$.none',
} as const

/** Ends what these people are inside of, and returns how many entries ended. */
export async function endEntries(
  tx: Tx,
  { businessId, contactIds, sequenceId, only, reason, now }: Ending,
): Promise<number> {
  const ended = await tx.all<EndedEntry>(sql`
    update sequence_entries e set state = 'left', reason = ${reason}, due_at = null,
      waits_for = null, ended_at = ${now}
    from sequence_versions v, sequences s
    where e.business_id = ${businessId} and e.contact_id = any(${contactIds}::uuid[])
      and e.state in ('active', 'holdout')
      and (e.sequence_id = ${sequenceId ?? null}::uuid or ${sequenceId ?? null}::uuid is null)
      and v.business_id = ${businessId} and v.sequence_id = e.sequence_id and v.version = e.version
      and (${sequenceId ?? null}::uuid is not null or v.definition ->> 'kind' = 'marketing')
      and s.business_id = ${businessId} and s.id = e.sequence_id
      and not jsonb_path_exists(v.definition::jsonb, ${otherChannel[only ?? 'none']}::jsonpath)
    returning e.sequence_id as "sequenceId", s.name, e.contact_id as "contactId", e.version,
      e.step, e.entered_at as "enteredAt"
  `)
  await tellOfEnd(
    tx,
    ended.map((entry) => ({ ...entry, businessId, reason })),
    now,
  )
  return ended.length
}

/** Tells of people who left, with the reason, or who came to the end. */
export async function tellOfEnd(
  tx: Tx,
  entries: readonly (EndedEntry & { businessId: Id<'business'>; reason: string | null })[],
  now: Date,
): Promise<void> {
  await emitAll(
    tx,
    entries.map(({ businessId, sequenceId, name, contactId, version, step, enteredAt, reason }) => {
      const data = {
        sequence_id: formatId('sequence', sequenceId),
        name,
        version,
        contact_id: formatId('contact', contactId),
        entered_at: enteredAt.toISOString(),
      }
      return reason === null
        ? { businessId, type: 'sequence.finished' as const, data }
        : { businessId, type: 'sequence.left' as const, data: { ...data, step, reason } }
    }),
    now,
  )
  await recordActivity(
    tx,
    entries.map(({ businessId, sequenceId, contactId, version, reason }) => ({
      businessId,
      contactId,
      type: reason === null ? 'sequence.finished' : 'sequence.left',
      details: {
        sequence_id: formatId('sequence', sequenceId),
        version,
        ...(reason !== null && { reason }),
      },
    })),
    now,
  )
}
