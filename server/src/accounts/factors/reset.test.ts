/** An owner resets a member's factors: what has to happen first, and who can stop it. */
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { newMember } from '../../../../tests/support/clients/grants.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { hours } from '../../lib/time/clock.ts'
import type { FactorNotice } from './notice.ts'
import { factorsFromOperator } from './operator-reset.ts'
import { factorResetJobs } from './reset.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

async function addApp(userId: Id<'user'>) {
  await testbed.db.run(sql`
    insert into authenticator_apps (user_id, secret, added_at) values (${userId}, '\\x00', now())
    on conflict (user_id) do nothing
  `)
}

const hasApp = async (userId: Id<'user'>) =>
  (
    await testbed.db.one<{ found: boolean }>(sql`
      select exists (select from authenticator_apps where user_id = ${userId}) as found
    `)
  ).found

/** A business with a member who has an app, and two owners. */
async function staff() {
  const business = await testbed.newBusiness('scale')
  const businesses = [business]
  const owners = [
    await testbed.appCaller({ businesses }),
    await testbed.appCaller({ businesses }),
  ] as const
  const member = await testbed.appCaller({ businesses, role: 'editor' })
  await addApp(member.userId)
  const input = {
    business_id: formatId('business', business),
    user_id: formatId('user', member.userId),
  }
  return { business, owners, member, input }
}

/** Runs the job of a reset at that many hours from now. */
async function runJob({ business, member }: Awaited<ReturnType<typeof staff>>, inHours: number) {
  const notices: FactorNotice[] = []
  const jobs = factorResetJobs({
    db: testbed.db,
    clock: { now: () => new Date(Date.now() + hours(inHours)) },
    notices: { queue: async (_tx: unknown, notice: FactorNotice) => void notices.push(notice) },
  } as never)
  const payload = { business_id: business, user_id: member.userId }
  await jobs['people.factor-reset']?.run({ payload } as never, {} as never)
  return notices.map(({ event }) => event)
}

test('one owner’s reset is done after 24 hours and not before, and both are notices', async () => {
  const world = await staff()
  const { owners, member, input } = world
  const answer = await owners[0].get<{ status: string; due_at: string }>('factor.reset', input)
  assert.equal(answer.status, 'waiting')
  assert.ok(Math.abs(Date.parse(answer.due_at) - Date.now() - hours(24)) < 60_000)
  const again = await owners[0].get<{ due_at: string }>('factor.reset', input)
  assert.equal(again.due_at, answer.due_at, 'asking again does not hurry it')
  assert.deepEqual(await runJob(world, 23.9), [])
  assert.equal(await hasApp(member.userId), true)
  assert.deepEqual(await runJob(world, 24.1), ['reset_done', 'reset_done_by_you'])
  assert.equal(await hasApp(member.userId), false)
})

test('a second owner has it done at once, and the member is signed out', async () => {
  const { owners, member, input } = await staff()
  await member.call('member.list', { business_id: input.business_id })
  await owners[0].get('factor.reset', input)
  const done = await owners[1].get<{ status: string }>('factor.reset', input)
  assert.equal(done.status, 'done')
  assert.equal(await hasApp(member.userId), false)
  const { sessions } = await testbed.db.one<{ sessions: number }>(sql`
    select count(*)::int as sessions from sessions where user_id = ${member.userId}
  `)
  assert.equal(sessions, 0)
})

test('the member stops it, and an owner who left resets nothing', async () => {
  const stopped = await staff()
  await stopped.owners[0].get('factor.reset', stopped.input)
  const answer = await stopped.member.get<{ stopped: number }>('factor.stop_reset', {})
  assert.equal(answer.stopped, 1)
  assert.deepEqual(await runJob(stopped, 25), [])
  assert.equal(await hasApp(stopped.member.userId), true)

  const left = await staff()
  await left.owners[0].get('factor.reset', left.input)
  await testbed.db.run(sql`delete from memberships where user_id = ${left.owners[0].userId}`)
  assert.deepEqual(await runJob(left, 25), [])
  assert.equal(await hasApp(left.member.userId), true)
})

