import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/business.ts'
import { type Caller, callerAs } from '../../../tests/support/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/database.ts'
import { newMember } from '../../../tests/support/grants.ts'
import { systemClock } from '../platform/clock.ts'
import { sql } from '../platform/db.ts'
import { formatId, type Id } from '../platform/ids.ts'
import type { Tier } from '../platform/operation.ts'
import { memberList } from './list-members.ts'
import { personPrincipal } from './principal.ts'
import { memberRemove } from './remove-member.ts'
import { memberSave } from './save-member.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** A business with its owner, who calls. */
async function owned(tier: Tier = 'scale'): Promise<{ owner: Caller; id: Id<'user'> }> {
  const { db } = database
  const business = await newBusiness(db, tier)
  const id = await newMember(db, { businesses: [business] })
  const principal = await personPrincipal(db, id)
  return { owner: callerAs({ db, clock: systemClock }, principal), id }
}

type Members = { members: { user_id: string; email: string; role: string; is_you: boolean }[] }

const rolesIn = async (owner: Caller) =>
  (await owner.get<Members>(memberList)).members.map(({ email, role }) => [email, role])

test('a member is added by address, given another role, and removed', async () => {
  const { owner, id } = await owned()
  const email = 'Bo@Example.com'
  const added = await owner.get<{ user_id: string }>(memberSave, { email, role: 'viewer' })
  assert.deepEqual((await rolesIn(owner))[0], ['bo@example.com', 'viewer'])
  await owner.get(memberSave, { email, role: 'admin' })
  assert.deepEqual((await rolesIn(owner))[0], ['bo@example.com', 'admin'])
  const { members } = await owner.get<Members>(memberList)
  const [you] = members.filter(({ is_you }) => is_you)
  assert.equal(you?.user_id, formatId('user', id))
  await owner.get(memberRemove, { user_id: added.user_id })
  assert.equal((await rolesIn(owner)).length, 1)
  const again = await owner.refused(memberRemove, { user_id: added.user_id })
  assert.equal(again.code, 'not_found')
})

test('the last owner neither steps down nor is removed', async () => {
  const { owner, id } = await owned()
  const { email } = await database.db.one<{ email: string }>(
    sql`select email from users where id = ${id}`,
  )
  const down = await owner.refused(memberSave, { email, role: 'viewer' })
  assert.deepEqual([down.code, down.details.field], ['conflict', 'role'])
  const gone = await owner.refused(memberRemove, { user_id: formatId('user', id) })
  assert.deepEqual([gone.code, gone.details.field], ['conflict', 'user_id'])
})

test('no more members than the tier has room for, and no person is left over', async () => {
  const { owner } = await owned('free')
  await owner.get(memberSave, { email: 'second@example.com', role: 'viewer' })
  const third = { email: 'third@example.com', role: 'viewer' }
  assert.equal((await owner.refused(memberSave, third)).code, 'tier_required')
  assert.deepEqual(
    await database.db.all(sql`select id from users where email = 'third@example.com'`),
    [],
  )
})

test('what is no address is refused at its field', async () => {
  const { owner } = await owned()
  const refused = await owner.refused(memberSave, { email: 'nobody', role: 'viewer' })
  assert.deepEqual([refused.code, refused.details.field], ['invalid_request', 'email'])
})
