/**
 * Links of mails 1, 14 and 30 months old, when history has ended and every partition of a past month is dropped,
 * and those of a business that was closed and deleted.
 */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { closeBusiness } from 'crier-server/closings/close.ts'
import { runDeletion } from 'crier-server/closings/delete.ts'
import { contactErase } from 'crier-server/contacts/erase.ts'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { listInbox } from 'crier-server/core/inbox/mail-queries.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Job, Verdict } from 'crier-server/lib/jobs/job.ts'
import { days, hours } from 'crier-server/lib/time/clock.ts'
import { retentionJob } from 'crier-server/retention/job.ts'
import { retentionJobs } from 'crier-server/retention/jobs.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { sendOff } from '../support/businesses/campaign-drafts.ts'
import { awaitState, draftTo, type Running } from '../support/businesses/campaign-runs.ts'
import { yes } from '../support/businesses/campaigns.ts'
import { callerIn } from '../support/clients/calls.ts'
import { newPerson } from '../support/clients/sign-in.ts'
import { eventually } from '../support/time/eventually.ts'
import { ShiftedClock } from '../support/time/shifted-clock.ts'

let testbed: OwnTestbed
let clock: ShiftedClock
beforeEach(async () => {
  clock = new ShiftedClock()
  testbed = await openTestbed({ clock })
})
afterEach(() => testbed.close())

const html =
  '<p><a href="{{ view_url }}">View</a> Hello {{ contact.name }}, <a href="https://shop.example/new">new</a>.</p>'
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0' }
const { signal } = new AbortController()

interface Mailed {
  email: string
  view: string
  click: string
  preferences: string
}

/** A campaign to two people, and the links in the mail of each. */
async function mailed(): Promise<{ running: Running; one: Mailed; other: Mailed }> {
  const running = await draftTo(testbed, 0, { content: { subject: 'News', html } })
  const people = [newPerson(), newPerson()]
  for (const email of people) {
    await running.scene.contact({ email, name: 'Ana', consent: { email: yes } })
  }
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  const linksOf = async (email: string): Promise<Mailed> => {
    const [mail] = await eventually(
      () => listInbox(testbed.db, email, 1),
      ({ length }) => length > 0,
    )
    const page = `${mail?.html ?? ''}\n${mail?.text ?? ''}`
    const link = (at: string) => new RegExp(`https?://[^\\s"<>]+/${at}/[\\w-]+`).exec(page)?.[0]
    const [view = '', click = '', preferences = ''] = ['v', 'c', 'u'].map(link)
    assert.ok(view && click && preferences, page)
    return { email, view, click, preferences }
  }
  const [one, other] = await Promise.all(people.map(linksOf))
  assert.ok(one && other)
  return { running, one, other }
}

const visit = async (url: string) => {
  const answer = await fetch(url, { headers: browser, redirect: 'manual' })
  return { status: answer.status, to: answer.headers.get('location'), page: await answer.text() }
}

const oneClick = (url: string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })

const consentOf = async ({ email }: Mailed) => {
  const row = await testbed.db.one<{ consent: string }>(
    sql`select email_consent as consent from contacts where email = ${email}`,
  )
  return row.consent
}

/** The night that ends history after six months, and each partition of a month that is over. */
async function endHistory({ businessId }: Running): Promise<string[]> {
  const { db, service } = testbed
  const { vault } = service
  const kinds = retentionJobs({ db, clock, hmac: vault.hmac, historyMonths: 6, batchSize: 100 })
  await kinds['retention.begin-nights']?.run({} as Job, signal)
  const job = { payload: { business_id: businessId } } as Job
  let verdict: Verdict | undefined
  for (let n = 0; n < 50 && verdict?.outcome !== 'done'; n++) {
    verdict = (await kinds[retentionJob]?.run(job, signal)) as Verdict
  }
  assert.equal(verdict?.outcome, 'done')
  const partitions = await db.all<{ name: string; until: string }>(sql`
    select c.relname as name,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)') as until
    from pg_class c where c.relispartition and c.relkind = 'r'
  `)
  const past = partitions.filter(({ until }) => until && new Date(until) < clock.now())
  for (const { name } of past) {
    await db.run({ name: '', text: `drop table if exists ${name}`, values: [] })
  }
  return past.map(({ name }) => name)
}

