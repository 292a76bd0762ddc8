import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type Caller, callerAs } from '../../../../tests/support/clients/calls.ts'
import { newGrant, newMember } from '../../../../tests/support/clients/grants.ts'
import { inboxMailer } from '../../../../tests/support/mail/inbox-mailer.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { limits } from '../../config.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Mail } from '../../lib/email/mailer.ts'
import { days, later } from '../../lib/time/clock.ts'
import { createPrincipalReader } from '../../oauth/connections/principals.ts'
import { addMember, membershipsOf } from '../businesses/memberships.ts'
import { personPrincipal } from '../sign-in/principal.ts'
import { ensureUser } from '../sign-in/sign-up.ts'
import { sendInvitationMail } from './invitation-mail.ts'
import { acceptInvitation, declineInvitation, invitedTo } from './invitations.ts'
import { memberLeave } from './leave.ts'
import { invitationList } from './list-invitations.ts'
import { memberList } from './list-members.ts'
import { memberRemove } from './remove-member.ts'
import { memberSave } from './save-member.ts'
import { invitationWithdraw } from './withdraw-invitation.ts'

const nothingEnds = { left: async () => {} }

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const queued: [Id<'business'>, Id<'invitation'>][] = []
const saving = memberSave({
  async queueInvitation(_tx, businessId, id) {
    queued.push([businessId, id])
  },
})

/** A business whose owner is the caller. */
async function owned(tier: Tier = 'scale') {
  const { db } = database
  const business = await newBusiness(db, tier)
  const id = await newMember(db, { businesses: [business] })
  return { owner: await callerOf(id), id, business }
}

async function callerOf(id: Id<'user'>): Promise<Caller> {
  // The sign-in stays recent while the test moves the clock.
  const session = { signedInAt: later(clock.now(), days(30)) }
  return callerAs({ db: database.db, clock }, await personPrincipal(database.db, id, session))
}

let people = 0
const address = () => `invited-${++people}@example.com`

async function personOf(email: string) {
  const { user } = await database.db.tx((tx) => ensureUser(tx, email, clock.now()))
  return user
}

async function invited(owner: Caller, email: string, role = 'viewer') {
  const answer = await owner.get<{ status: string; invitation_id: string }>(saving, { email, role })
  assert.equal(answer.status, 'invited')
  const [one] = await invitedTo(database.db, email, clock.now())
  assert.ok(one)
  return { ...one, invitation_id: answer.invitation_id }
}

type InvitationToAnswer = Pick<Awaited<ReturnType<typeof invited>>, 'businessId' | 'id'>

async function accept({ businessId, id }: InvitationToAnswer, email: string) {
  const user = await personOf(email)
  const requestId = formatId('request', newId('request'))
  return acceptInvitation(database.db, { businessId, id, user, now: clock.now(), requestId })
}

type Members = { members: { user_id: string; email: string; role: string; is_you: boolean }[] }

const rolesIn = async (owner: Caller) =>
  (await owner.get<Members>(memberList)).members.map(({ email, role }) => [email, role])

test('an invited person becomes a member by accepting; the role can then be changed and ended', async () => {
  const { owner, id } = await owned()
  const email = address()
  const one = await invited(owner, email.toUpperCase().toLowerCase(), 'editor')
  assert.equal((await rolesIn(owner)).length, 1)
  assert.deepEqual(await database.db.all(sql`select id from users where email = ${email}`), [])
  assert.equal(await accept(one, email), 'editor')
  assert.deepEqual((await rolesIn(owner))[0], [email, 'editor'])
  const changed = await owner.get<{ status: string }>(saving, { email, role: 'admin' })
  assert.equal(changed.status, 'member')
  assert.deepEqual((await rolesIn(owner))[0], [email, 'admin'])
  const { members } = await owner.get<Members>(memberList)
  assert.equal(members.find(({ is_you }) => is_you)?.user_id, formatId('user', id))
  const user_id = members.find((member) => member.email === email)?.user_id
  await owner.get(memberRemove(nothingEnds), { user_id })
  assert.equal((await rolesIn(owner)).length, 1)
  assert.equal((await owner.refused(memberRemove(nothingEnds), { user_id })).code, 'not_found')
})

test('an invitation answers the same for an address with an account and for one without', async () => {
  const { owner } = await owned()
  const [known, unknown] = [address(), address()]
  await personOf(known)
  const keys = async (email: string) =>
    Object.keys(await owner.get<object>(saving, { email, role: 'viewer' }))
  assert.deepEqual(await keys(known), await keys(unknown))
})

