import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  openCampaignTestbed,
  yes,
} from '../../../tests/support/businesses/campaigns.ts'
import { formatId, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'

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

test('several members get a marked test as a contact gets it, and an eleventh is refused', async () => {
  const scene = await campaignScene(testbed)
  const email = await ownerOf(scene)
  const others = await testbed.db.all<{ email: string }>(sql`
    insert into users (id, email, created_at)
    select ${newId('user')}, 'colleague-' || ${scene.businessId}::text || '@example.com', ${new Date()}
    returning email
  `)
  await testbed.db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    select ${scene.businessId}, id, 'viewer', ${new Date()} from users
    where email = ${others[0]?.email ?? ''}
  `)
  await scene.contact({ email, name: 'Owner', consent: { email: yes } })
  const ada = { email: 'ada@example.com', name: 'Ada', tags: ['vip'], language: 'de' }
  const contactId = await scene.contact(ada)
  const contact_id = formatId('contact', contactId)
  const content = {
    subject: 'News for {{ contact.name }}',
    blocks: [
      { type: 'text', text: 'For all.' },
      { type: 'text', text: 'For guests.', show_if: { tag: 'vip' } },
    ],
    translations: {
      de: {
        subject: 'Neues für {{ contact.name }}',
        blocks: [{ type: 'text', text: 'Für alle.' }],
      },
    },
  }
  const { campaign_id } = await scene.draft({ content })
  const to = [email, others[0]?.email ?? '']
  await test_(scene, { campaign_id, to, contact_id })
  const subjects = async () => {
    const rows = await testbed.db.all<{ subject: string; text: string; to: string }>(sql`
      select c.subject, c.body_text as text, m.recipient as to
      from message_contents c join messages m on m.business_id = c.business_id
        and m.id = c.message_id
      where c.business_id = ${scene.businessId} order by m.id
    `)
    return rows
  }
  const first = await subjects()
  assert.deepEqual(first.map((mail) => mail.to).toSorted(), to.toSorted())
  for (const mail of first) {
    assert.equal(mail.subject, '[Test] Neues für Ada')
    assert.match(mail.text, /Für alle/)
  }
  await scene.owner.get('contact.upsert', { email: ada.email, language: 'en' })
  await test_(scene, { campaign_id, contact_id })
  const last = (await subjects()).at(-1)
  assert.equal(last?.subject, '[Test] News for Ada')
  assert.match(last?.text ?? '', /For guests\./)
  await test_(scene, { campaign_id })
  assert.doesNotMatch((await subjects()).at(-1)?.text ?? '', /For guests/)
  const many = Array.from({ length: 11 }, (_, n) => `member-${n}@example.com`)
  const refusals = [
    await scene.refused('campaign.test', { campaign_id, to: many }),
    await scene.refused('campaign.test', { campaign_id, contact_id, language: 'de' }),
    await scene.refused('campaign.test', {
      campaign_id,
      contact_id: 'con_01jd0000000000000000000000',
    }),
  ]
  assert.deepEqual(
    refusals.map(({ code, field }) => [code, field]),
    [
      ['invalid_request', 'to'],
      ['invalid_request', 'language'],
      ['not_found', 'contact_id'],
    ],
  )
})