for (const months of [1, 14, 30]) {
  test(`click, view, preferences and one click of a mail ${months} months old work`, async () => {
    const { running, one, other } = await mailed()
    clock.forward(days(months * 31))
    // The night begins at three.
    clock.forward(hours(Math.max(0, 4 - clock.now().getUTCHours())))
    const dropped = await endHistory(running)
    assert.ok(dropped.length > 0, 'partitions were dropped')
    const { messages } = await testbed.db.one<{ messages: number }>(sql`
      select count(*)::int as messages from messages where business_id = ${running.businessId}
    `)
    assert.equal(messages, months < 6 ? 2 : 0, 'the messages themselves')

    const click = await visit(one.click)
    assert.deepEqual([click.status, click.to], [302, 'https://shop.example/new'])
    const view = await visit(one.view)
    assert.equal(view.status, 200)
    // Of a deleted message nobody knows any more to whose address it went.
    const greeting = months < 6 ? /Hello Ana/ : /Hello ,/
    assert.match(view.page, greeting)
    const preferences = await visit(one.preferences)
    assert.equal(preferences.status, 200)
    assert.match(preferences.page, /<form/)
    assert.equal(await consentOf(one), 'subscribed')
    assert.equal((await oneClick(one.preferences)).status, 200)
    assert.equal(await consentOf(one), 'unsubscribed')
    assert.equal(await consentOf(other), 'subscribed', 'nobody else')
    assert.match((await visit(other.view)).page, greeting)
    const { id } = await testbed.db.one<{ id: Id<'contact'> }>(
      sql`select id from contacts where email = ${other.email}`,
    )
    const { db, service } = testbed
    const { vault } = service
    const key = callerIn({ db, clock, vault }, running.businessId, { isApiKey: true })
    await key.get(contactErase, { contact_id: formatId('contact', id) })
    const erased = await visit(other.view)
    assert.doesNotMatch(erased.page, /Hello/, 'an erased person’s mail is shown to nobody')
  })
}

test('after a business was closed its links answer, and for 60 days after its deletion', async () => {
  const { running, one, other } = await mailed()
  const { db } = testbed
  const { businessId } = running
  await db.tx((tx) =>
    closeBusiness(tx, {
      businessId,
      closedBy: null,
      keepsSuppressions: true,
      now: clock.now(),
    }),
  )
  const click = await visit(one.click)
  assert.deepEqual([click.status, click.to], [302, 'https://shop.example/new'])
  assert.match((await visit(one.view)).page, /Hello Ana/)
  assert.equal((await visit(one.preferences)).status, 200)
  assert.equal((await oneClick(one.preferences)).status, 200)
  assert.equal(await consentOf(one), 'unsubscribed')

  clock.forward(days(31))
  const files = { remove: async () => undefined } as never
  const job = { payload: { business_id: businessId } } as Job
  const deleted = async () => {
    const verdict = await runDeletion({ db, clock, files, batchSize: 500 }, job)
    return verdict.outcome !== 'again' || verdict.at > clock.now()
  }
  while (!(await deleted()));
  const { left } = await db.one<{ left: number }>(sql`
    select (select count(*) from messages where business_id = ${businessId})::int
      + (select count(*) from contacts where business_id = ${businessId})::int as left
  `)
  assert.equal(left, 0)
  clock.forward(days(58))
  for (const url of [one.preferences, other.preferences]) {
    assert.equal((await visit(url)).status, 200)
    assert.equal((await oneClick(url)).status, 200)
  }
  // What they led to is gone, and the page says so in words.
  const view = await visit(other.view)
  assert.equal(view.status, 410)
  assert.doesNotMatch(view.page, /Hello Ana/)
  assert.match((await visit(other.click)).page, /ask the sender for the address/)
})