test('only the invited address can accept, once, in time, and while the inviter is an owner', async () => {
  const { owner, id, business } = await owned()
  const email = address()
  const one = await invited(owner, email)
  const stranger = await orRefusal(() => accept(one, address()))
  assert.ok(isRefusal(stranger) && stranger.code === 'not_found')
  const other = await owned()
  const elsewhere = await orRefusal(() => accept({ ...one, businessId: other.business }, email))
  assert.ok(isRefusal(elsewhere))
  const both = await Promise.all(
    [one, one].map((invitation) => orRefusal(() => accept(invitation, email))),
  )
  assert.equal(both.filter((outcome) => isRefusal(outcome)).length, 1)

  const late = address()
  const expiring = await invited(owner, late)
  clock.forward(days(7))
  assert.deepEqual(await invitedTo(database.db, late, clock.now()), [])
  assert.ok(isRefusal(await orRefusal(() => accept(expiring, late))))

  const orphaned = address()
  const two = await invited(owner, orphaned)
  await database.db.tx(async (tx) => {
    const second = await newMember(database.db, { businesses: [business] })
    assert.ok(second)
    return addMember(tx, business, { userId: id, role: 'viewer', now: clock.now() })
  })
  assert.ok(isRefusal(await orRefusal(() => accept(two, orphaned))))
  assert.deepEqual(await invitedTo(database.db, orphaned, clock.now()), [])
})

test('an owner can withdraw an invitation, an invitee can decline it, and it can be made again', async () => {
  const { owner } = await owned()
  const list = async () =>
    (await owner.get<{ invitations: { email: string }[] }>(invitationList)).invitations
  const email = address()
  const one = await invited(owner, email)
  assert.deepEqual(
    (await list()).map((waiting) => waiting.email),
    [email],
  )
  await owner.get(invitationWithdraw, { invitation_id: one.invitation_id })
  assert.ok(isRefusal(await orRefusal(() => accept(one, email))))
  const again = await invited(owner, email, 'admin')
  const newer = await invited(owner, email, 'viewer')
  assert.equal((await list()).length, 1, 'one waits for an address')
  assert.ok(isRefusal(await orRefusal(() => accept(again, email))), 'the older one is gone')
  const user = await personOf(email)
  const requestId = formatId('request', newId('request'))
  const answer = { businessId: newer.businessId, id: newer.id, user, now: clock.now(), requestId }
  assert.equal(await declineInvitation(database.db, answer, async () => 'done'), 'done')
  assert.ok(isRefusal(await orRefusal(() => accept(newer, email))))
  assert.deepEqual([await list(), (await rolesIn(owner)).length], [[], 1])
})

test('a person who became a member meanwhile keeps their role when they accept', async () => {
  const { owner, business } = await owned()
  const email = address()
  const invitation = await invited(owner, email, 'viewer')
  const { id: userId } = await personOf(email)
  const member = { userId, role: 'editor' as const, now: clock.now() }
  await database.db.tx((tx) => addMember(tx, business, member))
  assert.equal(await accept(invitation, email), 'editor')
  assert.deepEqual((await rolesIn(owner))[0], [email, 'editor'])
})

test('pending invitations count towards the tier’s member limit, and a withdrawn one no longer does', async () => {
  const { owner } = await owned('free')
  const one = await invited(owner, address())
  const third = { email: address(), role: 'viewer' }
  assert.equal((await owner.refused(saving, third)).code, 'tier_required')
  await owner.get(invitationWithdraw, { invitation_id: one.invitation_id })
  const two = await invited(owner, third.email)
  assert.equal(await accept(two, third.email), 'viewer')
  assert.equal(
    (await owner.refused(saving, { email: address(), role: 'viewer' })).code,
    'tier_required',
  )
})

test('invitations are limited per day for a business and for an address', async () => {
  const { owner } = await owned()
  for (let i = 0; i < limits.invitationsPerDay; i++) await invited(owner, address())
  const refused = await owner.refused(saving, { email: address(), role: 'viewer' })
  assert.equal(refused.code, 'rate_limited')
  clock.forward(days(1))
  await invited(owner, address())
  const email = address()
  for (let i = 0; i < limits.invitationsPerAddressDay; i++) {
    await invited((await owned()).owner, email)
  }
  const { owner: last } = await owned()
  assert.equal((await last.refused(saving, { email, role: 'viewer' })).code, 'rate_limited')
})

