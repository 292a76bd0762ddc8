import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import type { EntryCaller, ToolCaller } from '../../../tests/support/clients/tool-caller.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { limits } from '../config.ts'
import { sql } from '../lib/db/db.ts'
import { days, later, minutes, seconds } from '../lib/time/clock.ts'

let testbed: OwnTestbed
let owner: ToolCaller
/** A caller over REST, because only there the largest attachments fit into a call. */
let overRest: EntryCaller
before(async () => {
  testbed = await openTestbed({ idle: true })
  const grant = { businesses: [await testbed.newBusiness()] }
  owner = await testbed.caller(grant)
  overRest = await testbed.restCaller(grant)
})
after(() => testbed.close())

const words = { to: 'ana@example.com', subject: 'A word', text: 'Hello' }

async function refusalOf(
  input: object,
  caller: EntryCaller = owner,
): Promise<Record<string, unknown>> {
  const { kind, body, text } = await caller.call('email.send', input)
  assert.equal(kind, 'refusal', text.slice(0, 200))
  return body
}

async function taken(input: object): Promise<void> {
  const { kind, text } = await overRest.call('email.send', { ...input, allow_duplicate: true })
  assert.equal(kind, 'answer', text.slice(0, 300))
}

test('an email needs either an address or a contact, a subject and a body', async () => {
  assert.equal((await refusalOf({ subject: 'A', text: 'B' }))['field'], 'to')
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: 'ana@example.com',
  })
  assert.equal((await refusalOf({ ...words, contact_id }))['field'], 'to')
  assert.equal((await refusalOf({ to: words.to, subject: 'A' }))['field'], 'html')
  assert.equal((await refusalOf({ to: words.to, text: 'B' }))['field'], 'subject')
  await taken({ ...words, subject: 'unused', variables: { city: 'Köln' } })
  assert.equal((await refusalOf({ ...words, to: 'ana' }))['field'], 'to')
  assert.equal((await refusalOf({ ...words, to: 'jösé@example.com' }))['field'], 'to')
})

test('each limit of an email accepts its largest value and refuses one more', async () => {
  const edges: [field: string, fits: object, over: object][] = [
    [
      'subject',
      { subject: 'x'.repeat(limits.emailSubject) },
      { subject: 'x'.repeat(limits.emailSubject + 1) },
    ],
    [
      'text',
      { text: 'x'.repeat(limits.emailCharacters) },
      { text: 'x'.repeat(limits.emailCharacters + 1) },
    ],
    [
      'attachments',
      { attachments: [fileOf(limits.emailAttachmentBytes)] },
      { attachments: [fileOf(limits.emailAttachmentBytes), fileOf(1)] },
    ],
    [
      'attachments',
      { attachments: Array.from({ length: limits.emailAttachments }, () => fileOf(1)) },
      { attachments: Array.from({ length: limits.emailAttachments + 1 }, () => fileOf(1)) },
    ],
  ]
  for (const [field, fits, over] of edges) {
    await taken({ ...words, ...fits })
    assert.equal((await refusalOf({ ...words, ...over }, overRest))['field'], field)
  }
})

function fileOf(bytes: number) {
  const content = Buffer.alloc(bytes, 'x').toString('base64')
  return { filename: 'a.pdf', content_type: 'application/pdf', content }
}

test('attachments must be base64 and of a type that mail can carry', async () => {
  const file = fileOf(3)
  const wrong = await refusalOf({ ...words, attachments: [{ ...file, content: 'no base64!' }] })
  assert.equal(wrong['field'], 'attachments[0].content')
  const nested = { ...file, content_type: 'message/rfc822' }
  assert.match(
    String((await refusalOf({ ...words, attachments: [nested] }))['field']),
    /content_type/,
  )
})

test('send_at needs a time zone, a date that exists, and lies between now and 90 days ahead', async () => {
  const clock = new ManualClock(new Date().toISOString())
  const at = (ms: number) => later(clock.now(), ms).toISOString()
  for (const odd of ['tomorrow', '2026-12-01', '2026-12-01T10:00:00', '2026-13-01T10:00:00Z']) {
    assert.equal((await refusalOf({ ...words, send_at: odd }))['field'], 'send_at', odd)
  }
  assert.equal(
    (await refusalOf({ ...words, send_at: at(days(90) + minutes(2)) }))['field'],
    'send_at',
  )
  const sent = async (send_at: string) =>
    (
      await owner.get<{ status: string }>('email.send', {
        ...words,
        send_at,
        allow_duplicate: true,
      })
    ).status
  assert.equal(await sent(at(days(90) - minutes(2))), 'scheduled')
  assert.equal(await sent(at(-seconds(20))), 'queued', 'a call takes its time')
  const past = await refusalOf({ ...words, send_at: '2025-12-25T09:00:00+01:00' })
  assert.equal(past['understood'], '2025-12-25T08:00:00.000Z')
  assert.match(
    String(past['message']),
    /understood as 2025-12-25T08:00:00.000Z, which is in the past/,
  )
  for (const odd of ['2026-11-31T09:00:00Z', '2027-02-29T09:00:00+01:00', '2026-12-01T24:00:00Z']) {
    const { field, message } = await refusalOf({ ...words, send_at: odd })
    assert.equal(field, 'send_at', odd)
    assert.match(String(message), new RegExp(`^There is no ${odd.replaceAll('+', '.')}`))
  }
})

test('an answer repeats the moment for which a mail was scheduled, and its repetition gets it again', async () => {
  const input = {
    ...words,
    send_at: later(new Date(), days(1)).toISOString(),
    idempotency_key: 'a-mail-of-tomorrow',
  }
  const first = await owner.get<{ send_at?: string }>('email.send', input)
  assert.equal(first.send_at, input.send_at)
  assert.deepEqual(await owner.get('email.send', input), first)
})

test("a tier's monthly email limit holds, however many sends run at once", async () => {
  const id = await testbed.newBusiness('free')
  await testbed.db.run(sql`
    insert into usage_months (business_id, metric, month, amount)
    values (${id}, 'emails', date_trunc('month', ${new Date()}::timestamptz at time zone 'utc')::date, 995)
  `)
  const caller = await testbed.caller({ businesses: [id] })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      caller.call('email.send', { ...words, to: `person-${n}@example.com` }),
    ),
  )
  assert.equal(answers.filter(({ kind }) => kind === 'answer').length, 5)
  const refused = answers.filter(({ kind }) => kind === 'refusal')
  assert.ok(refused.every(({ body }) => body['code'] === 'tier_required'))
  const rows = await testbed.db.one<{ messages: number; recent: number }>(sql`
    select (select count(*)::int from messages where business_id = ${id}) as messages,
      (select count(*)::int from recent_messages where business_id = ${id}) as recent
  `)
  assert.deepEqual(rows, { messages: 5, recent: 5 }, 'a refused one leaves nothing')
})

test('marketing is refused unless the recipient is a contact who has consented', async () => {
  const marketing = { ...words, to: 'new@example.com', kind: 'marketing' }
  assert.equal((await refusalOf(marketing))['code'], 'conflict')
  await owner.get('contact.upsert', { email: 'new@example.com' })
  assert.equal((await refusalOf(marketing))['code'], 'conflict')
  const consent = { email: { status: 'subscribed', source: 'a test' } }
  await owner.get('contact.upsert', { email: 'new@example.com', consent })
  await taken(marketing)
})
