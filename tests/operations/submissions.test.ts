/** Many people at once: every submission is counted and announced exactly once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEventFits } from '../support/businesses/event-schema.ts'
import { type FedEvent, feedReader } from '../support/clients/feed-reader.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { halvesIn } from '../support/postgres/halves.ts'
import { type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed

before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

interface Submitted {
  submission_id: string
  contact_id: string
}

async function newForm(owner: ToolCaller): Promise<string> {
  const fields = [
    { key: 'email', label: 'Email', type: 'email', required: true },
    { key: 'message', label: 'Message', type: 'text' },
  ]
  const form = { name: 'Contact us', status: 'published', fields }
  return (await owner.get<{ form_id: string }>('form.save', form)).form_id
}

const settledWithin = 60_000
const ofType = (events: readonly FedEvent[], type: string) =>
  events.filter((event) => event.type === type)
const assertOnce = (values: readonly unknown[]) =>
  assert.equal(new Set(values).size, values.length, 'one came twice')

test('200 simultaneous submissions by 40 people give 200 submissions, 40 contacts and 200 events', async () => {
  const business = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [business] })
  const form_id = await newForm(owner)
  const people = await Promise.all(
    Array.from({ length: 40 }, () => testbed.caller({ businesses: [business] })),
  )
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, i) => {
      const fields = { email: `person-${i % 40}@example.com`, message: `submission ${i}` }
      const person = people[i % 40] ?? owner
      return person.get<Submitted>('form.submit', { form_id, fields })
    }),
  )

  const ids = answers.map((answer) => answer.submission_id)
  assertOnce(ids)
  assert.equal(new Set(answers.map((answer) => answer.contact_id)).size, 40)
  const form = await owner.get<{ submission_count: number }>('form.get', { form_id })
  assert.equal(form.submission_count, 200)
  const { forms } = await owner.get<{ forms: { submission_count: number }[] }>('form.list')
  assert.equal(forms[0]?.submission_count, 200)
  assert.deepEqual(new Set(await listed(owner, form_id)), new Set(ids))
  assert.equal(await contactsUsed(owner), 40)

  const feed = feedReader(owner)
  await feed.readUntil(() => ofType(feed.events, 'form.submitted').length >= 200, settledWithin)
  await feed.readOn()
  assertOnce(feed.events.map(({ id }) => id))
  const told = ofType(feed.events, 'form.submitted')
  assert.equal(told.length, 200)
  assert.deepEqual(new Set(told.map(({ data }) => data['submission_id'])), new Set(ids))
  assert.equal(ofType(feed.events, 'contact.created').length, 40)
  for (const event of feed.events) assertEventFits(event)
  assert.deepEqual(await halvesIn(testbed.db, business), [])
})

test('a reader of meta.changes misses no event of 16 writers and sees no event twice', async () => {
  const business = await testbed.newBusiness()
  const owner = await testbed.caller({ businesses: [business] })
  const form_id = await newForm(owner)
  const feed = feedReader(owner, 7)
  let writing = 16
  const written: { type: string; id: string }[] = []
  const writers = Array.from({ length: 16 }, async (_, w) => {
    const writer = await testbed.caller({ businesses: [business] })
    for (let i = 0; i < 12; i++) {
      const email = `w${w}-${i}@example.com`
      if (w % 2 === 0) {
        const { contact_id } = await writer.get<Submitted>('contact.upsert', { email })
        written.push({ type: 'contact.created', id: contact_id })
      } else {
        const submitted = await writer.get<Submitted>('form.submit', { form_id, fields: { email } })
        written.push({ type: 'form.submitted', id: submitted.submission_id })
        written.push({ type: 'contact.created', id: submitted.contact_id })
      }
    }
    writing--
  })
  let pagesMeanwhile = 0
  while (writing > 0) {
    await feed.readOn()
    pagesMeanwhile++
  }
  await Promise.all(writers)
  await feed.readUntil(() => feed.events.length >= written.length, settledWithin)
  await feed.readOn()

  assert.ok(pagesMeanwhile > 3, 'it read while they wrote')
  assertOnce(feed.events.map(({ id }) => id))
  const seen = feed.events.map(({ type, data }) => {
    const id = type === 'form.submitted' ? data['submission_id'] : data['contact_id']
    return `${type} ${String(id)}`
  })
  assert.deepEqual(seen.toSorted(), written.map(({ type, id }) => `${type} ${id}`).toSorted())
  assert.deepEqual(await halvesIn(testbed.db, business), [])
})

/** The ids of all submissions of a form, from all pages. */
async function listed(owner: ToolCaller, form_id: string): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await owner.get<{ submissions: Submitted[]; next_cursor?: string }>(
      'submission.list',
      { form_id, limit: 30, ...(cursor && { cursor }) },
    )
    ids.push(...page.submissions.map((submission) => submission.submission_id))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  assertOnce(ids)
  return ids
}

async function contactsUsed(owner: ToolCaller): Promise<number | undefined> {
  const { counters } = await owner.get<{ counters: { metric: string; used: number }[] }>(
    'meta.usage',
  )
  return counters.find(({ metric }) => metric === 'contacts')?.used
}
