/** Every act for which a business can ask for a fresh second factor, by every operation that does it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import test, { after, before } from 'node:test'
import { type FactorAct, factorActs } from 'crier-server/core/factor-act.ts'
import { formatId, newId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { draftFor } from '../support/businesses/campaign-drafts.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { connectApp } from '../support/clients/connected-app.ts'
import { everyOperation, type OwnTestbed, openTestbed } from './support/testbed.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

/** An owner, and what the acts are done to. */
async function scene() {
  const { db } = testbed
  const business = await testbed.newBusiness('scale')
  const businesses = [business]
  const owner = await testbed.appCaller({ businesses })
  const member = await testbed.appCaller({ businesses, role: 'editor' })
  const app = { userId: owner.userId, businesses, transactionalPerDay: 10 }
  const { connectionId } = await connectApp(db, app)
  const { key } = await newApiKey(db, { businessId: business })
  const campaignIn = async (state: string, reason: string | null) => {
    const id = await draftFor(db, business)
    await db.run(sql`
      update campaigns set state = ${state}, pause_reason = ${reason} where id = ${id}
    `)
    return formatId('campaign', id)
  }
  return {
    business,
    owner,
    business_id: formatId('business', business),
    user_id: formatId('user', member.userId),
    connection_id: formatId('connection', connectionId),
    key_id: formatId('connection', key.id),
    waiting: await campaignIn('awaiting_approval', null),
    paused: await campaignIn('paused', 'approval'),
  }
}

type Scene = Awaited<ReturnType<typeof scene>>

/** By the act of the design, each operation that does it, with an input that it takes. */
const acts: Record<FactorAct, Record<string, (scene: Scene) => Record<string, unknown>>> = {
  approving: {
    'campaign.decide': ({ waiting }) => ({
      campaign_id: waiting,
      decision: 'approve',
      plan_hash: 'x',
    }),
    'campaign.resume': ({ paused }) => ({ campaign_id: paused }),
    'feed.decide': () => ({
      feed_id: formatId('feed', newId('feed')),
      decision: 'approve',
      plan_hash: 'x',
    }),
    'sequence.decide': () => ({
      sequence_id: formatId('sequence', newId('sequence')),
      decision: 'approve',
      plan_hash: 'x',
    }),
    'proposal.decide': () => ({ batch_id: formatId('batch', newId('batch')), decision: 'approve' }),
  },
  mandates: {
    'mandate.sign': ({ connection_id }) => ({
      connection_id,
      goal: 'News',
      people_per_week: 10,
      days: 7,
    }),
    'mandate.save': () => ({ mandate_id: formatId('mandate', newId('mandate')), paused: false }),
  },
  keys: {
    'key.create': () => ({ name: 'Program' }),
    'key.take_over': ({ key_id }) => ({ key_id }),
  },
  exports: {
    'export.create': () => ({ filter: { tag: 'vip' } }),
    'contact.export': () => ({ contact_id: formatId('contact', newId('contact')) }),
    'audit.export': () => ({}),
  },
  lifting: { 'suppression.lift': () => ({ email: 'a@example.com', reason: 'a test' }) },
  limits: {
    'business.save': () => ({ deploy_limit: 1_000 }),
    'connection.save': ({ connection_id }) => ({ connection_id, transactional_per_day: 100 }),
    'key.save': ({ key_id }) => ({ key_id, recipients_per_day: 9_000 }),
  },
  members: {
    'member.save': () => ({ email: 'new@example.com', role: 'viewer' }),
    'member.remove': ({ user_id }) => ({ user_id }),
    'member.release': ({ user_id }) => ({ user_id }),
    'factor.require': () => ({ required: false, asks_fresh: false }),
    'factor.reset': ({ user_id }) => ({ user_id }),
    'factor.accept': ({ user_id }) => ({ user_id }),
    'ownership.offer': ({ user_id }) => ({ user_id }),
    'ownership.answer': () => ({ accept: true }),
    'company.save': () => ({
      issuer: 'https://login.example',
      client_id: 'x',
      name: 'Works',
      domains: [],
    }),
    'company.remove': () => ({}),
  },
  closing: { 'business.close': () => ({ name: 'x' }) },
}

