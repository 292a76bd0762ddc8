/**
 * The business's own id of a person. The last test makes random upserts, changes of addresses and
 * merges beside a simple model; CASES sets how many, and `npm run soak -- --only external-ids` has
 * 10,000.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Random, seededRandom } from '../../../tests/crash/support/random.ts'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  consentsOf,
  eventsOf,
  saveAll,
  suppressAddress,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import { contactLimits, type Person } from './contact.ts'
import { contactGetByEmail } from './get-by-email.ts'
import { contactGetByExternalId } from './get-by-external-id.ts'
import { contactList } from './list.ts'
import { contactMerge } from './merge.ts'
import { contactUpsert } from './upsert.ts'

const cases = Number(process.env['CASES'] ?? 300)
const seed = Number(process.env['PROPERTY_SEED'] ?? 20_261_129)

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const merge = contactMerge({ traces: [] })

async function fresh(): Promise<{ caller: Caller; id: Id<'business'> }> {
  const id = await newBusiness(database.db)
  return { caller: callerIn({ db: database.db, clock }, id, { isApiKey: true }), id }
}

interface Saved {
  contact_id: string
  created: boolean
}
interface Whole {
  contact_id: string
  email: string | null
  external_id: string | null
  consent: { email: { status: string; history: { action: string; source: string }[] } }
}

const refusalOf = (caller: Caller, input: object): Promise<Refusal> =>
  caller.refused(contactUpsert, input)

const agreed = { email: { status: 'subscribed', source: 'checkout', text: 'Send me news.' } }

test('a new email address with a known external_id changes the person and keeps the consent', async () => {
  const { caller, id } = await fresh()
  const first = { external_id: 'u-1', email: 'ana@old.example', consent: agreed }
  const { contact_id } = await caller.get<Saved>(contactUpsert, first)
  const moved = { external_id: 'u-1', email: 'Ana@New.example' }
  assert.deepEqual(await caller.get<Saved>(contactUpsert, moved), { contact_id, created: false })
  const seen = await caller.get<Whole>(contactGetByExternalId, { external_id: 'u-1' })
  assert.deepEqual([seen.contact_id, seen.email], [contact_id, 'ana@new.example'])
  assert.equal(seen.consent.email.status, 'subscribed')
  assert.deepEqual(
    seen.consent.email.history.map(({ action, source }) => [action, source]),
    [
      ['subscribed', 'the email address was replaced'],
      ['subscribed', 'checkout'],
    ],
  )
  const last = (await eventsOf(database.db, id)).at(-1)
  assert.equal(last?.type, 'contact.updated')
  assert.deepEqual([last?.data['external_id'], last?.data['changed']], ['u-1', ['email']])
  // Nothing changes when it is said again.
  await caller.get(contactUpsert, moved)
  assert.equal((await eventsOf(database.db, id)).length, 2)
  assert.equal((await consentsOf(database.db, id)).length, 2)
})

test('a contact is found by its address, by its id in either case, and in the list', async () => {
  const { caller } = await fresh()
  const ana = await caller.get<Saved>(contactUpsert, { external_id: 'Id', email: 'a@x.example' })
  const bo = await caller.get<Saved>(contactUpsert, { external_id: 'id', email: 'b@x.example' })
  assert.notEqual(ana.contact_id, bo.contact_id)
  const found = async (operation: Operation, input: object) =>
    (await caller.get<Whole>(operation, input)).contact_id
  assert.equal(await found(contactGetByExternalId, { external_id: 'Id' }), ana.contact_id)
  assert.equal(await found(contactGetByEmail, { email: ' B@x.example' }), bo.contact_id)
  const listed = async (input: object) => {
    const { contacts } = await caller.get<{ contacts: Whole[] }>(contactList, input)
    return contacts.map(({ contact_id }) => contact_id)
  }
  assert.deepEqual(await listed({ email: 'A@x.example' }), [ana.contact_id])
  assert.deepEqual(await listed({ external_id: 'id' }), [bo.contact_id])
  assert.deepEqual(await listed({ external_id: 'id', email: 'a@x.example' }), [])
  assert.deepEqual(await listed({ email: 'nobody@x.example' }), [])
  assert.deepEqual(await listed({ external_id: 'id', tag: 'vip' }), [])
  const is = (op: string, value: unknown) => ({ filter: { field: 'external_id', op, value } })
  assert.deepEqual(await listed(is('is', 'Id')), [ana.contact_id])
  assert.deepEqual(await listed(is('in', ['id', 'other'])), [bo.contact_id])
  assert.deepEqual(await listed(is('starts_with', 'i')), [bo.contact_id, ana.contact_id])
  for (const operation of [contactGetByExternalId, contactGetByEmail]) {
    const field = operation === contactGetByEmail ? 'email' : 'external_id'
    const answer = await caller.refused(operation, { [field]: 'c@x.example' })
    assert.deepEqual([answer.code, answer.details.field], ['not_found', field])
  }
})

test('clashes are refused with what mends them', async () => {
  const { caller, id } = await fresh()
  const business_id = formatId('business', id)
  const ana = await caller.get<Saved>(contactUpsert, { external_id: '1', email: 'a@x.example' })
  const bo = await caller.get<Saved>(contactUpsert, { external_id: '2', email: 'b@x.example' })
  const both = await refusalOf(caller, { external_id: '1', email: 'b@x.example' })
  assert.equal(both.code, 'conflict')
  assert.deepEqual(both.details.fix, {
    tool: 'contact.merge',
    arguments: { business_id, contact_id: ana.contact_id, other_contact_id: bo.contact_id },
  })
  const taken = await refusalOf(caller, { external_id: '3', email: 'b@x.example' })
  assert.deepEqual([taken.code, taken.details.field], ['conflict', 'external_id'])
  assert.deepEqual(taken.details.fix, {
    tool: 'contact.get',
    arguments: { business_id, contact_id: bo.contact_id },
  })
  const unknown = await refusalOf(caller, { external_id: '3' })
  assert.deepEqual([unknown.code, unknown.details.field], ['invalid_request', 'email'])
  for (const external_id of [' 1', '1\n', 'a\tb']) {
    const wrong = await refusalOf(caller, { external_id, email: 'a@x.example' })
    assert.equal(wrong.details.field, 'external_id')
  }
  const long = 'é'.repeat(contactLimits.externalIdLength)
  await caller.get(contactUpsert, { external_id: long, email: 'long@x.example' })
  await refusalOf(caller, { external_id: `${long}é`, email: 'long@x.example' })
  const merged = await caller.get<{ left_out: object }>(merge, {
    contact_id: ana.contact_id,
    other_contact_id: bo.contact_id,
  })
  assert.deepEqual(merged.left_out, { email: 'b@x.example', external_id: '2' })
})

test('a no stays with the address that its person gives up, by a change or a merge', async () => {
  const { caller, id } = await fresh()
  const left = { email: { status: 'unsubscribed', source: 'a call' } }
  await caller.get(contactUpsert, { external_id: '1', email: 'no@x.example', consent: left })
  await caller.get(contactUpsert, { external_id: '1', email: 'new@x.example' })
  const heir = { external_id: '2', email: 'no@x.example', consent: agreed }
  await caller.get(contactUpsert, heir)
  const other = { external_id: '3', email: 'other@x.example', consent: left }
  const [two, three] = [
    await caller.get<Whole>(contactGetByExternalId, { external_id: '2' }),
    await caller.get<Saved>(contactUpsert, other),
  ]
  const named = { contact_id: two.contact_id, other_contact_id: three.contact_id }
  await caller.get(merge, named)
  await caller.get(contactUpsert, { email: 'other@x.example', consent: agreed })
  assert.deepEqual(await mailable(id), [])
})

test('what nobody has confirmed yet was asked at the old address, and is not', async () => {
  const { caller } = await fresh()
  const asked = { email: { status: 'pending', source: 'a form' } }
  await caller.get(contactUpsert, { external_id: '1', email: 'a@x.example', consent: asked })
  await caller.get(contactUpsert, { external_id: '1', email: 'b@x.example' })
  const seen = await caller.get<Whole>(contactGetByExternalId, { external_id: '1' })
  assert.equal(seen.consent.email.status, 'none')
})

test('the address of an erased person is given to nobody by a change', async () => {
  const { caller, id } = await fresh()
  await suppressAddress(database.db, id, 'gone@x.example')
  await caller.get(contactUpsert, { external_id: '1', email: 'a@x.example' })
  const refusal = await refusalOf(caller, { external_id: '1', email: 'gone@x.example' })
  assert.equal(refusal.details['data']?.['reason'], 'erased')
})

/** The addresses that marketing reaches. */
async function mailable(businessId: Id<'business'>): Promise<string[]> {
  const rows = await database.db.all<{ email: string }>(sql`
    select email from contacts c
    where business_id = ${businessId} and email_consent = 'subscribed' and not exists (
      select from suppressions s where s.business_id = ${businessId} and s.channel = 'email'
        and s.address_hmac = c.email_mark)
    order by email
  `)
  return rows.map(({ email }) => email)
}

