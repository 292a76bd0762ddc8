/** Blocks that only some see, from the draft to the mail, its page in the browser and the archive. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../../tests/support/businesses/campaign-drafts.ts'
import { awaitState, draftTo } from '../../../../tests/support/businesses/campaign-runs.ts'
import { campaignScene, yes } from '../../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { listInbox } from '../../core/inbox/mail-queries.ts'
import { sql } from '../../lib/db/db.ts'
import { createTemplates } from '../../templates/compile.ts'
import { createArchiveMails } from '../archive/mails.ts'
import { findVariants } from '../campaign.ts'
import type { Gate } from '../preflight/gates/gate.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

async function mailTo(address: string) {
  const [mail] = await eventually(
    () => listInbox(testbed.db, address, 1),
    ({ length }) => length > 0,
  )
  if (!mail) throw new Error(`no mail to ${address}`)
  return { html: mail.html ?? '', text: mail.text }
}

const words = ['Everybody', 'Just for VIPs', 'Not for VIPs', 'In Berlin']
const seenIn = (text: string) => words.filter((word) => text.includes(word))

const vip = { tag: 'vip' }
const berlin = { field: 'attributes.city', op: 'is', value: 'Berlin' }
const blocks = [
  { type: 'view_link' },
  { type: 'text', text: 'Everybody' },
  { type: 'text', text: 'Just for VIPs', show_if: vip },
  { type: 'button', text: 'Not for VIPs', url: 'https://shop.example', show_if: { not: vip } },
  {
    type: 'columns',
    columns: [[{ type: 'text', text: 'In Berlin', show_if: berlin }], [{ type: 'divider' }]],
  },
]

test('each recipient of a campaign gets the blocks whose filter fits, and sees the same ones in the browser later', async () => {
  const running = await draftTo(testbed, 0, { content: { subject: 'Blocks', blocks } })
  const { scene, name: campaign_id, businessId, campaignId } = running
  const vipId = await scene.contact({
    email: 'vip-shown@example.com',
    tags: ['vip'],
    attributes: { city: 'Berlin' },
    consent: { email: yes },
  })
  await scene.contact({ email: 'other-shown@example.com', consent: { email: yes } })
  const { gates } = await scene.owner.get<{ gates: Gate[] }>('campaign.preview', { campaign_id })
  const gate = gates.find((entry) => entry.gate === 'blocks')
  assert.equal(gate?.result, 'warn')
  assert.match(gate?.evidence ?? '', /blocks\[2\] is seen by 1 of 2; blocks\[3\] is seen by 1 of 2/)
  assert.match(gate?.evidence ?? '', /1 recipient would see neither a button nor a link/)
  const sample = await scene.owner.get<{ samples: { text: string }[] }>('campaign.preview', {
    campaign_id,
    content: true,
  })
  assert.deepEqual(seenIn(sample.samples[0]?.text ?? ''), words)
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  const [toVip, toOther] = [
    await mailTo('vip-shown@example.com'),
    await mailTo('other-shown@example.com'),
  ]
  const ofVip = ['Everybody', 'Just for VIPs', 'In Berlin']
  const ofOther = ['Everybody', 'Not for VIPs']
  for (const part of ['html', 'text'] as const) {
    assert.deepEqual(seenIn(toVip[part]), ofVip, part)
    assert.deepEqual(seenIn(toOther[part]), ofOther, part)
  }
  await testbed.db.run(sql`
    update contacts set tags = '{}', attributes = '{}'
    where business_id = ${businessId} and id = ${vipId}
  `)
  const view = /https?:\/\/[^\s"<>]+\/v\/[\w-]+/.exec(toVip.html)?.[0] ?? ''
  const page = await (await fetch(view)).text()
  assert.deepEqual(seenIn(page), ofVip)

  const templates = createTemplates()
  const [variant] = await findVariants(testbed.db, businessId, campaignId)
  const archived = await createArchiveMails({ db: testbed.db, templates }).mailOf(
    {
      businessId,
      archive: {
        name: 'Shop',
        language: 'en',
        colour: null,
        timeZone: 'UTC',
        postalAddress: null,
        title: null,
        description: null,
        formId: null,
        settingsVersion: 1,
        changedAt: new Date(),
      },
      url: 'https://crier.test/archive/bus_1',
      languages: [],
    },
    {
      id: campaignId,
      sentAt: new Date(),
      completedAt: new Date(),
      versionId: variant?.versionId ?? null,
    },
  )
  await templates.close()
  assert.ok(archived && 'html' in archived)
  assert.deepEqual(seenIn(archived.html ?? ''), ['Everybody'])
})

test('a single mail of a template shows the blocks that fit its contact, and an address without a contact none of them', async () => {
  const scene = await campaignScene(testbed)
  const { owner } = scene
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    name: 'Blocks',
    subject: 'Blocks',
    blocks,
    translations: { de: { subject: 'Blöcke', blocks } },
  })
  const contact_id = await owner
    .get<{ contact_id: string }>('contact.upsert', {
      email: 'single-vip@example.com',
      tags: ['vip'],
      language: 'de',
    })
    .then((saved) => saved.contact_id)
  await owner.get('email.send', { contact_id, template_id })
  await owner.get('email.send', { to: 'single-nobody@example.com', template_id })
  assert.deepEqual(seenIn((await mailTo('single-vip@example.com')).text), words.slice(0, 2))
  assert.deepEqual(seenIn((await mailTo('single-nobody@example.com')).text), ['Everybody'])
  const preview = await owner.get<{ untrusted: { text: string } }>('template.preview', {
    subject: 'Blocks',
    blocks,
    contact_id,
  })
  assert.deepEqual(seenIn(preview.untrusted.text), words.slice(0, 2))
})

test('a filter that is wrong, or of a segment that is not there, is refused with its place', async () => {
  const { owner, refused } = await campaignScene(testbed)
  const { campaign_id } = await owner.get<{ campaign_id: string }>('campaign.generate', {
    channel: 'email',
    content: { subject: 'News', blocks: [{ type: 'text', text: 'Hello' }] },
  })
  const save = (show_if: object) =>
    refused('campaign.save', {
      campaign_id,
      content: {
        blocks: [
          {
            type: 'columns',
            columns: [[{ type: 'text', text: 'a', show_if }], [{ type: 'divider' }]],
          },
        ],
      },
    })
  const at = 'content.blocks[0].columns[0][0].show_if'
  const wrong = await save({ field: 'shoe_size', op: 'is', value: 3 })
  assert.deepEqual([wrong.code, wrong.field], ['invalid_request', `${at}.field`])
  const gone = await save({ segment: 'seg_01jzzzzzzzzzzzzzzzzzzzzzzz' })
  assert.deepEqual([gone.code, gone.field], ['not_found', `${at}.segment`])
})

test('a mail takes ten different filters in all its languages together, and no eleventh', async () => {
  const { owner, refused } = await campaignScene(testbed)
  const blocksWith = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => {
      return { type: 'text', text: 'Hello', show_if: { tag: `t${from + n}` } }
    })
  const template = { name: 'Many', subject: 'Many', blocks: blocksWith(0, 6) }
  const withGerman = (blocks: object[]) => {
    return { ...template, translations: { de: { subject: 'Viele', blocks } } }
  }
  await owner.get('template.save', withGerman(blocksWith(2, 8)))
  const { code, field } = await refused('template.save', withGerman(blocksWith(2, 9)))
  assert.deepEqual([code, field], ['invalid_request', 'translations.de.blocks[8].show_if'])
})
