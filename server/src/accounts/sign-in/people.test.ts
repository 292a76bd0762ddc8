import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { Outbox } from '../../../../tests/support/mail/outbox.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { createVault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { days, hours, minutes } from '../../lib/time/clock.ts'
import { addMember, membershipsOf } from '../businesses/memberships.ts'
import { declineInvitation, invite, type NewInvitee } from '../members/invitations.ts'
import { requestLink } from './request-link.ts'
import { endSession, listSessions, readSession, startSession } from './session.ts'
import { sendSignInMail } from './sign-in-mail.ts'
import { ensureBusiness, ensureUser, findOrSignUpUser, type SignUpRule } from './sign-up.ts'
import { sweepPeople } from './sweep.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const vault = createVault('a secret of at least thirty-two characters')
const open: SignUpRule = { signup: 'open', defaultTier: 'growth', defaultDeployLimit: 0 }
const byInvitation: SignUpRule = { signup: 'invite', defaultTier: 'growth', defaultDeployLimit: 0 }

const arrive = (rule: SignUpRule, email: string) =>
  database.db.tx((tx) => findOrSignUpUser(tx, rule, email, clock.now()))

async function known(email: string) {
  const { user } = await database.db.tx((tx) => ensureUser(tx, email, clock.now()))
  return user
}

test('where sign-up is open a new person becomes the owner of a new business', async () => {
  const user = await arrive(open, 'new@example.com')
  const [business, ...others] = await membershipsOf(database.db, user.id)
  assert.equal(business?.name, 'New business')
  assert.equal(business?.role, 'owner')
  assert.deepEqual(others, [])
  const { tier } = await database.db.one<{ tier: string }>(
    sql`select tier from businesses where id = ${business?.id}`,
  )
  assert.equal(tier, 'growth')
})

test('a returning person gets no second business, and neither do concurrent first visits', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => arrive(open, 'twice@example.com')),
  )
  await arrive(open, 'twice@example.com')
  const ids = new Set(answers.map((user) => user.id))
  assert.equal(ids.size, 1)
  const [id] = ids
  assert.equal((await membershipsOf(database.db, id as Id<'user'>)).length, 1)
})

test('a person who declines an invitation gets one business of their own', async () => {
  const { db } = database
  const user = await known('asked@example.com')
  const owner = await known('asking@example.com')
  const businessId = await newBusiness(db)
  const now = clock.now()
  const invited = { email: user.email, role: 'editor', invitedBy: owner.id, hmac: vault.hmac, now }
  await db.tx((tx) => addMember(tx, businessId, { userId: owner.id, role: 'owner', now }))
  const asked = await db.tx((tx) =>
    invite(tx, { queueInvitation: async () => {} }, { ...invited, businessId } as NewInvitee),
  )
  await arrive(open, user.email)
  assert.deepEqual(await membershipsOf(db, user.id), [], 'it waits for the answer')
  const requestId = formatId('request', newId('request'))
  const answer = { businessId, id: asked.id, user, now, requestId }
  const declined = await declineInvitation(db, answer, (tx) => ensureBusiness(tx, open, user, now))
  const [business, ...others] = await membershipsOf(db, user.id)
  assert.deepEqual([business?.id, business?.role, others], [declined.unnamed, 'owner', []])
  const again = await orRefusal(() => arrive(open, user.email))
  assert.ok(!isRefusal(again) && again.unnamed === undefined)
  assert.equal((await membershipsOf(db, user.id)).length, 1)
})

test('a person without a business gets one at sign-in only if sign-up is open, and only one if concurrent', async () => {
  const user = await known('alone@example.com')
  await arrive(byInvitation, user.email)
  assert.deepEqual(await membershipsOf(database.db, user.id), [])
  await Promise.all(Array.from({ length: 4 }, () => arrive(open, user.email)))
  assert.equal((await membershipsOf(database.db, user.id)).length, 1)
})

