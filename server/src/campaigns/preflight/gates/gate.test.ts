/** Each gate is tripped, and then satisfied by following its remedy. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
  yes,
} from '../../../../../tests/support/businesses/campaigns.ts'
import { setBusiness } from '../../../accounts/settings/settings.ts'
import { recordActivity } from '../../../contacts/timeline/activity.ts'
import { newId, parseId } from '../../../core/ids.ts'
import { sql } from '../../../lib/db/db.ts'
import { systemClock } from '../../../lib/time/clock.ts'
import type { Gate } from './gate.ts'

let testbed: OwnTestbed
const pages = createServer((request, response) => {
  response.statusCode = request.url === '/gone' ? 404 : 200
  response.end()
})
let site: string
before(async () => {
  testbed = await openCampaignTestbed({ settings: { OUTBOUND_ALLOW: '127.0.0.1/32:*' } })
  pages.listen(0, '127.0.0.1')
  await once(pages, 'listening')
  site = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
})
after(async () => {
  pages.close()
  await testbed.close()
})

type Scene = Awaited<ReturnType<typeof campaignScene>>

async function gateOf({ owner }: Scene, campaign_id: string, gate: Gate['gate']): Promise<Gate> {
  const { gates } = await owner.get<{ gates: Gate[] }>('campaign.preview', { campaign_id })
  const found = gates.find((entry) => entry.gate === gate)
  assert.ok(found, `${gate} is not looked at`)
  return found
}

interface Tripped {
  gate: Gate['gate']
  result: 'warn' | 'block'
  content: object
  mended: object
  channel?: 'email' | 'sms'
  evidence: RegExp
}

/** Trips a gate by the content, and satisfies it through `campaign.save`. */
async function tripAndMend(scene: Scene, one: Tripped): Promise<void> {
  const { gate, content, channel = 'email' } = one
  const { campaign_id } = await scene.draft({ channel, content, name: gate })
  const found = await gateOf(scene, campaign_id, gate)
  assert.equal(found.result, one.result, gate)
  assert.match(found.evidence, one.evidence)
  assert.ok(found.remedy, `${gate} has a remedy`)
  if (one.result === 'block') {
    const refusal = await scene.refused('campaign.deploy', { campaign_id })
    assert.match(refusal.message, one.evidence)
  }
  await scene.owner.get('campaign.save', { campaign_id, content: one.mended })
  assert.equal((await gateOf(scene, campaign_id, gate)).result, 'pass', `${gate} is mended`)
  await deployPlanned(scene.owner, { campaign_id })
}

const html = (body: string) => ({ subject: 'News', html: body })

