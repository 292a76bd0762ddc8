/** Blocks as callers save them and get them back, in templates and in campaigns. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  type Drafted,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

const blocks = [
  { type: 'heading', text: 'Spring menu' },
  { type: 'text', text: 'Hello {{ contact.name | default: "you" }}' },
  { type: 'button', text: 'Book', url: 'https://shop.example/{{ code }}' },
]

interface Source {
  html?: string
  mjml?: string
  blocks?: object[]
  text?: string
}

interface Saved {
  template_id: string
  version: number
  needs: string[]
  warnings: string[]
  previews: { html?: string; text: string }[]
}

async function template() {
  const { owner, refused } = await campaignScene(testbed)
  const made = await owner.get<Saved>('template.save', { name: 'News', subject: 'News', blocks })
  const { template_id } = made
  return {
    owner,
    refused,
    made,
    save: (change: object) => owner.get<Saved>('template.save', { template_id, ...change }),
    async source() {
      const listed = await owner.get<{ templates: { source: Source }[] }>('template.list', {
        template_id,
      })
      return listed.templates[0]?.source ?? {}
    },
  }
}

test('a template of blocks is previewed as HTML and text, and its blocks come back as they were given', async () => {
  const { made, source, save } = await template()
  assert.deepEqual(made.needs, ['code'])
  assert.deepEqual(made.warnings, [])
  assert.match(made.previews[0]?.text ?? '', /Spring menu\s+Hello Ana\s+Book/)
  assert.deepEqual(await source(), { subject: 'News', blocks })
  const { previews } = await save({ dry_run: true })
  assert.match(previews[0]?.html ?? '', /<h1[^>]*>Spring menu<\/h1>/)
  assert.equal((await save({ blocks })).version, 1)
  assert.equal((await save({ blocks: blocks.slice(0, 2) })).version, 2)
})

test('HTML replaces blocks and blocks replace HTML, and neither is turned into the other', async () => {
  const { source, save } = await template()
  await save({ text: 'By hand' })
  assert.deepEqual(await source(), { subject: 'News', text: 'By hand', blocks })
  await save({ html: '<h1>Spring menu</h1>' })
  assert.deepEqual(await source(), { subject: 'News', html: '<h1>Spring menu</h1>' })
  await save({ blocks })
  assert.deepEqual(await source(), { subject: 'News', blocks })
  await save({ mjml: '<mjml><mj-body></mj-body></mjml>' })
  assert.deepEqual(Object.keys(await source()), ['subject', 'mjml'])
  await save({ blocks, text: 'By hand' })
  await save({ blocks: [] })
  assert.deepEqual(await source(), { subject: 'News', text: 'By hand' })
})

test('blocks beside HTML, blocks of a text message, and faulty blocks are refused at their field', async () => {
  const { refused } = await template()
  const fieldOf = async (input: object) => {
    return (await refused('template.save', { name: 'N', subject: 'N', ...input })).field
  }
  assert.equal(await fieldOf({ blocks, html: '<p>x</p>' }), 'blocks')
  assert.equal(await fieldOf({ blocks: [{ type: 'text', text: '{{ a' }] }), 'blocks[0].text')
  const text = { name: 'N', channel: 'sms', text: 'Hi', blocks }
  assert.equal((await refused('template.save', text)).field, 'blocks')
})

test('a campaign gives its blocks back, mail of blocks has the language of the business, and faults are named within content', async () => {
  const scene = await campaignScene(testbed)
  await scene.owner.get('business.save', { language: 'he' })
  const { campaign_id } = await scene.draft({ content: { subject: 'News', blocks } })
  const contentOf = async () => {
    const { variants } = await scene.owner.get<{ variants: { content: Source }[] }>(
      'campaign.get',
      { campaign_id, content: true },
    )
    return variants[0]?.content
  }
  assert.deepEqual(await contentOf(), { subject: 'News', blocks })
  const { previews } = await scene.owner.get<Saved>('template.save', {
    name: 'N',
    subject: 'N',
    blocks,
    dry_run: true,
  })
  assert.match(previews[0]?.html ?? '', /<html lang="he" dir="rtl"/)
  const change = [{ type: 'heading', text: 'Autumn menu' }]
  await scene.owner.get<Drafted>('campaign.save', { campaign_id, content: { blocks: change } })
  assert.deepEqual(await contentOf(), { subject: 'News', blocks: change })
  const content = { blocks: [{ type: 'image', src: 'https://shop.example/a.png' }] }
  const refusal = await scene.refused('campaign.save', { campaign_id, content })
  assert.equal(refusal.field, 'content.blocks[0].alt')
})