test('a person with the longest possible email address can sign up', async () => {
  await arrive(open, `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example`)
})

test('where sign-up is by invitation, an unknown address is refused and a known one signs in', async () => {
  const refused = await orRefusal(() => arrive(byInvitation, 'stranger@example.com'))
  assert.ok(isRefusal(refused) && refused.code === 'access_denied')
  const user = await known('invited@example.com')
  assert.deepEqual(await arrive(byInvitation, 'invited@example.com'), user)
  const strangers = await database.db.all(
    sql`select id from users where email = 'stranger@example.com'`,
  )
  assert.deepEqual(strangers, [])
})

test('with sign-up by invitation every request queues a link, but only known addresses get a mail', async () => {
  await known('member@example.com')
  const queued: Id<'link'>[] = []
  const signInMailer = {
    async queue(_tx: Tx, id: Id<'link'>) {
      queued.push(id)
    },
  }
  const mailer = new Outbox()
  for (const email of ['member@example.com', 'nobody@example.com']) {
    const answer = await requestLink(
      { db: database.db, vault, signInMailer },
      {
        purpose: 'session',
        email,
        request: {},
        browser: 'b',
        guarded: false,
        from: '10.1.1.1',
        now: clock.now(),
      },
    )
    assert.deepEqual(answer, { email, shortCode: undefined })
  }
  assert.equal(queued.length, 2)
  const urls = { baseUrl: 'http://localhost', appUrl: 'http://localhost' }
  const rest = { db: database.db, vault, mailer, clock, urls, mailFrom: 'crier@localhost' }
  for (const id of queued) await sendSignInMail({ ...rest, rule: byInvitation }, id)
  assert.deepEqual(
    mailer.sent.map((mail) => mail.to),
    ['member@example.com'],
  )
  clock.forward(minutes(10))
  for (const id of queued) await sendSignInMail({ ...rest, rule: open }, id)
  assert.equal(mailer.sent.length, 1, 'an expired link is not worth a mail')
})

test('a session lasts thirty days from its last use, and its use is written at most once an hour', async () => {
  const user = await known('sess@example.com')
  const token = await startSession(database.db, user.id, clock.now())
  const read = () => readSession(database.db, token, clock.now())
  assert.deepEqual((await read())?.session.user, user)
  clock.forward(hours(1) - 1)
  assert.equal((await read())?.renewed, false)
  clock.forward(1)
  assert.equal((await read())?.renewed, true)
  clock.forward(days(30) - 1)
  assert.equal((await read())?.renewed, true)
  clock.forward(days(30))
  assert.equal(await read(), undefined)
})

test('a person can list and end their own sessions, but not those of another person', async () => {
  const [ana, ben] = [await known('ana@example.com'), await known('ben@example.com')]
  const token = await startSession(database.db, ana.id, clock.now())
  await startSession(database.db, ana.id, clock.now())
  const listed = await listSessions(database.db, ana.id, clock.now())
  assert.equal(listed.length, 2)
  const session = (await readSession(database.db, token, clock.now()))?.session
  assert.ok(session)
  assert.equal(await endSession(database.db, ben.id, session.id), false)
  assert.equal(await endSession(database.db, ana.id, session.id), true)
  assert.equal(await readSession(database.db, token, clock.now()), undefined)
  assert.equal((await listSessions(database.db, ana.id, clock.now())).length, 1)
})

test('the sweep deletes expired links and sessions, and keeps live ones', async () => {
  const user = await known('swept@example.com')
  const token = await startSession(database.db, user.id, clock.now())
  clock.forward(days(2))
  const first = await sweepPeople(database.db, clock.now())
  assert.equal(first.links, 2)
  assert.ok(await readSession(database.db, token, clock.now()))
  clock.forward(days(31))
  assert.ok((await sweepPeople(database.db, clock.now())).sessions > 0)
  const { left } = await database.db.one<{ left: number }>(
    sql`select count(*) as left from sessions`,
  )
  assert.equal(left, 0)
})
