/**
 * What owners wish for their welcome series, in their words: an assistant that reads tools and answers
 * alone ends with the right grammar, or with what Crier does not do, and never with a campaign.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { campaignScene } from '../support/businesses/campaigns.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Found {
  name: string
  summary: string
  input_schema: object
}

interface Wish {
  words: string
  /** What the assistant changes of the series. */
  change: Record<string, unknown>
  /** What it has to have read before it can write that. */
  read: readonly (string | RegExp)[]
}

const [first, second] = ['welcome-1', 'welcome-2'].map((gallery) => ({ send: { gallery } }))
const enter = { on: 'consent.given' }

const wishes: readonly Wish[] = [
  {
    words: 'automation: stop when they buy',
    change: { exit: { did: 'order_placed', since: 'entry' } },
    read: ['exit', /"did":"[a-z_]+","since":"entry"/],
  },
  {
    words: 'automation only for Germans',
    change: { enter: { ...enter, filter: { field: 'language', op: 'is', value: 'de' } } },
    read: ['filter', /"field":"language","op":"is"/],
  },
  {
    words: 'automation not at night',
    change: { hours: { from: '09:00', to: '20:00', clock: 'recipient' } },
    read: ['hours', '"clock":"recipient"', '"from":"09:00"'],
  },
  {
    words: 'automation: the same person at most twice a year',
    change: { enter: { ...enter, again: 'after 182 days' } },
    read: ['again', 'after 90 days'],
  },
  {
    words: 'automation: the second mail on Tuesdays only',
    change: { steps: [first, { wait: '3 days', until: '09:00', days: ['tue'] }, second] },
    read: ['"days":["tue"]', 'until'],
  },
  {
    words: 'automation three days before their birthday, each year',
    change: { enter: { on: 'date', field: 'birthday', offset: '-3 days', yearly: true } },
    read: ['date', 'birthday', '-3 days', 'yearly'],
  },
  {
    words: 'automation: remind those who do not click',
    change: {
      steps: [
        first,
        { wait_for: { clicked: true, up_to: '2 days' } },
        { split: [{ if: { did_not: 'message.clicked', since: 'entry' }, steps: [second] }] },
      ],
    },
    read: ['wait_for', 'clicked', 'up_to', 'split', '"did_not":"message.clicked"'],
  },
  {
    words: 'automation: tell me when somebody has had both mails',
    change: { steps: [first, { wait: '3 days' }, second, { notify: { members: ['owner'] } }] },
    read: ['notify', 'members', 'owner'],
  },
  {
    words: 'automation: compare with people who get nothing',
    change: { holdout: 10, goal: { did: 'order_placed', since: 'entry' } },
    read: ['holdout', 'goal', 'percent'],
  },
  {
    words: 'automation: a text message in place of the second mail',
    change: {
      steps: [first, { wait: '3 days' }, { send: { content: { text: 'Hi' } }, channel: 'sms' }],
    },
    read: ['sms', 'content'],
  },
]

test('ten wishes end with the grammar that means them, read from the tool that saves', async () => {
  const { owner } = await campaignScene(testbed)
  const saved = await owner.get<{ sequence_id: string }>('sequence.save', {
    name: 'Welcome',
    enter,
    steps: [first, { wait: '3 days' }, second],
    slots: { favourites_url: 'https://mill-lane.example/favourites' },
  })
  const { sequence_id } = saved
  // It remembers the tool that it has read of.
  let tool: Found | undefined
  for (const { words, change, read } of wishes) {
    const { found } = await owner.get<{ found: Found[] }>('meta.find', { query: words })
    tool = found.find(({ name }) => name.endsWith('sequence.save')) ?? tool
    assert.ok(tool, `${words}: ${found.map(({ name }) => name).join(', ')}`)
    const text = `${tool.summary} ${JSON.stringify(tool.input_schema).replaceAll('\\"', '"')}`
    for (const part of read) {
      const has = typeof part === 'string' ? text.includes(part) : part.test(text)
      assert.ok(has, `${words}: ${String(part)} is not to be read in ${text}`)
    }
    await owner.get('sequence.save', { sequence_id, ...change })
    const after = await owner.get<Record<string, unknown>>('sequence.get', { sequence_id })
    for (const [key, value] of Object.entries(change)) {
      if (key !== 'steps') assert.deepEqual(after[key], value, words)
    }
    assert.equal(after['status'], 'draft')
  }
  const { campaigns } = await owner.get<{ campaigns: object[] }>('campaign.list', {})
  assert.deepEqual(campaigns, [])
})

test('what an automation cannot do is named as not offered, or has another tool', async () => {
  const { owner } = await campaignScene(testbed)
  const { not_offered } = await owner.get<{ not_offered: string[] }>('meta.capabilities', {})
  for (const word of ['WhatsApp', 'social media', 'voice messages', 'Bought or scraped']) {
    assert.ok(
      not_offered.some((text) => text.includes(word)),
      word,
    )
  }
  assert.ok(not_offered.some((text) => /“every”.*“when”/.test(text) && /sequence\.save/.test(text)))
  const { found } = await owner.get<{ found: Found[] }>('meta.find', {
    query: 'mail every new blog post each week',
  })
  assert.ok(
    found.some(({ name }) => name.endsWith('feed.save')),
    found.map(({ name }) => name).join(', '),
  )
})