interface Known {
  id: Id<'contact'>
  externalId: string | null
  email: string | null
  phone: string | null
  hasLeft: boolean
}

/** Who is who, by the rules as a reader would say them: for one person at a time. */
class Model {
  people: Known[] = []
  /** Addresses whose person said no there, and has not taken it back. */
  readonly noes = new Set<string>()

  find({ external_id, email, phone }: Person): Known | 'conflict' | 'nobody' {
    const with_ = (field: 'externalId' | 'email' | 'phone', value: string | undefined) =>
      value === undefined ? undefined : this.people.find((known) => known[field] === value)
    const [byId, byEmail, byPhone] = [
      with_('externalId', external_id),
      with_('email', email),
      with_('phone', phone),
    ]
    const found = new Set([byId, byEmail, byPhone].filter((known) => known !== undefined))
    if (found.size > 1) return 'conflict'
    const [known] = found
    if (!known) return 'nobody'
    if (byId) return known
    if (external_id !== undefined && known.externalId !== null) return 'conflict'
    return email !== undefined && known.email !== null && known.email !== email ? 'conflict' : known
  }

  /** The contact as it becomes; a code where the call is refused. */
  save(person: Person): Known | string {
    const found = this.find(person)
    if (found === 'conflict') return 'conflict'
    const { external_id, email, phone, consent } = person
    const before = found === 'nobody' ? undefined : found
    if (!before && email === undefined && phone === undefined) return 'invalid_request'
    if (consent?.email && (email ?? before?.email ?? null) === null) return 'invalid_request'
    const known = before ?? {
      id: '' as Id<'contact'>,
      externalId: null,
      email: null,
      phone: null,
      hasLeft: false,
    }
    known.externalId = external_id ?? known.externalId
    known.email = email ?? known.email
    known.phone = phone ?? known.phone
    if (!before) this.people.push(known)
    if (consent?.email?.status === 'unsubscribed') known.hasLeft = true
    if (isReturn(person)) known.hasLeft = false
    if (known.hasLeft && known.email !== null) this.noes.add(known.email)
    return known
  }