test('an owner takes a reset back, and everybody whom it concerns is told', async () => {
  const world = await staff()
  const { owners, member, input } = world
  await owners[0].get('factor.reset', input)
  assert.deepEqual(await owners[1].get('factor.withdraw_reset', input), { withdrawn: true })
  assert.deepEqual(await runJob(world, 25), [])
  assert.equal(await hasApp(member.userId), true)
  const notices = await testbed.db.all<{ reader: Id<'user'> }>(sql`
    select payload ->> 'user_id' as reader from jobs
    where kind = 'people.factor-mail' and payload ->> 'event' = 'reset_withdrawn'
  `)
  assert.deepEqual(
    notices.map(({ reader }) => reader).toSorted(),
    [member.userId, owners[0].userId].toSorted(),
  )
  assert.deepEqual(await owners[1].get('factor.withdraw_reset', input), { withdrawn: false })
  // It begins anew, and a reset of another business is none of theirs.
  assert.equal((await owners[1].get<{ status: string }>('factor.reset', input)).status, 'waiting')
  const other = await staff()
  const foreign = { ...input, business_id: other.input.business_id }
  assert.deepEqual(await other.owners[0].get('factor.withdraw_reset', foreign), {
    withdrawn: false,
  })
  assert.equal((await member.call('factor.withdraw_reset', input)).status, 403)
})

test('nobody resets their own, those of a stranger, or those that another business requires', async () => {
  const { owners, member, input } = await staff()
  const own = { ...input, user_id: formatId('user', owners[0].userId) }
  assert.equal((await owners[0].call('factor.reset', own)).body['reason'], 'own_factors')
  const stranger = await newMember(testbed.db, { businesses: [await testbed.newBusiness('scale')] })
  const ofStranger = { ...input, user_id: formatId('user', stranger) }
  assert.equal((await owners[0].call('factor.reset', ofStranger)).status, 404)
  const strict = await testbed.newBusiness('scale')
  await testbed.db.run(sql`
    update businesses set factor_required_from = now() where id = ${strict}
  `)
  await testbed.db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    values (${strict}, ${member.userId}, 'viewer', now())
  `)
  const refused = await owners[0].call('factor.reset', input)
  assert.equal(refused.body['reason'], 'reset_by_operator')
})

test('the operator sees and resets the factors of anybody', async () => {
  const { member } = await staff()
  const { email } = await testbed.db.one<{ email: string }>(sql`
    select email from users where id = ${member.userId}
  `)
  const now = new Date()
  const shown = await factorsFromOperator(testbed.db, { email, reset: false, now })
  assert.equal(shown.authenticator_app, true)
  const after = await factorsFromOperator(testbed.db, { email, reset: true, now })
  assert.deepEqual([after.passkeys, after.authenticator_app, after.recovery_codes], [0, false, 0])
})

test('a business asks for a factor after days of grace, and then each session for one', async () => {
  const { owners, member, input } = await staff()
  const [owner] = owners
  const { business_id } = input
  const rule = { business_id, required: true, days: 0, asks_fresh: true }
  assert.equal((await owner.call('factor.require', rule)).body['reason'], 'no_factor')
  await addApp(owner.userId)
  assert.equal((await owner.call('factor.require', rule)).kind, 'answer')
  const refused = await member.call('campaign.list', { business_id })
  assert.deepEqual([refused.status, refused.body['reason']], [403, 'second_factor'])
  assert.match(String((refused.body['fix'] as { url: string }).url), /\/confirm$/)
  await testbed.db.run(sql`
    update sessions set proven_at = now() where user_id = ${member.userId}
  `)
  assert.equal((await member.call('campaign.list', { business_id })).kind, 'answer')
})

test('a business changes hands once its owner offered it and the member accepted', async () => {
  const { owners, member, input } = await staff()
  const { business_id } = input
  await testbed.db.run(sql`delete from authenticator_apps where user_id = ${member.userId}`)
  assert.equal((await member.call('ownership.answer', { business_id, accept: true })).status, 409)
  await owners[0].get('ownership.offer', input)
  assert.equal(
    (await owners[1].call('ownership.answer', { business_id, accept: true })).status,
    409,
  )
  const { offer } = await member.get<{ offer: { is_to_you: boolean } }>('ownership.get', {
    business_id,
  })
  assert.equal(offer.is_to_you, true)
  await member.get('ownership.answer', { business_id, accept: true })
  const roles = await testbed.db.all<{ role: string }>(sql`
    select role from memberships
    where business_id = ${parseId('business', business_id)}
      and user_id in (${owners[0].userId}, ${member.userId})
    order by role
  `)
  assert.deepEqual(
    roles.map(({ role }) => role),
    ['admin', 'owner'],
  )
  assert.equal((await member.call('ownership.answer', { business_id, accept: true })).status, 409)
})