/** Operations without a business of their own: what they change reaches any of the person's. */
const ofPerson = new Set(['connection.save'])

test('each act is refused without a fresh factor, in every business that asks for one, and says what to do', async () => {
  const all = await scene()
  const { owner, business, business_id } = all
  await owner.call('member.list', { business_id })
  await testbed.db.run(sql`
    update businesses set asks_fresh_factor = true, deploy_limit = 0 where id = ${business}
  `)
  // Never, just too long ago, and long ago.
  for (const provenAgo of [undefined, 5, 600]) {
    await testbed.db.run(sql`
      update sessions set proven_at = now() - make_interval(mins => ${provenAgo ?? null}::int)
      where user_id = ${owner.userId}
    `)
    for (const [act, operations] of Object.entries(acts)) {
      for (const [name, inputOf] of Object.entries(operations)) {
        const input = { ...(!ofPerson.has(name) && { business_id }), ...inputOf(all) }
        const { status, body, text } = await owner.call(name, input)
        const shown = [status, body['code'], body['reason']]
        assert.deepEqual(shown, [403, 'access_denied', 'fresh_factor'], `${name}: ${text}`)
        assert.ok(String(body['message']).startsWith(factorActs[act as FactorAct]), name)
        assert.deepEqual(body['fix'], { url: `${testbed.service.config.appUrl}/confirm` })
      }
    }
  }
  // With one, none of them is refused for that any more.
  await testbed.db.run(sql`
    update sessions set proven_at = now() - interval '4 minutes' where user_id = ${owner.userId}
  `)
  for (const operations of Object.values(acts)) {
    for (const [name, inputOf] of Object.entries(operations)) {
      if (name === 'ownership.answer' || name === 'factor.require') continue
      const input = { ...(!ofPerson.has(name) && { business_id }), ...inputOf(all) }
      const { body } = await owner.call(name, input)
      assert.notEqual(body['reason'], 'fresh_factor', name)
    }
  }
})

test('where no business asks for a fresh factor, none of them is refused for that', async () => {
  const all = await scene()
  const { owner, business_id } = all
  for (const operations of Object.values(acts)) {
    for (const [name, inputOf] of Object.entries(operations)) {
      const input = { ...(!ofPerson.has(name) && { business_id }), ...inputOf(all) }
      const { body } = await owner.call(name, input)
      assert.notEqual(body['reason'], 'fresh_factor', name)
    }
  }
})

test('every operation that asks for a fresh factor is in this table', async () => {
  const named = new Set(Object.values(acts).flatMap((operations) => Object.keys(operations)))
  const short = (name: string) => name.replace(/^svc\.v1\./, '')
  for (const { name, freshFactor } of everyOperation) {
    if (freshFactor) assert.ok(named.has(short(name)), name)
    if (freshFactor) assert.ok(Object.hasOwn(acts[freshFactor], short(name)), `${name}: its act`)
  }
  // Those that ask within `run`, since it depends on what is asked of them.
  const source = path.join(import.meta.dirname, '../../server/src')
  const files: string[] = []
  for await (const file of glob('**/*.ts', { cwd: source })) {
    const text = readFileSync(path.join(source, file), 'utf8')
    if (/\bcheckFreshFactor\(/.test(text) && !file.endsWith('.test.ts')) files.push(file)
  }
  assert.deepEqual(files.toSorted(), [
    'accounts/settings/save.ts',
    'assistants/mandate.ts',
    'campaigns/decide.ts',
    'campaigns/resume.ts',
    'core/fresh-factor.ts',
    'feeds/decide.ts',
    // The limits of connections and of keys.
    'oauth/connections/loosening.ts',
    'operations/call.ts',
    'sequences/decide.ts',
  ])
})
