import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { TestRights, webhookTools } from '../../../../tests/support/businesses/webhooks.ts'
import { type Caller, callerIn, testVault } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import type { Id } from '../../core/ids.ts'
import type { Scope } from '../../core/operation.ts'
import { eventTypeNames, missingScopes } from '../../events/catalog.ts'
import { sql } from '../../lib/db/db.ts'
import { createGuard } from '../../lib/http-client/outbound-guard.ts'
import { hours } from '../../lib/time/clock.ts'
import { webhookSave } from './save.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const rights = new TestRights()
const tools = webhookTools({ rights })

interface Made {
  webhook_id: string
  signing_secret: string
}

interface Seen {
  webhook_id: string
  url: string
  events: string[]
  description?: string
  status: string
  paused_because?: string
}

const input = { url: 'https://a.example/hook', events: ['contact.created', 'usage.threshold'] }

async function inBusiness(tier: 'free' | 'growth' | 'scale' = 'scale') {
  const id = await newBusiness(database.db, tier)
  const caller = (scopes?: readonly Scope[]): Caller =>
    callerIn({ db: database.db, clock }, id, { tier, ...(scopes && { scopes }) })
  return { id, caller, owner: caller() }
}

test('a new webhook is answered with exactly the contract’s five fields', async () => {
  const { owner } = await inBusiness()
  const made = await owner.get<Record<string, unknown>>(tools.save, input)
  assert.deepEqual(Object.keys(made).toSorted(), [
    'created_at',
    'events',
    'signing_secret',
    'url',
    'webhook_id',
  ])
  assert.match(String(made['webhook_id']), /^whk_/)
  assert.match(String(made['signing_secret']), /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(made['created_at'], clock.now().toISOString())
})

test('reading a webhook shows everything but the secret, and no row stores the secret in the clear', async () => {
  const { owner } = await inBusiness()
  const made = await owner.get<Made>(tools.save, {
    ...input,
    description: 'Ours',
    idempotency_key: 'k',
  })
  const [listed] = (await owner.get<{ webhooks: Seen[] }>(tools.list)).webhooks
  const read = await owner.get<Seen>(tools.get, { webhook_id: made.webhook_id })
  assert.deepEqual(listed, read)
  assert.deepEqual([read.url, read.events, read.description], [input.url, input.events, 'Ours'])
  assert.equal(read.status, 'active')
  const secret = made.signing_secret.slice('whsec_'.length)
  assert.ok(!JSON.stringify([listed, read]).includes(secret))
  const { found } = await database.db.one<{ found: number }>(sql`
    select (select count(*) from idempotency_keys where answer::text like ${`%${secret}%`})
      + (select count(*) from webhook_secrets where encode(sealed, 'escape') like ${`%${secret}%`})
      as found
  `)
  assert.equal(found, 0)
})

test('repeating a call with its idempotency key returns the same secret and creates nothing', async () => {
  const { owner } = await inBusiness()
  const keyed = { ...input, idempotency_key: 'once' }
  const first = await owner.get<Made>(tools.save, keyed)
  assert.deepEqual(await owner.get<Made>(tools.save, keyed), first)
  const rotate = { webhook_id: first.webhook_id, idempotency_key: 'turn' }
  const rotated = await owner.get<Made>(tools.rotate, rotate)
  assert.deepEqual(await owner.get<Made>(tools.rotate, rotate), rotated)
  assert.notEqual(rotated.signing_secret, first.signing_secret)
  assert.equal((await owner.get<{ webhooks: Seen[] }>(tools.list)).webhooks.length, 1)
})

test('a webhook may subscribe only to event types that the scopes allow', async () => {
  const { caller } = await inBusiness()
  const always = eventTypeNames.filter((type) => /^(domain|usage|webhook)\./.test(type))
  const ofAudience = eventTypeNames.filter((type) => /^(contact|import)\./.test(type))
  const ofMessaging = eventTypeNames.filter((type) => /^(campaign|message)\./.test(type))
  const cases: [Scope[], string[]][] = [
    [[], always],
    [['audience:read'], [...ofAudience, ...always]],
    [['forms:read'], always],
    [
      ['audience:read', 'forms:read'],
      ['form.submitted', ...ofAudience, ...always],
    ],
    [
      ['messaging:send'],
      // What a person answers is data of the audience too.
      [...ofMessaging.filter((type) => type !== 'message.replied'), ...always],
    ],
  ]
  for (const [scopes, allowed] of cases) {
    const some = caller(['meta:read', 'provisioning:write', ...scopes])
    await some.get(tools.save, { ...input, events: allowed })
    for (const type of eventTypeNames.filter((name) => !allowed.includes(name))) {
      const { code, details } = await some.refused(tools.save, { ...input, events: [type] })
      assert.deepEqual([code, details.field], ['scope_required', 'events'], type)
      const lacking = missingScopes([type], new Set(['meta:read', 'provisioning:write', ...scopes]))
      assert.ok(lacking.length > 0)
      assert.equal(details.data?.['scope'], lacking.join(' '), type)
    }
  }
})

test('a token without the scopes of a webhook’s data may not change its URL or resume it', async () => {
  const { owner, caller } = await inBusiness()
  const { webhook_id } = await owner.get<Made>(tools.save, input)
  const narrow = caller(['meta:read', 'provisioning:write'])
  const mine = { webhook_id, url: 'https://thief.example/' }
  assert.equal((await narrow.refused(tools.save, mine)).code, 'scope_required')
  await narrow.get(tools.save, { webhook_id, status: 'paused' })
  await narrow.get(tools.save, { webhook_id, description: 'Held' })
  const resume = { webhook_id, status: 'active' }
  assert.equal((await narrow.refused(tools.save, resume)).code, 'scope_required')
  assert.equal((await owner.get<Seen>(tools.save, resume)).status, 'active')
  const fewer = await narrow.get<Seen>(tools.save, { webhook_id, events: ['usage.threshold'] })
  assert.deepEqual(fewer.events, ['usage.threshold'], 'less is always allowed')
})

test('a change leaves omitted fields as they are and never shows the secret', async () => {
  const { owner } = await inBusiness()
  const { webhook_id } = await owner.get<Made>(tools.save, { ...input, description: 'Old' })
  const changed = await owner.get<Seen & Partial<Made>>(tools.save, {
    webhook_id,
    events: ['contact.updated'],
  })
  assert.deepEqual(
    [changed.url, changed.events, changed.description, changed.signing_secret],
    [input.url, ['contact.updated'], 'Old', undefined],
  )
  const cleared = await owner.get<Seen>(tools.save, { webhook_id, description: '' })
  assert.equal(cleared.description, undefined)
})

test('a webhook pauses when its connection ends and belongs to the connection that resumes it', async () => {
  const { id, owner, caller } = await inBusiness()
  const { webhook_id } = await owner.get<Made>(tools.save, input)
  const { connection } = await database.db.one<{ connection: Id<'connection'> }>(
    sql`select holder_id as connection from webhooks where business_id = ${id}`,
  )
  rights.ended.add(connection)
  const other = caller()
  const seen = await other.get<Seen>(tools.get, { webhook_id })
  assert.deepEqual([seen.status, seen.paused_because], ['paused', 'connection_ended'])
  const resumed = await other.get<Seen>(tools.save, { webhook_id, status: 'active' })
  assert.deepEqual([resumed.status, resumed.paused_because], ['active', undefined])
  assert.equal((await other.get<Seen>(tools.get, { webhook_id })).status, 'active')
})

test('the tier limits the number of webhooks, and deleting one makes room for one', async () => {
  const { owner } = await inBusiness('free')
  const { webhook_id } = await owner.get<Made>(tools.save, input)
  const over = await owner.refused(tools.save, input)
  assert.equal(over.code, 'tier_required')
  assert.match(over.message, /allows 1 webhooks/)
  await owner.get(tools.delete, { webhook_id })
  await owner.get(tools.delete, { webhook_id })
  assert.equal((await owner.refused(tools.get, { webhook_id })).code, 'not_found')
  await owner.get(tools.save, input)
  assert.equal((await owner.refused(tools.save, input)).code, 'tier_required')
})

test('each missing or invalid field of a new webhook is named', async () => {
  const { owner } = await inBusiness()
  const wrong: [object, string, RegExp][] = [
    [{ events: input.events }, 'url', /missing/],
    [{ url: input.url }, 'events', /missing/],
    [{ ...input, events: [] }, 'events', /must not be empty/],
    [{ ...input, events: ['contact.gone'] }, 'events[0]', /must be one of form\.submitted/],
    [{ ...input, url: 'ftp://a.example/' }, 'url', /https/],
    [{ ...input, url: 'https://10.1.2.3/' }, 'url', /not public/],
    [{ ...input, url: `https://a.example/${'x'.repeat(2048)}` }, 'url', /2048/],
    [{ ...input, description: 'x'.repeat(501) }, 'description', /500/],
    [{ ...input, status: 'paused' }, 'status', /new webhook is active/],
  ]
  for (const [asked, field, message] of wrong) {
    const refused = await owner.refused(tools.save, asked)
    assert.deepEqual([refused.code, refused.details.field], ['invalid_request', field])
    assert.match(refused.message, message)
  }
})

test('a rotation ends the old secret at once or after its grace period, and at most two are valid', async () => {
  const { id, owner } = await inBusiness()
  const { webhook_id, signing_secret } = await owner.get<Made>(tools.save, input)
  const rotate = async (grace?: number) =>
    owner.get<Made & { rotated_at: string; previous_secret_expires_at: string }>(tools.rotate, {
      webhook_id,
      ...(grace !== undefined && { grace_period_seconds: grace }),
    })
  const rows = () =>
    database.db.all<{ version: number; expires_at: Date | null }>(sql`
      select version, expires_at from webhook_secrets where business_id = ${id} order by version
    `)
  const at = clock.now()
  const first = await rotate()
  assert.notEqual(first.signing_secret, signing_secret)
  assert.deepEqual(
    [first.rotated_at, first.previous_secret_expires_at],
    [at.toISOString(), at.toISOString()],
  )
  const second = await rotate(604_800)
  const until = new Date(at.getTime() + hours(7 * 24))
  assert.equal(second.previous_secret_expires_at, until.toISOString())
  assert.deepEqual(await rows(), [
    { version: 2, expires_at: until },
    { version: 3, expires_at: null },
  ])
  await rotate(60)
  assert.deepEqual(
    (await rows()).map(({ version }) => version),
    [3, 4],
  )
  const long = await owner.refused(tools.rotate, { webhook_id, grace_period_seconds: 604_801 })
  assert.equal(long.details.field, 'grace_period_seconds')
})

test('a URL on this machine is refused, and the refusal names the way to forward events to it', async () => {
  const { owner } = await inBusiness()
  const guard = createGuard({ allowHttp: false, rules: [] })
  const save = webhookSave({ vault: testVault, guard, rights })
  for (const url of [
    'https://localhost/hook',
    'https://127.0.0.1:8443/hook',
    'http://localhost:3000/hook',
    'https://[::1]/hook',
    'https://0.0.0.0/hook',
  ]) {
    const refusal = await owner.refused(save, { ...input, url })
    assert.equal(refusal.details.field, 'url')
    assert.match(refusal.message, /crier webhooks listen/, url)
    assert.match(refusal.message, /OUTBOUND_ALLOW=/, url)
  }
  for (const [url, reason] of [
    ['https://user:word@localhost/hook', /password/],
    ['ftp://localhost/hook', /https/],
  ] as const) {
    const { message } = await owner.refused(save, { ...input, url })
    assert.match(message, reason)
    assert.doesNotMatch(message, /webhooks listen/)
  }
  const elsewhere = await owner.refused(save, { ...input, url: 'https://10.0.0.1/hook' })
  assert.doesNotMatch(elsewhere.message, /webhooks listen/)
})
