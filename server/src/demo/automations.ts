/** The automations of the demo: drafts, and a welcome series that runs with people in it. */
import { type Id, parseId } from '../core/ids.ts'
import { plannedAnew, sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import type { DemoCalls } from './calls.ts'
import type { Story } from './story.ts'

interface Automating {
  db: Database
  story: Story
  businessId: Id<'business'>
  calls: DemoCalls
  now: Date
}

interface Starter {
  kind: string
  enter: object
  exit?: object
  steps: object[]
}

export async function makeAutomations({ db, story, businessId, calls, now }: Automating) {
  for (const { gallery, name, slots, fate } of story.automations) {
    const { sequences } = await calls<{ sequences: Starter[] }>('sequence.gallery', {
      key: gallery,
    })
    const [starter] = sequences
    if (!starter) throw new Error('the gallery lacks an automation of the demo')
    const { kind, enter, exit, steps } = starter
    const { sequence_id } = await calls<{ sequence_id: string }>('sequence.save', {
      name,
      kind,
      enter,
      ...(exit && { exit }),
      steps,
      ...(slots && { slots }),
    })
    const sequenceId = parseId('sequence', sequence_id)
    if (fate === 'draft' || !sequenceId) continue
    await calls('sequence.start', { sequence_id })
    if (fate === 'welcoming') {
      await db.tx((tx) => writePast(tx, { businessId, sequenceId, now }))
    }
  }
}

interface Past {
  businessId: Id<'business'>
  sequenceId: Id<'sequence'>
  now: Date
}

/** How long ago the series began, in days. */
const pastDays = 45

/**
 * Whoever joined since the series began got the first mail then, and three days later the second. A
 * draw from 0 to 999 for each possible event depends only on the address, as with campaigns.
 */
async function writePast(tx: Tx, { businessId, sequenceId, now }: Past): Promise<void> {
  await tx.run(sql`
    update sequences set created_at = ${now}::timestamptz - interval '1 day' * ${pastDays + 1}::int,
      updated_at = ${now}::timestamptz - interval '1 day' * ${pastDays}::int
    where business_id = ${businessId} and id = ${sequenceId}
  `)
  await tx.run(sql`
    update sequence_versions set started_at = ${now}::timestamptz - interval '1 day' * ${pastDays}::int
    where business_id = ${businessId} and sequence_id = ${sequenceId}
  `)
  await tx.run(
    plannedAnew(sql`
      insert into sequence_entries (business_id, sequence_id, id, contact_id, version, cause, state,
        reason, step, due_at, event, entered_at, stepped_at, ended_at)
      select ${businessId}, ${sequenceId},
        (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
          || '7' || substr(digest, 1, 3) || 'a' || substr(digest, 4, 15))::uuid,
        id, 1, 'demo ' || id, case when leaves then 'left' when at + interval '3 days' < ${now}
          then 'finished' else 'active' end,
        case when leaves then 'unsubscribed' end, case when leaves then 3
          when at + interval '3 days' < ${now} then 0 else 3 end,
        case when not leaves and at + interval '3 days' >= ${now} then at + interval '3 days' end,
        '{}', at, case when leaves or at + interval '3 days' >= ${now} then at
          else at + interval '3 days' end,
        case when leaves then at + interval '1 day'
          when at + interval '3 days' < ${now} then at + interval '3 days' end
      from (
        select id, created_at as at, md5(email || 'welcome') as digest,
          ('x' || substr(md5(email || 'leaves'), 1, 4))::bit(16)::integer % 1000 < 12
            and created_at + interval '1 day' < ${now} as leaves
        from contacts
        where business_id = ${businessId} and email_consent = 'subscribed' and email is not null
          and created_at > ${now}::timestamptz - interval '1 day' * ${pastDays}::int
          and created_at <= ${now}
      ) joined
    `),
  )
  await tx.run(
    plannedAnew(sql`
      insert into sequence_steps (business_id, sequence_id, entry_id, step, outcome, message_id,
        done_at)
      select ${businessId}, ${sequenceId}, e.id, steps.step, 'done',
        case when steps.step <> 2 then
          (lpad(to_hex((extract(epoch from e.entered_at + steps.later) * 1000)::bigint), 12, '0')
            || '7' || substr(md5(e.id::text || steps.step), 1, 3) || 'a'
            || substr(md5(e.id::text || steps.step), 4, 15))::uuid end,
        e.entered_at + steps.later
      from sequence_entries e
      join (values (1, interval '0'), (2, interval '0'), (3, interval '3 days'))
        as steps (step, later) on steps.step < 3 or e.state = 'finished'
      where e.business_id = ${businessId} and e.sequence_id = ${sequenceId}
    `),
  )
  await tx.run(
    plannedAnew(sql`
      insert into messages (business_id, id, kind, contact_id, recipient, recipient_mark,
        template_id, template_version_id, state, attempts, due_at, queued_at, created_at,
        updated_at, channel)
      select ${businessId}, s.message_id, 'marketing', e.contact_id, c.email, c.email_mark,
        v.template_id, v.id, 'delivered', 1, s.done_at, s.done_at, s.done_at,
        s.done_at + interval '2 seconds', 'email'
      from sequence_steps s
      join sequence_entries e on e.business_id = ${businessId} and e.sequence_id = ${sequenceId}
        and e.id = s.entry_id
      join contacts c on c.business_id = ${businessId} and c.id = e.contact_id
      join templates t on t.business_id = ${businessId}
        and t.gallery = case when s.step = 1 then 'welcome-1' else 'welcome-2' end
      join template_versions v on v.business_id = ${businessId} and v.template_id = t.id
      where s.business_id = ${businessId} and s.sequence_id = ${sequenceId}
        and s.message_id is not null
    `),
  )
  await tx.run(
    plannedAnew(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, code, words, url,
        machine, created_at)
      select ${businessId}, s.message_id,
        (lpad(to_hex((extract(epoch from s.done_at) * 1000)::bigint + kind.place), 12, '0') || '7'
          || substr(md5(s.message_id::text || kind.type), 1, 3) || 'b'
          || substr(md5(s.message_id::text || kind.type), 4, 15))::uuid,
        kind.type, least(${now}::timestamptz, s.done_at + kind.later), kind.code, kind.words,
        case when kind.type = 'clicked' then 'https://bluebottle.example/favourites' end,
        kind.machine, least(${now}::timestamptz, s.done_at + kind.later)
      from sequence_steps s
      join (values
        (1, 'accepted', interval '1 second', '250', '2.0.0 OK, queued', null::boolean, 1000),
        (2, 'delivered', interval '2 seconds', '2.0.0', null, null, 1000),
        (3, 'opened', interval '3 hours', null, null, false, 540),
        (4, 'clicked', interval '184 minutes', null, null, false, 130)
      ) as kind (place, type, later, code, words, machine, share)
        on ('x' || substr(md5(s.message_id::text), 1, 4))::bit(16)::integer % 1000 < kind.share
          - case when kind.share < 1000 and s.step = 3 then 60 else 0 end
      where s.business_id = ${businessId} and s.sequence_id = ${sequenceId}
        and s.message_id is not null
    `),
  )
}
