import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnHouse, openHouse } from '../../../tests/operations/support/house.ts'
import { sql } from '../platform/db.ts'
import { formatId } from '../platform/ids.ts'

let house: OwnHouse
before(async () => {
  house = await openHouse({ idle: true })
})
after(() => house.close())

interface Shown {
  businesses: { business_id: string; role: string; deploy_limit: number | null }[]
}

async function owned() {
  const [one, other] = [await house.newBusiness(), await house.newBusiness()]
  const caller = await house.appCaller({ businesses: [one, other] })
  const limits = async () => {
    const { body } = await caller.call('business.settings', {})
    const { businesses } = body as unknown as Shown
    return businesses.map(({ role, deploy_limit }) => [role, deploy_limit])
  }
  return { one, business_id: formatId('business', one), caller, limits }
}

test('an owner sets the limit of one business, and it is told who did', async () => {
  const { one, business_id, caller, limits } = await owned()
  assert.deepEqual(await limits(), [
    ['owner', 1_000],
    ['owner', 1_000],
  ])
  for (const deploy_limit of [0, 25_000, null]) {
    const { kind, body } = await caller.call('business.save', { business_id, deploy_limit })
    assert.deepEqual([kind, body], ['answer', { business_id, deploy_limit }])
    assert.deepEqual(await limits(), [
      ['owner', deploy_limit],
      ['owner', 1_000],
    ])
  }
  const told = await house.db.all<{ action: string; details: object; is_known: boolean }>(sql`
    select action, details, user_id is not null as is_known from audit_entries
    where business_id = ${one} order by id
  `)
  assert.deepEqual(
    told,
    [0, 25_000, null].map((deploy_limit) => {
      return { action: 'business.save', details: { deploy_limit }, is_known: true }
    }),
  )
})

test('a limit is a whole number that is not below nothing', async () => {
  const { business_id, caller, limits } = await owned()
  for (const deploy_limit of [-1, 1.5, '7', 100_000_001]) {
    const { status, body } = await caller.call('business.save', { business_id, deploy_limit })
    assert.deepEqual([status, body['field']], [400, 'deploy_limit'], `${deploy_limit}`)
  }
  assert.deepEqual((await limits())[0], ['owner', 1_000])
})

test('an admin of the business changes nothing', async () => {
  const { one, business_id, limits } = await owned()
  const admin = await house.appCaller({ businesses: [one], role: 'admin' })
  const { status, body } = await admin.call('business.save', { business_id, deploy_limit: null })
  assert.deepEqual([status, body['code']], [403, 'role_required'])
  assert.deepEqual((await limits())[0], ['owner', 1_000])
})
