/** A tier's limit is exact, however many calls use it at once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tierLimits } from 'crier-server/accounts/businesses/tiers.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { ToolCaller } from '../support/clients/tool-caller.ts'
import { halvesIn } from '../support/postgres/halves.ts'
import { type SecondNode, startSecondNode } from './support/second-node.ts'
import { type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
let second: SecondNode

before(async () => {
  testbed = await openTestbed()
  second = await startSecondNode(testbed.service)
})
after(async () => {
  await second.close()
  await testbed.close()
})

interface Imported {
  created: number
  refused: number
  rows: { outcome: string; code?: string; message?: string }[]
}

const limit = 500

test('64 simultaneous imports into a business with a limit of 500 contacts end at exactly 500', async () => {
  const business = await testbed.newBusiness('free')
  const [one, other] = await nodes(business)
  const imports = await Promise.all(
    Array.from({ length: 64 }, (_, i) => {
      const contacts = Array.from({ length: 20 }, (_, n) => ({ email: `i${i}-${n}@example.com` }))
      return (i % 2 ? one : other).get<Imported>('contact.import', { contacts, each_row: true })
    }),
  )

  const rows = imports.flatMap((answer) => answer.rows)
  const refused = rows.filter(({ outcome }) => outcome === 'refused')
  assert.equal(rows.filter(({ outcome }) => outcome === 'created').length, limit)
  assert.equal(refused.length, 64 * 20 - limit)
  for (const { code, message } of refused) {
    assert.equal(code, 'tier_required')
    assert.match(message ?? '', /tier free allows 500 contacts.*growth/)
  }
  const sum = (of: (answer: Imported) => number) =>
    imports.reduce((n, imported) => n + of(imported), 0)
  assert.deepEqual([sum((a) => a.created), sum((a) => a.refused)], [limit, refused.length])
  await assertFull(business, one)
})

test('simultaneous upserts, submissions and imports share the limit of 500 contacts', async () => {
  const business = await testbed.newBusiness('free')
  const [one, other] = await nodes(business)
  const fields = [{ key: 'email', label: 'Email', type: 'email', required: true }]
  const form = { name: 'Form', status: 'published', fields }
  const { form_id } = await one.get<{ form_id: string }>('form.save', form)
  const contacts = Array.from({ length: 250 }, (_, n) => ({ email: `before-${n}@example.com` }))
  await one.get('contact.import', { contacts })
  const calls = Array.from({ length: 360 }, (_, i) => {
    const email = `new-${i}@example.com`
    const caller = i % 2 ? one : other
    if (i % 12 === 0) return caller.call('contact.import', { contacts: [{ email }] })
    if (i % 3 === 0) return caller.call('form.submit', { form_id, fields: { email } })
    return caller.call('contact.upsert', { email })
  })
  const answers = await Promise.all(calls)

  const isFull = (text: string) => /tier_required/.test(text) && /"tier":"growth"|growth/.test(text)
  const refused = answers.filter(({ text }) => isFull(text))
  assert.equal(answers.length - refused.length, limit - 250)
  for (const { kind, status, body } of refused) {
    if (kind === 'answer') continue
    assert.deepEqual([status, body['code'], body['tier']], [403, 'tier_required', 'growth'])
    assert.match(String(body['message']), /tier free/)
  }
  await assertFull(business, one)
})

test('existing contacts can still be changed when the limit is reached', async () => {
  const business = await testbed.newBusiness('free')
  const caller = await testbed.caller({ businesses: [business] })
  const contacts = Array.from({ length: limit }, (_, n) => ({ email: `${n}@example.com` }))
  await caller.get('contact.import', { contacts })
  await caller.get('contact.upsert', { email: '7@example.com', name: 'Seven' })
  const full = await caller.call('contact.upsert', { email: 'more@example.com' })
  assert.equal(full.body['code'], 'tier_required')
  await assertFull(business, caller)
})

function nodes(business: Id<'business'>): Promise<[ToolCaller, ToolCaller]> {
  const grant = { businesses: [business] }
  return Promise.all([testbed.caller(grant), testbed.caller(grant, second.endpoint)])
}

/** Asserts exactly 500 by every count. A standing count announces no monthly threshold. */
async function assertFull(business: Id<'business'>, caller: ToolCaller): Promise<void> {
  assert.equal(tierLimits['free'].contacts, limit)
  const { n } = await testbed.db.one<{ n: number }>(
    sql`select count(*) as n from contacts where business_id = ${business}`,
  )
  assert.equal(n, limit)
  const { counters } = await caller.get<{ counters: Record<string, unknown>[] }>('meta.usage')
  const { used, thresholds_crossed } = counters.find(({ metric }) => metric === 'contacts') ?? {}
  assert.deepEqual([used, thresholds_crossed], [limit, [50, 80, 100]])
  assert.deepEqual(await halvesIn(testbed.db, business), [])
  const { n: announced } = await testbed.db.one<{ n: number }>(
    sql`select count(*) as n from events
      where business_id = ${business} and type = 'usage.threshold'`,
  )
  assert.equal(announced, 0)
}
