/** The steps that tell members and webhooks. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sequenceScene } from '../../../tests/support/businesses/sequences.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { newMember } from '../../../tests/support/clients/grants.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { formatId, newId } from '../core/ids.ts'
import type { Role } from '../core/operation.ts'
import type { PlacedEvent } from '../events/fan-out.ts'
import { sql } from '../lib/db/db.ts'
import type { Mail } from '../lib/email/mailer.ts'
import type { Job } from '../lib/jobs/job.ts'
import { createTemplates } from '../templates/compile.ts'
import { queueDeliveries } from '../webhooks/delivery/follow.ts'
import { sequenceLimits } from './limits.ts'
import { noteJobs } from './notify.ts'
import { sequenceSave } from './save.ts'

let database: TestDatabase
const templates = createTemplates()
before(async () => {
  database = await testDatabase()
})
after(async () => {
  await templates.close()
  await database.drop()
})
const saveSequence = sequenceSave({ templates })

test('a step tells members by mail, up to a number a day, and one webhook alone by an event', async () => {
  const scene = await sequenceScene({ db: database.db, templates })
  const { db, id, clock, caller, begin, agree, settle } = scene
  const now = clock.now()
  const member = async (role: Role) => {
    const userId = await newMember(db, { businesses: [id], role })
    return { userId, email: `${userId}@example.com` }
  }
  const [owner, editor] = [await member('owner'), await member('editor')]
  await member('viewer')
  const webhook = async (events: string[]) => {
    const webhookId = newId('webhook')
    await db.run(sql`
      insert into webhooks (business_id, id, holder_id, url, events, created_at, updated_at)
      values (${id}, ${webhookId}, ${owner.userId}, ${`https://${webhookId}.example/`}, ${events}, ${now}, ${now})
    `)
    return webhookId
  }
  const named = await webhook(['sequence.notified'])
  await webhook(['sequence.notified'])
  const other = await webhook(['sequence.left'])
  const members = ['owner', formatId('user', editor.userId)]
  const notice = { members, webhook_id: formatId('webhook', named), note: 'Call this person.' }
  const enter = { on: 'tag.added', tag: 'hot' }
  await begin({ enter, steps: [{ notify: notice }] })
  const contact_id = await agree('ana', { name: 'Ana https://evil.example' })
  await caller.get(contactUpsert, { email: 'ana@example.com', tags: ['hot'] })
  await settle()

  const events = await db.all<PlacedEvent & { body: string }>(sql`
    select business_id as "businessId", id as "eventId", type, created_at as "createdAt", body
    from events where business_id = ${id} and type = 'sequence.notified'
  `)
  const [event] = events
  assert.equal(events.length, 1)
  const { data } = JSON.parse(event?.body ?? '') as { data: Record<string, unknown> }
  assert.deepEqual(
    [data['contact_id'], data['step'], data['note'], data['webhook_id']],
    [contact_id, 1, notice.note, notice.webhook_id],
  )
  await db.tx((tx) => queueDeliveries()(tx, events, now))
  const deliveries = await db.all<{ payload: unknown }>(sql`
    select payload from jobs where payload::text like ${`%${event?.eventId}%`}
  `)
  const targets = JSON.stringify(deliveries)
  assert.equal(deliveries.length, 1)
  assert.ok(targets.includes(named) || targets.includes(formatId('webhook', named)), targets)

  const mails: Mail[] = []
  const mailer = { send: async (mail: Mail) => void mails.push(mail) }
  const urls = { appUrl: 'https://app.example' }
  const kind = noteJobs({
    db,
    clock,
    hmac: testVault.hmac,
    mailer,
    urls,
    mailFrom: 'crier@example.com',
  })['sequence.note']
  const jobs = await db.all<Job>(sql`
    select id, kind, payload, 1 as attempt from jobs where kind = 'sequence.note'
  `)
  for (const job of jobs) await kind?.run(job, new AbortController().signal)
  assert.deepEqual(mails.map(({ to }) => to).sort(), [editor.email, owner.email].sort())
  const [mail] = mails
  assert.match(mail?.text ?? '', new RegExp(`/contacts/${contact_id}`))
  assert.match(mail?.text ?? '', /Call this person/)
  assert.ok(!mail?.text.includes('https://evil.example'), 'a stranger’s name becomes no link')
  const [first] = jobs
  assert.ok(first)
  for (let n = 0; n < sequenceLimits.notesADay + 5; n++) {
    await kind?.run(first, new AbortController().signal)
  }
  assert.equal(mails.length, sequenceLimits.notesADay + 1)

  const wrong = (notify: object) =>
    caller.refused(saveSequence, { name: 'Wrong', enter, steps: [{ notify }] })
  const silent = await wrong({ webhook_id: formatId('webhook', other) })
  assert.deepEqual(
    [silent.code, silent.details.fix?.arguments?.['events']],
    ['conflict', ['sequence.left', 'sequence.notified']],
  )
  const unknown = formatId('user', newId('user'))
  assert.equal((await wrong({ members: [unknown] })).code, 'not_found')
  const gone = formatId('webhook', newId('webhook'))
  assert.equal((await wrong({ webhook_id: gone })).code, 'not_found')
})