test('the invitation mail names the business, the inviter and the role; a business name makes no link', async () => {
  const { owner, id, business } = await owned()
  await database.db.run(
    sql`update businesses set name = 'Win at evil.example/x' where id = ${business}`,
  )
  const email = address()
  await invited(owner, email, 'admin')
  const sent: Mail[] = []
  const inbox = inboxMailer({ db: database.db, clock })
  const mailer = {
    async send(mail: Mail) {
      sent.push(mail)
      await inbox.send(mail)
    },
  }
  const urls = { appUrl: 'https://app.example' }
  const [businessId, invitation] = queued.at(-1) ?? []
  assert.ok(businessId && invitation)
  const parts = { db: database.db, clock, mailer, urls, mailFrom: 'crier@app.example' }
  await sendInvitationMail(parts, businessId, invitation)
  const [mail] = sent
  assert.equal(mail?.to, email)
  assert.ok(mail?.text.includes(`${id}@example.com invited you`))
  assert.match(mail?.text ?? '', /as admin.*https:\/\/app\.example\/account\/invitations/s)
  assert.doesNotMatch(`${mail?.text}${mail?.subject}${mail?.html}`, /evil\.example/)
  await database.db.run(sql`update businesses set language = 'de-AT' where id = ${business}`)
  await sendInvitationMail(parts, businessId, invitation)
  assert.match(sent[1]?.text ?? '', /hat Sie zu .* eingeladen\. Sie verschicken auch Kamp/)
  assert.match(String(sent[1]?.html), /<html lang="de">/)
  await owner.get(invitationWithdraw, { invitation_id: formatId('invitation', invitation) })
  await sendInvitationMail(parts, businessId, invitation)
  assert.equal(sent.length, 2, 'one that was withdrawn is not sent')
})

test('a member can leave; the last owner can neither leave, step down nor be removed', async () => {
  const { owner, id, business } = await owned()
  const member = await newMember(database.db, { businesses: [business], role: 'viewer' })
  await (await callerOf(member)).get(memberLeave(nothingEnds))
  assert.deepEqual(await membershipsOf(database.db, member), [])
  assert.equal((await owner.refused(memberLeave(nothingEnds))).code, 'conflict')
  const email = `${id}@example.com`
  const down = await owner.refused(saving, { email, role: 'viewer' })
  assert.deepEqual([down.code, down.details.field], ['conflict', 'role'])
  const gone = await owner.refused(memberRemove(nothingEnds), { user_id: formatId('user', id) })
  assert.deepEqual([gone.code, gone.details.field], ['conflict', 'user_id'])
})

test('where two people are asked for, the last two who may approve stay, by each way out', async () => {
  const { owner, business } = await owned()
  const second = await newMember(database.db, { businesses: [business], role: 'approver' })
  await newMember(database.db, { businesses: [business], role: 'editor' })
  await database.db.run(sql`update businesses set two_people = true where id = ${business}`)
  const email = `${second}@example.com`
  const user_id = formatId('user', second)
  for (const refusal of [
    await owner.refused(saving, { email, role: 'editor' }),
    await owner.refused(memberRemove(nothingEnds), { user_id }),
    await (await callerOf(second)).refused(memberLeave(nothingEnds)),
  ]) {
    assert.deepEqual([refusal.code, refusal.details.data], ['conflict', { reason: 'two_people' }])
  }
  await owner.get(saving, { email, role: 'admin' })
  const third = await newMember(database.db, { businesses: [business], role: 'approver' })
  await owner.get(saving, { email, role: 'editor' })
  const thirdId = formatId('user', third)
  assert.equal(
    (await owner.refused(memberRemove(nothingEnds), { user_id: thirdId })).code,
    'conflict',
  )
  await database.db.run(sql`update businesses set two_people = false where id = ${business}`)
  await owner.get(memberRemove(nothingEnds), { user_id: thirdId })
})

test('a business joined later is not reachable with a token granted before', async () => {
  const { db } = database
  const own = await newBusiness(db, 'scale')
  const grant = await newGrant(db, { businesses: [own] })
  const { owner, business } = await owned()
  const email = `${grant.userId}@example.com`
  assert.equal(await accept(await invited(owner, email), email), 'viewer')
  const reach = (await personPrincipal(db, grant.userId)).businesses.map((entry) => entry.id)
  assert.deepEqual(new Set(reach), new Set([own, business]))
  const principal = await createPrincipalReader(db)(grant.connectionId)
  assert.deepEqual(
    principal?.businesses.map((entry) => entry.id),
    [own],
  )
})

test('an invalid email address is refused at its field', async () => {
  const { owner } = await owned()
  const refused = await owner.refused(saving, { email: 'nobody', role: 'viewer' })
  assert.deepEqual([refused.code, refused.details.field], ['invalid_request', 'email'])
})