test('each gate about the mail’s content is cleared by correcting the mail', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(1)
  const words = 'word '.repeat(25_000)
  const cases: Tripped[] = [
    {
      gate: 'variables',
      result: 'warn',
      content: html(
        '<p>{{ order.total }} for {{ contact.name }}, {{ contact.attributes.town }}</p>',
      ),
      mended: html('<p>Hello {{ contact.name | default: "you" }}</p>'),
      evidence: /order\.total \}\} is empty for everybody; .*town \}\} is empty for 1 of 1/,
    },
    {
      gate: 'size',
      result: 'warn',
      content: html(`<p>${words}</p>`),
      mended: html('<p>word</p>'),
      evidence: /has up to 12\d kB of HTML/,
    },
    {
      gate: 'accessibility',
      result: 'warn',
      content: html('<h1>News</h1><h3>Cakes</h3><img src="https://example.com/a.png">'),
      mended: {
        blocks: [
          { type: 'heading', text: 'News' },
          { type: 'heading', text: 'Cakes' },
          { type: 'image', src: 'https://example.com/a.png', alt: 'A cake' },
        ],
      },
      evidence: /One image has no alt.* level 3 follows one of level 1/,
    },
    {
      gate: 'mail_programs',
      result: 'warn',
      content: html('<p style="display:flex">Hello</p><form></form>'),
      mended: html('<p style="border-radius:4px">Hello</p>'),
      evidence:
        /drop or block <form>.*By caniemail’s data, not rendered there: Outlook for Windows, GMX and WEB\.DE ignore flexbox\./,
    },
    {
      gate: 'content',
      result: 'block',
      content: { subject: '{{ contact.name }}', html: '<p>Hello</p>' },
      mended: { subject: '{{ contact.name | default: "News" }}' },
      evidence: /With empty data the subject or the message comes out empty/,
    },
    {
      gate: 'content',
      result: 'block',
      content: {
        subject: 'Spring',
        blocks: [
          { type: 'heading', text: 'Asparagus is back' },
          {
            type: 'columns',
            columns: [[{ type: 'text', text: 'Write here.' }], [{ type: 'text', text: 'Soon.' }]],
          },
          { type: 'list', items: ['Soup', 'An entry'] },
        ],
      },
      mended: { blocks: [{ type: 'heading', text: 'Asparagus is back' }] },
      evidence: /It still has sample text: “Write here\.”, “An entry”\./,
    },
    {
      gate: 'content',
      result: 'block',
      content: html('<h1>A  heading</h1><p> a heading </p>'),
      mended: html('<p>A heading of our own</p>'),
      evidence: /“A heading”/,
    },
    {
      gate: 'content',
      result: 'block',
      content: {
        subject: 'Spring',
        blocks: [{ type: 'text', text: 'Hello {{ contact.name | default: "there" }},' }],
      },
      mended: {
        blocks: [{ type: 'text', text: 'Hello {{ contact.name | default: "there" }}, come by.' }],
      },
      evidence: /“Hello there,”/,
    },
    {
      gate: 'content',
      result: 'block',
      content: {
        subject: 'Spring',
        html: '<p>Asparagus is back</p>',
        translations: { de: { subject: 'Frühling', html: '<h1>Eine Überschrift</h1>' } },
      },
      mended: { translations: { de: { subject: 'Frühling', html: '<h1>Spargel</h1>' } } },
      evidence: /It still has sample text in de: “Eine Überschrift”/,
    },
    {
      gate: 'unsubscribe_link',
      result: 'block',
      content: html('<p>Hello</p><!-- for later'),
      mended: html('<p>Hello</p><!-- for later -->'),
      evidence: /swallowed/,
    },
    {
      gate: 'links',
      result: 'warn',
      content: html(`<p><a href="${site}/gone">Here</a> <a href="${site}/there">there</a></p>`),
      mended: html(`<p><a href="${site}/there">there</a></p>`),
      evidence: /\/gone answers 404\.$/,
    },
    {
      gate: 'links',
      result: 'warn',
      content: html(
        `<p><a href="/shop">a</a> <a href="//x.test">b</a> <a href="${site}/there">c</a></p>`,
      ),
      mended: html(`<p><a href="${site}/there">there</a></p>`),
      evidence: /^2 links have no complete address.*“\/shop”, “\/\/x\.test”/,
    },
  ]
  for (const one of cases) await tripAndMend(scene, one)
})

test('each gate about the text’s content is cleared by correcting the text', async () => {
  const scene = await campaignScene(testbed)
  await scene.contact({ phone: '+33612345678', consent: { sms: yes } })
  const cases: Tripped[] = [
    {
      gate: 'stop_word',
      result: 'block',
      channel: 'sms',
      content: { text: 'New classes on Monday.' },
      mended: { text: 'New classes on Monday. Reply STOP to end.' },
      evidence: /does not say how to end it/,
    },
    {
      gate: 'segments',
      result: 'warn',
      channel: 'sms',
      content: { text: `${'New classes. '.repeat(40)} STOP` },
      mended: { text: 'New classes. STOP' },
      evidence: /It has 4 parts/,
    },
  ]
  for (const one of cases) await tripAndMend(scene, one)
})

