import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { callerIn, testVault } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import type { Lookup, Resolver } from '../../lib/dns/resolver.ts'
import { checkLimits, contactCheck } from './check.ts'
import { providerMeant } from './likely-typos.ts'
import { domainsWithoutMail } from './mail-domains.ts'

let database: TestDatabase
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const absent: Lookup = { outcome: 'absent', retryIn: 60, aliases: [] }

/** The records of each domain; any other domain has an MX. */
function dnsOf(records: Record<string, { mx?: string; a?: true }>): Resolver {
  const asked = (name: string, type: string): Lookup => {
    const { mx, a } = records[name] ?? { mx: `mx.${name}` }
    if (mx === 'fails') return { outcome: 'failed', failure: 'timeout', aliases: [] }
    const found = { outcome: 'found' as const, ttl: 60, aliases: [] }
    if (type === 'MX' && mx !== undefined) {
      return { ...found, records: [{ name, type: 'MX', ttl: 60, preference: 10, exchange: mx }] }
    }
    if (type === 'A' && a)
      return { ...found, records: [{ name, type: 'A', ttl: 60, address: '192.0.2.1' }] }
    return absent
  }
  return { lookup: (name, type) => Promise.resolve(asked(name, type) as never) }
}

const resolver = dnsOf({
  'no-mail.example': {},
  'refuses.example': { mx: '' },
  'address.example': { a: true },
  'silent.example': { mx: 'fails' },
})
const operation = contactCheck({ domains: { resolver, vault: testVault } })

interface Checked {
  contacts: number
  emails: number
  without_mail: number
  typos: number
  roles: number
  throw_away: number
  subscribed: number
  without_evidence: number
  domains: { all: number; asked: number }
  untrusted: {
    most_frequent: Record<
      'without_mail' | 'typos' | 'throw_away',
      { domain: string; meant?: string }[]
    >
  }
  proposals: string[]
}

test('likely invalid addresses are counted by kind and listed by domain', async () => {
  const id = await newBusiness(database.db)
  const caller = callerIn({ db: database.db, clock }, id)
  const agreed = { status: 'subscribed', source: 'a page' } as const
  const outcomes = await saveAll(
    database.db,
    [
      'a@no-mail.example',
      'b@no-mail.example',
      'a@refuses.example',
      'a@address.example',
      'a@silent.example',
      'a@gmial.com',
      'b@gmail.com',
      'info@fine.example',
      'a@mailinator.com',
      'a@sub.mailinator.com',
    ].map((email) => toSave(id, { email })),
  )
  assert.equal(outcomes.length, 10)
  await saveAll(database.db, [
    toSave(id, { email: 'words@fine.example', consent: { email: { ...agreed, text: 'Yes.' } } }),
    toSave(id, { email: 'ip@fine.example', consent: { email: { ...agreed, ip: '192.0.2.7' } } }),
    toSave(id, { email: 'bare@fine.example', consent: { email: agreed } }),
    toSave(id, { phone: '+33612345678' }),
  ])
  const { untrusted, proposals, ...counts } = await caller.get<Checked>(operation)
  assert.deepEqual(counts, {
    contacts: 14,
    emails: 13,
    without_mail: 3,
    typos: 1,
    roles: 1,
    throw_away: 2,
    subscribed: 3,
    without_evidence: 1,
    domains: { all: 9, asked: 8 },
  })
  assert.deepEqual(untrusted.most_frequent.without_mail, [
    { domain: 'no-mail.example', contacts: 2 },
    { domain: 'refuses.example', contacts: 1 },
  ])
  assert.deepEqual(untrusted.most_frequent.typos, [
    { domain: 'gmial.com', contacts: 1, meant: 'gmail.com' },
  ])
  assert.deepEqual(
    untrusted.most_frequent.throw_away.map(({ domain }) => domain),
    ['mailinator.com', 'sub.mailinator.com'],
  )
  assert.equal(proposals.length, 4)
})

test('a clean list has no proposals, and a business can run a limited number of checks an hour', async () => {
  const id = await newBusiness(database.db)
  const caller = callerIn({ db: database.db, clock }, id)
  await saveAll(database.db, [toSave(id, { email: 'ana@gmail.com' })])
  for (let n = 0; n < checkLimits.perHour; n++) {
    assert.deepEqual((await caller.get<Checked>(operation)).proposals, [])
  }
  assert.equal((await caller.refused(operation)).code, 'rate_limited')
  clock.forward(3_600_001)
  await caller.get(operation)
})

test('a domain counts as misspelt only if it differs in one or two letters', () => {
  for (const [domain, meant] of [
    ['gmial.com', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['yaho.com', 'yahoo.com'],
    ['outlok.com', 'outlook.com'],
  ] as const) {
    assert.equal(providerMeant(domain), meant)
  }
  for (const domain of ['gmail.com', 'mail.com', 'ymail.com', 'yahoo.fr', 'example.com', 'ma.il']) {
    assert.equal(providerMeant(domain), undefined, domain)
  }
})

test('DNS lookups end at their time limit, and report how many were answered', async () => {
  const never: Resolver = {
    lookup: (_name, _type, signal) =>
      new Promise((resolve) => {
        const end = () => resolve({ outcome: 'failed', failure: 'timeout', aliases: [] } as never)
        if (signal?.aborted) end()
        signal?.addEventListener('abort', end)
      }),
  }
  const domains = Array.from({ length: 100 }, (_, n) => `d${n}.example`)
  const deadline = new AbortController()
  // Unlike that of `AbortSignal.timeout`, this timer keeps the process running.
  setTimeout(() => deadline.abort(), 50)
  const found = await domainsWithoutMail(never, domains, deadline.signal)
  assert.deepEqual(found, { without: [], asked: 0 })
})