  merge(to: Known, from: Known): void {
    this.people = this.people.filter((known) => known !== from)
    to.externalId ??= from.externalId
    to.email ??= from.email
    to.phone ??= from.phone
    to.hasLeft ||= from.hasLeft
    if (to.hasLeft && to.email !== null) this.noes.add(to.email)
  }
}

const words = { source: 'a call', text: 'I want it again.', at: new Date('2026-11-20T10:01:00Z') }
const consents: Person['consent'][] = [
  undefined,
  undefined,
  { email: { status: 'subscribed', source: 'a page' } },
  { email: { status: 'unsubscribed', source: 'a call' } },
  { email: { status: 'subscribed', ...words } },
]

/** Words of the person that are later than their no. */
const isReturn = ({ consent }: Person) => consent?.email?.at !== undefined

function anyPerson(random: Random): Person {
  const pick = <T>(all: readonly T[]): T => all[random.whole(0, all.length - 1)] as T
  const person: Person = {}
  if (random.whole(1, 10) <= 7) person.email = `${pick(['a', 'b', 'c', 'd', 'e', 'f'])}@x.example`
  if (random.whole(1, 10) <= 3) person.phone = `+3360000000${pick([1, 2, 3])}`
  if (random.whole(1, 10) <= 6 || Object.keys(person).length === 0) {
    person.external_id = pick(['1', '2', '3', 'x', 'X'])
  }
  const consent = pick(consents)
  return consent ? { ...person, consent } : person
}