test('a campaign without a postal address is blocked; with one it can be deployed', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(1)
  const set = (value: string) =>
    setBusiness(testbed.db, scene.businessId, {
      key: 'postal_address',
      value,
      now: systemClock.now(),
    })
  await set('')
  const { campaign_id } = await scene.draft()
  const gate = await gateOf(scene, campaign_id, 'postal_address')
  assert.equal(gate.result, 'block')
  assert.match(gate.remedy ?? '', /An owner of the business sets it/)
  assert.equal((await scene.refused('campaign.deploy', { campaign_id })).code, 'conflict')
  await set('1 Example Street')
  await deployPlanned(scene.owner, { campaign_id })
})

test('a campaign without any consenting contact is blocked; with one it can be deployed', async () => {
  const scene = await campaignScene(testbed)
  await scene.contact({ email: 'quiet@example.com' })
  const { campaign_id } = await scene.draft()
  const { result, evidence } = await gateOf(scene, campaign_id, 'consent')
  assert.equal(result, 'block')
  assert.match(evidence, /None of the 1 in the audience agreed to email/)
  await scene.refused('campaign.deploy', { campaign_id })
  await scene.contact({ email: 'quiet@example.com', consent: { email: yes } })
  await deployPlanned(scene.owner, { campaign_id })
})

test('a quota too small for all recipients causes a warning, and an exhausted one blocks', async () => {
  const scene = await campaignScene(testbed, 'free')
  await scene.subscribers(3)
  const { campaign_id } = await scene.draft()
  const used = async (amount: number) => {
    await testbed.db.run(sql`
      insert into usage_months (business_id, metric, month, amount)
      values (${scene.businessId}, 'emails', date_trunc('month', ${systemClock.now()}::timestamptz
        at time zone 'utc'), ${amount})
      on conflict (business_id, metric, month) do update set amount = excluded.amount
    `)
    return (await gateOf(scene, campaign_id, 'quota')).result
  }
  assert.equal(await used(1_000), 'block')
  await scene.refused('campaign.deploy', { campaign_id })
  assert.equal(await used(999), 'warn')
  assert.equal(await used(997), 'pass')
  await deployPlanned(scene.owner, { campaign_id })
})

test('fields of Mailchimp that stayed as they were written block a mail, and are named', async () => {
  const scene = await campaignScene(testbed)
  await scene.contact({ email: 'ana@example.com', consent: { email: yes } })
  const contentOf = async (content: object) => {
    const { campaign_id } = await scene.draft({ channel: 'email', content, name: 'Moved' })
    return gateOf(scene, campaign_id, 'content')
  }
  const tags = '*|IF:FNAME|*Hi *|FNAME|*!*|ELSE:|*Hi!*|END:IF|* *|FNAME|*'
  const inHtml = await contentOf({ subject: 'Sale', html: `<h1>Sale</h1><p>${tags}</p>` })
  assert.equal(inHtml.result, 'block')
  assert.match(
    inHtml.evidence,
    /: \*\|IF:FNAME\|\*, \*\|FNAME\|\*, \*\|ELSE:\|\*, \*\|END:IF\|\*\.$/,
  )
  const blocks = [{ type: 'text', text: 'Everything is 20% off.' }]
  assert.equal((await contentOf({ subject: 'For you, *|FNAME|*', blocks })).result, 'block')
  // What only looks like a field is words.
  const stars = [{ type: 'text', text: 'We have *|* and *| x |* and |*|.' }]
  assert.equal((await contentOf({ subject: 'Sale', blocks: stars })).result, 'pass')
})

