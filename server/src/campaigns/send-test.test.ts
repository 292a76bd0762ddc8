import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnHouse } from '../../../tests/operations/support/house.ts'
import { campaignScene, openCampaignHouse, yes } from '../../../tests/support/campaigns.ts'
import { sql } from '../platform/db.ts'

let house: OwnHouse
before(async () => {
  house = await openCampaignHouse()
})
after(() => house.close())

type Scene = Awaited<ReturnType<typeof campaignScene>>

const test_ = ({ owner }: Scene, input: object) =>
  owner.get<{ message_ids: string[] }>('campaign.test', input)
const sentTo = async ({ businessId }: Scene) => {
  const rows = await house.db.all<{ recipient: string; kind: string }>(sql`
    select recipient, kind from messages where business_id = ${businessId} order by id
  `)
  return rows.map(({ recipient, kind }) => `${kind} ${recipient}`)
}
const ownerOf = async ({ businessId }: Scene) => {
  const { email } = await house.db.one<{ email: string }>(sql`
    select u.email from memberships m join users u on u.id = m.user_id
    where m.business_id = ${businessId}
  `)
  return email
}

test('a test goes to whoever asks for it, and to nobody of the audience', async () => {
  const scene = await campaignScene(house)
  await scene.subscribers(3)
  const { campaign_id } = await scene.draft()
  const { message_ids } = await test_(scene, { campaign_id })
  assert.equal(message_ids.length, 1)
  assert.deepEqual(await sentTo(scene), [`transactional ${await ownerOf(scene)}`])
  const shown = await scene.owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(shown.status, 'draft')
})

test('an address that is no member’s is refused, a contact’s too', async () => {
  const scene = await campaignScene(house)
  await scene.subscribers(1)
  const { campaign_id } = await scene.draft()
  for (const to of [['who-1@example.com'], [await ownerOf(scene), 'x@example.com'], []]) {
    const refusal = await scene.refused('campaign.test', { campaign_id, to })
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'to'])
  }
  assert.deepEqual(await sentTo(scene), [])
})

test('a text goes to the number of the contact with the member’s address', async () => {
  const scene = await campaignScene(house)
  const content = { text: 'New classes. STOP' }
  const { campaign_id } = await scene.draft({ channel: 'sms', content })
  const refusal = await scene.refused('campaign.test', { campaign_id })
  assert.match(refusal.fix?.tool ?? '', /contact\.upsert$/)
  const phone = '+33612345678'
  await scene.contact({ email: await ownerOf(scene), phone, consent: { email: yes } })
  await test_(scene, { campaign_id })
  assert.deepEqual(await sentTo(scene), [`transactional ${phone}`])
})