test('no address that was opted out is mailable by a change or a merge', async (t) => {
  const { db } = database
  const random = seededRandom(seed)
  let steps = 0
  let [conflicts, moves, returns] = [0, 0, 0]
  while (steps < cases) {
    const { caller, id } = await fresh()
    const model = new Model()
    let reached = new Set<string>()
    for (let round = 0; round < 60 && steps < cases; round++) {
      const allowed = new Set<string>()
      if (random.whole(1, 6) === 1 && model.people.length > 1) {
        steps++
        const [to, from] = [0, 1].map((n) => {
          return model.people[(random.whole(0, model.people.length - 2) + n) % model.people.length]
        })
        if (!to || !from || to === from) continue
        const [contact_id, other_contact_id] = [to, from].map((known) =>
          formatId('contact', known.id),
        )
        await caller.get(merge, { contact_id, other_contact_id })
        model.merge(to, from)
      } else {
        const people = Array.from({ length: random.whole(1, 4) }, () => anyPerson(random))
        steps += people.length
        const outcomes = await saveAll(
          db,
          people.map((person) => toSave(id, person)),
        )
        for (const [n, person] of people.entries()) {
          const before = model.find(person)
          const from = typeof before === 'object' ? before.email : null
          const expected = model.save(person)
          const outcome = outcomes[n]
          const shown = `seed ${seed}, step ${steps}: ${JSON.stringify(person)}`
          if (typeof expected === 'string') {
            assert.ok(isRefusal(outcome) && outcome.code === expected, shown)
            conflicts++
            continue
          }
          assert.ok(outcome && !isRefusal(outcome), `${shown} ${JSON.stringify(outcome)}`)
          if (expected.id === '') expected.id = outcome.id
          assert.equal(outcome.id, expected.id, shown)
          if (from !== null && from !== expected.email) moves++
          if (isReturn(person) && expected.email !== null) allowed.add(expected.email)
        }
      }
      const now = new Set(await mailable(id))
      for (const email of now) {
        if (reached.has(email) || !model.noes.has(email)) continue
        assert.ok(allowed.has(email), `seed ${seed}, step ${steps}: ${email} had opted out`)
        model.noes.delete(email)
        returns++
      }
      reached = now
    }
    const rows = await db.all<object>(sql`
      select id, external_id as "externalId", email, phone from contacts
      where business_id = ${id} order by id
    `)
    const known = model.people.map(({ id, externalId, email, phone }) => ({
      id,
      externalId,
      email,
      phone,
    }))
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      known.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
  }
  assert.ok(conflicts > 0 && moves > 0 && returns > 0, 'a case never came up')
  t.diagnostic(
    `${steps} upserts and merges: ${moves} addresses changed, ${conflicts} calls were refused, ${returns} people came back by their own words`,
  )
})
