/** What sequences hold about people: an erased person leaves at once, and a merged one goes on once. */
import type { PersonPage, PersonPart, PersonRow } from '../contacts/exporting/person-part.ts'
import type { PersonalData } from '../contacts/personal-data.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

export const sequencePersonalData: PersonalData = {
  /** If two people become one and a sequence has both, it goes on with the one who stays. */
  async move(tx, { businessId, from, to }) {
    await tx.run(sql`
      delete from sequence_entries e
      where e.business_id = ${businessId} and e.contact_id = ${from} and exists (
        select from sequence_entries other
        where other.business_id = e.business_id and other.sequence_id = e.sequence_id
          and other.contact_id = ${to}
      )
    `)
    await tx.run(sql`
      delete from sequence_outcomes o
      where o.business_id = ${businessId} and o.contact_id = ${from} and exists (
        select from sequence_outcomes other
        where other.business_id = o.business_id and other.sequence_id = o.sequence_id
          and other.contact_id = ${to}
      )
    `)
    await tx.run(sql`
      update sequence_outcomes set contact_id = ${to}
      where business_id = ${businessId} and contact_id = ${from}
    `)
    await tx.run(sql`
      update sequence_entries set contact_id = ${to}
      where business_id = ${businessId} and contact_id = ${from}
    `)
    await forgetMembers(tx, businessId, [from])
  },

  async forget(tx, { businessId, contactIds }, now) {
    await tx.run(sql`
      update sequence_entries set event = '{}', waits_for = null, due_at = null,
        reason = case state when 'active' then 'erased' else reason end,
        ended_at = case state when 'active' then ${now} else ended_at end,
        state = case state when 'active' then 'left' else state end
      where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
    `)
    // An erased person is judged by nobody, and so counts neither as reached nor as not.
    await tx.run(sql`
      update sequence_outcomes set judge_at = null
      where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
    `)
    await forgetMembers(tx, businessId, contactIds)
    return true
  },
}

async function forgetMembers(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<void> {
  await tx.run(sql`
    delete from sequence_members
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
  `)
  await tx.run(sql`
    delete from sequence_changes
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
  `)
}

export const sequencePersonPart: PersonPart = {
  name: 'sequences',
  tables: [
    'sequence_entries',
    'sequence_steps',
    'sequence_members',
    'sequence_changes',
    'sequence_outcomes',
  ],
  page: (db, { businessId, contact }, page) => entryRows(db, { businessId, id: contact.id }, page),
}

/** The sequences that one person entered, with what became of each step. */
function entryRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select e.id::text as key,
      to_jsonb(e) - '{business_id,contact_id,cause}'::text[] || jsonb_build_object('steps', (
        select jsonb_agg(to_jsonb(s) - '{business_id,sequence_id,entry_id}'::text[] order by s.step)
        from sequence_steps s
        where s.business_id = ${businessId} and s.sequence_id = e.sequence_id and s.entry_id = e.id
      ), 'reached', (
        select o.reached from sequence_outcomes o
        where o.business_id = ${businessId} and o.contact_id = e.contact_id
          and o.sequence_id = e.sequence_id and o.entry_id = e.id
      )) as row
    from sequence_entries e
    where e.business_id = ${businessId} and e.contact_id = ${id} and e.id::text > ${after}
    order by e.id::text limit ${limit}
  `)
}