test('a mail that asks for permission says why it does not reach the rest', async () => {
  const scene = await campaignScene(testbed)
  const { owner, contact } = scene
  const agreed = await contact({ email: 'yes@example.com', consent: { email: yes } })
  const customer = { status: 'subscribed', source: 'order 12', basis: 'existing_customer' }
  await contact({ email: 'customer@example.com', consent: { email: customer } })
  await contact({ email: 'never@example.com' })
  const of = async (gallery: string, slots: object) => {
    const input = { channel: 'email', gallery, slots }
    const { campaign_id } = await owner.get<{ campaign_id: string }>('campaign.generate', input)
    return { campaign_id, gate: await gateOf(scene, campaign_id, 'consent') }
  }
  const { campaign_id, gate: asks } = await of('re-permission', { sender: 'Jo' })
  assert.equal(asks.result, 'warn')
  assert.match(asks.evidence, /^2 of 3 agreed.*does not reach the others: [a-z_]+ 1\./)
  assert.match(asks.remedy ?? '', /basis/)
  assert.equal((await of('sale', { percent: '20%' })).gate.result, 'pass')

  const permission = (id: string) => gateOf(scene, id, 'permission')
  assert.equal((await permission(campaign_id)).result, 'pass')
  await deployPlanned(owner, { campaign_id })
  const campaignId = parseId('campaign', campaign_id) ?? null
  const sent = { type: 'message.sent', details: {}, subject: { campaignId } }
  const got = { businessId: scene.businessId, contactId: agreed, ...sent }
  await testbed.db.tx((tx) => recordActivity(tx, [got], systemClock.now()))
  const again = await of('re-permission', { sender: 'Jo' })
  const pressed = await permission(again.campaign_id)
  assert.equal(pressed.result, 'block')
  assert.match(pressed.evidence, new RegExp(`^1 of the recipients .* last by ${campaign_id}`))
  await contact({ email: 'new@example.com', consent: { email: yes } })
  const audience = { filter: { did_not: 'message.sent', campaign_id } }
  await owner.get('campaign.save', { campaign_id: again.campaign_id, audience })
  assert.equal((await permission(again.campaign_id)).result, 'pass')
  const content = { blocks: [{ type: 'text', text: 'May we write?' }] }
  await owner.get('campaign.save', { campaign_id: again.campaign_id, content })
  assert.match((await permission(again.campaign_id)).evidence, /leads to the page/)
})

test('people whom an automation asked for permission are not asked again', async () => {
  const scene = await campaignScene(testbed)
  const { owner, contact, businessId } = scene
  const asked = await contact({ email: 'asked@example.com', consent: { email: yes } })
  await contact({ email: 'new@example.com', consent: { email: yes } })
  const mail = { name: 'Ask', gallery: 're-permission', slots: { sender: 'Jo' } }
  const { template_id } = await owner.get<{ template_id: string }>('template.save', mail)
  const messageId = newId('message')
  const now = systemClock.now()
  await testbed.db.run(sql`
    insert into messages (business_id, id, kind, contact_id, recipient, template_id, state, attempts, due_at, created_at, updated_at)
    values (${businessId}, ${messageId}, 'marketing', ${asked}, 'asked@example.com',
      ${parseId('template', template_id)}, 'accepted', 1, ${now}, ${now}, ${now})
  `)
  const sent = { type: 'message.sent', details: {}, subject: { messageId } }
  const got = { businessId, contactId: asked, ...sent }
  await testbed.db.tx((tx) => recordActivity(tx, [got], now))
  const input = { channel: 'email', gallery: 're-permission', slots: { sender: 'Jo' } }
  const { campaign_id } = await owner.get<{ campaign_id: string }>('campaign.generate', input)
  const pressed = await gateOf(scene, campaign_id, 'permission')
  assert.equal(pressed.result, 'block')
  assert.match(pressed.evidence, /^1 of the recipients .* by an automation/)
  const [, filter] = /filter (\{.*\}) in the audience/.exec(pressed.remedy ?? '') ?? []
  const audience = { filter: JSON.parse(filter ?? '') as object }
  await owner.get('campaign.save', { campaign_id, audience })
  assert.equal((await gateOf(scene, campaign_id, 'permission')).result, 'pass')
})
