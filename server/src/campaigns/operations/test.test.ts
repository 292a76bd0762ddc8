import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  openCampaignTestbed,
  yes,
} from '../../../../tests/support/businesses/campaigns.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

type Scene = Awaited<ReturnType<typeof campaignScene>>

const test_ = ({ owner }: Scene, input: object) =>
  owner.get<{ message_ids: string[] }>('campaign.test', input)
const sentTo = async ({ businessId }: Scene) => {
  const rows = await testbed.db.all<{ recipient: string; kind: string }>(sql`
    select recipient, kind from messages where business_id = ${businessId} order by id
  `)
  return rows.map(({ recipient, kind }) => `${kind} ${recipient}`)
}
const ownerOf = async ({ businessId }: Scene) => {
  const { email } = await testbed.db.one<{ email: string }>(sql`
    select u.email from memberships m join users u on u.id = m.user_id
    where m.business_id = ${businessId}
  `)
  return email
}

test('a test mail goes to the caller who requests it, and to no contact of the audience', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  const { campaign_id } = await scene.draft()
  const { message_ids } = await test_(scene, { campaign_id })
  assert.equal(message_ids.length, 1)
  assert.deepEqual(await sentTo(scene), [`transactional ${await ownerOf(scene)}`])
  const shown = await scene.owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(shown.status, 'draft')
})

test('a test address that is not a member’s is refused, even a contact’s', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(1)
  const { campaign_id } = await scene.draft()
  for (const to of [['who-1@example.com'], [await ownerOf(scene), 'x@example.com'], []]) {
    const refusal = await scene.refused('campaign.test', { campaign_id, to })
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'to'])
  }
  assert.deepEqual(await sentTo(scene), [])
})

test('a test text goes to the number of the contact with the member’s email address', async () => {
  const scene = await campaignScene(testbed)
  const content = { text: 'New classes. STOP' }
  const { campaign_id } = await scene.draft({ channel: 'sms', content })
  const refusal = await scene.refused('campaign.test', { campaign_id })
  assert.match(refusal.fix?.tool ?? '', /contact\.upsert$/)
  const phone = '+33612345678'
  await scene.contact({ email: await ownerOf(scene), phone, consent: { email: yes } })
  await test_(scene, { campaign_id })
  assert.deepEqual(await sentTo(scene), [`transactional ${phone}`])
})

test('a test mail has the footer of the campaign, and its links neither count clicks nor unsubscribe', async () => {
  const scene = await campaignScene(testbed)
  const email = await ownerOf(scene)
  await scene.contact({ email, name: 'Ana', consent: { email: yes } })
  const html =
    '<html><body><p>Hello {{ contact.name }}</p><a href="https://shop.example/">Shop</a></body></html>'
  const { campaign_id } = await scene.draft({ content: { subject: 'News', html } })
  await test_(scene, { campaign_id })
  const said = await testbed.db.one<{
    html: string
    text: string
    tracked: boolean
    campaign: string | null
  }>(sql`
    select c.html, c.body_text as text, c.track_opens or c.track_clicks as tracked,
      m.campaign_id as campaign
    from message_contents c join messages m on m.business_id = c.business_id
      and m.id = c.message_id
    where c.business_id = ${scene.businessId}
  `)
  assert.deepEqual([said.tracked, said.campaign], [false, null])
  const way = `${testbed.service.config.baseUrl}/u/test`
  for (const part of [said.html, said.text]) {
    for (const words of ['Hello Ana', '1 Example Street', 'Unsubscribe or choose', way]) {
      assert.ok(part.includes(words), `${words} is not in ${part}`)
    }
  }
  assert.ok(said.html.includes('href="https://shop.example/"'))
  assert.ok(said.html.endsWith('</body></html>'))
  assert.equal((await fetch(way)).status, 200)
  await fetch(way, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  const { email_consent } = await testbed.db.one<{ email_consent: string }>(sql`
    select email_consent from contacts where business_id = ${scene.businessId}
  `)
  assert.equal(email_consent, 'subscribed')
})

test('an unsubscribe link written by the author is kept, and no second one is added', async () => {
  const scene = await campaignScene(testbed)
  const html =
    '<p>{{ business.name }}, {{ business.postal_address }}. <a href="{{ unsubscribe_url }}">Leave</a></p>'
  const { campaign_id } = await scene.draft({ content: { subject: 'News', html } })
  await test_(scene, { campaign_id })
  const said = await testbed.db.one<{ html: string }>(sql`
    select html from message_contents where business_id = ${scene.businessId}
  `)
  assert.ok(said.html.includes(`href="${testbed.service.config.baseUrl}/u/test"`), said.html)
  assert.ok(!said.html.includes('Unsubscribe or choose'), said.html)
})
