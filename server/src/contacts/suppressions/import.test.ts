import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import type { ToolCaller } from '../../../../tests/support/clients/tool-caller.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Imported {
  taken: number
  refused: number
  hashed_contacts: number
  refusals: { field?: string; rows: number[] }[]
}
interface Listed {
  suppressions: { address: string | null; reason: string; stops: string; since: string }[]
}

async function scene(): Promise<{ businessId: Id<'business'>; owner: ToolCaller }> {
  const businessId = await testbed.newBusiness('scale')
  return { businessId, owner: await testbed.caller({ businesses: [businessId] }) }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const imported = (owner: ToolCaller, suppressions: object[]) =>
  owner.get<Imported>('suppression.import', { suppressions })

const suppressedOf = async (owner: ToolCaller, email: string) =>
  (await owner.get<Listed>('suppression.list', { email })).suppressions

const mail = { subject: 'Your receipt', text: 'Thank you.' }
const subscribed = (email: string) => ({
  email,
  consent: { email: { status: 'subscribed', source: 'a test' } },
})

test('imported suppressions are listed with reason and date, whether or not a contact exists', async () => {
  const { owner } = await scene()
  await owner.get('contact.upsert', { email: 'here@example.com' })
  const answer = await imported(owner, [
    { email: ' Here@Example.com ', reason: 'unsubscribed', at: '2026-03-01' },
    { email: 'elsewhere@example.com', reason: 'bounce', at: '2026-03-02T10:00:00+02:00' },
    { phone: '+33 6 12 34 56 78', reason: 'manual' },
  ])
  assert.deepEqual(answer, { taken: 3, refused: 0, hashed_contacts: 0, refusals: [] })
  const [here] = await suppressedOf(owner, 'here@example.com')
  assert.deepEqual(
    [here?.address, here?.reason, here?.stops, here?.since],
    ['here@example.com', 'unsubscribed', 'marketing', '2026-03-01T00:00:00.000Z'],
  )
  const [elsewhere] = await suppressedOf(owner, 'elsewhere@example.com')
  assert.deepEqual(
    [elsewhere?.address, elsewhere?.stops, elsewhere?.since],
    [null, 'everything', '2026-03-02T08:00:00.000Z'],
  )
  assert.equal((await owner.get<Listed>('suppression.list')).suppressions.length, 3)
})

test('an address imported as unsubscribed gets receipts but no marketing, and a bounce outweighs it', async () => {
  const { owner } = await scene()
  const to = 'left@example.com'
  await owner.get('contact.upsert', subscribed(to))
  await imported(owner, [{ email: to, reason: 'unsubscribed' }])
  const marketing = await owner.call('email.send', { to, ...mail, kind: 'marketing' })
  assert.match(marketing.text, /suppressed \(unsubscribed\)/)
  await owner.get('email.send', { to, ...mail })
  await imported(owner, [{ email: to, reason: 'bounce' }])
  assert.match((await owner.call('email.send', { to, ...mail })).text, /bounce/)
  await imported(owner, [{ email: to, reason: 'unsubscribed' }])
  assert.equal((await suppressedOf(owner, to))[0]?.reason, 'bounce')
})

test('an address suppressed by its hash is recognised as an earlier contact, a later contact and a recipient', async () => {
  const { owner } = await scene()
  const [early, late, never] = ['early@example.com', 'late@example.com', 'never@example.com']
  await owner.get('contact.upsert', { email: early })
  const rows = [early, late, never].map((text) => ({ sha256: sha256(text), reason: 'bounce' }))
  const answer = await imported(owner, rows)
  assert.deepEqual([answer.taken, answer.hashed_contacts], [3, 1])
  assert.equal((await suppressedOf(owner, early))[0]?.reason, 'bounce')
  await owner.get('contact.upsert', { email: late })
  await owner.get('contact.upsert', { email: 'unlisted@example.com' })
  assert.equal((await suppressedOf(owner, late))[0]?.reason, 'bounce')
  assert.equal((await suppressedOf(owner, 'unlisted@example.com')).length, 0)
  const refused = await owner.call('email.send', { to: never, ...mail })
  assert.match(refused.text, /suppressed \(bounce\)/)
  // Another business has its own suppression list.
  const { owner: other } = await scene()
  await other.get('contact.upsert', { email: late })
  assert.equal((await suppressedOf(other, late)).length, 0)
})

test('an address suppressed by its hash is recognised when an update adds it to a contact', async () => {
  const { owner } = await scene()
  const phone = '+33612345678'
  await imported(owner, [{ sha256: sha256(phone), reason: 'complaint' }])
  await owner.get('contact.upsert', { email: 'ana@example.com' })
  await owner.get('contact.upsert', { email: 'ana@example.com', phone })
  const { suppressions } = await owner.get<Listed>('suppression.list', { phone })
  assert.deepEqual([suppressions[0]?.reason, suppressions[0]?.address], ['complaint', phone])
})

test('lifting a suppression removes its hash, and an erasure leaves no hash', async () => {
  const { businessId, owner } = await scene()
  const person = await testbed.appCaller({ businesses: [businessId], role: 'owner' } as never)
  const [one, two, three] = ['one@example.com', 'two@example.com', 'three@example.com']
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', { email: one })
  await owner.get('contact.upsert', { email: two })
  await imported(
    owner,
    [one, two, three].map((email) => ({ sha256: sha256(email), reason: 'bounce' })),
  )
  await person.get('suppression.lift', { email: two, reason: 'They wrote to us.' })
  await person.get('suppression.lift', { email: three, reason: 'They wrote to us.' })
  await owner.get('contact.erase', { contact_id })
  const left = await testbed.db.all(sql`
    select from suppressed_hashes where business_id = ${businessId}
  `)
  assert.equal(left.length, 0)
  await owner.get('email.send', { to: three, ...mail })
})

test('a hash without a contact is listed as a hash, in pages, and can be lifted by its id', async () => {
  const { businessId, owner } = await scene()
  const person = await testbed.appCaller({ businesses: [businessId], role: 'owner' } as never)
  const [hash, other] = [sha256('nobody@example.com'), sha256('else@example.com')]
  await owner.get('contact.upsert', { email: 'here@example.com' })
  await imported(owner, [
    { sha256: hash, reason: 'complaint', at: '2026-03-02' },
    { sha256: other, reason: 'manual', at: '2026-03-01' },
    { sha256: sha256('here@example.com'), reason: 'bounce', at: '2026-03-03' },
    { email: 'left@example.com', reason: 'unsubscribed', at: '2026-03-04' },
  ])
  interface Shown {
    suppressions: {
      suppression_id: string
      sha256: string | null
      channel: string | null
      reason: string
      since: string
    }[]
    next_cursor?: string
  }
  const seen: Shown['suppressions'] = []
  let cursor: string | undefined
  do {
    const input = { limit: 1, ...(cursor && { cursor }) }
    const page = await owner.get<Shown>('suppression.list', input)
    seen.push(...page.suppressions)
    cursor = page.next_cursor
  } while (cursor && seen.length < 10)
  assert.deepEqual(
    seen.map((entry) => [entry.reason, entry.sha256, entry.channel, entry.since.slice(0, 10)]),
    [
      ['unsubscribed', null, 'email', '2026-03-04'],
      ['bounce', null, 'email', '2026-03-03'],
      ['complaint', hash, null, '2026-03-02'],
      ['manual', other, null, '2026-03-01'],
    ],
  )
  const asked = await owner.get<Shown>('suppression.list', { email: 'nobody@example.com' })
  assert.deepEqual(
    asked.suppressions.map((suppression) => suppression.sha256),
    [hash],
  )
  const { suppression_id } = asked.suppressions[0] ?? {}
  await person.get('suppression.lift', { suppression_id, reason: 'Listed by mistake.' })
  assert.equal((await suppressedOf(owner, 'nobody@example.com')).length, 0)
  assert.equal((await owner.get<Shown>('suppression.list')).suppressions.length, 3)
})

test('an invalid row of imported suppressions is refused without affecting the other rows', async () => {
  const { owner } = await scene()
  const answer = await imported(owner, [
    { email: 'fine@example.com', reason: 'manual' },
    { email: 'no address', reason: 'manual' },
    { email: 'a@example.com', phone: '+33612345678', reason: 'manual' },
    { sha256: 'abc', reason: 'manual' },
    { email: 'a@example.com', reason: 'erased' },
    { email: 'a@example.com', reason: 'manual', at: '2999-01-01' },
    { email: 'a@example.com', reason: 'manual', at: 'yesterday' },
  ])
  assert.deepEqual([answer.taken, answer.refused], [1, 6])
  const places = answer.refusals.flatMap(({ rows }) => rows).sort((a, b) => a - b)
  assert.deepEqual(places, [1, 2, 3, 4, 5, 6])
  const { suppressions } = await owner.get<Listed>('suppression.list')
  assert.equal(suppressions.length, 1)
  // One row more than the contract's limit.
  const many = Array.from({ length: 10_001 }, () => ({ email: 'a@example.com', reason: 'manual' }))
  assert.equal((await owner.call('suppression.import', { suppressions: many })).kind, 'refusal')
})
