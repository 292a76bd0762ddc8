/** A language model fills the gallery's blocks, and nothing that it answers reaches beyond their words. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { menu, shop } from '../../../../../tests/support/businesses/briefs.ts'
import { ownTemplates } from '../../../../../tests/support/businesses/own-templates.ts'
import {
  inTurn,
  type ModelServer,
  modelServer,
  says,
} from '../../../../../tests/support/network/model-server.ts'
import { isRefusal, orRefusal } from '../../../core/errors.ts'
import { createWriter } from '../writer.ts'

const templates = ownTemplates()
after(() => templates.close())
let server: ModelServer | undefined
afterEach(() => server?.close())

const brief = {
  goal: '20% off all cakes until 30 November with the code HERBST-20',
  kind: 'sale',
  facts: ['Only at the counter'],
  links: [menu],
}

const slots = {
  percent: '20%',
  goods: 'all cakes',
  code: 'HERBST-20',
  shop_url: menu,
  starts: '',
  ends: '30 November',
  exceptions: '',
}

const words = [
  '[[percent]] off every cake',
  'Come by and pick yours.',
  'Your code',
  'See the cakes',
  '**What’s reduced:** [[goods]]',
  '**Starts:** [[starts]]',
  '**Ends:** [[ends]]',
  '',
]

const answer = (changes: object = {}) => ({
  subject: '[[percent]] off at [[value1]]',
  preheader: 'Until 30 November',
  words,
  slots,
  paragraphs: ['Only at the counter.'],
  points: [],
  sms: '20% off all cakes until 30 November.',
  tags: [],
  ...changes,
})

async function ask(...answers: object[]) {
  server = await modelServer('openai', inTurn(...answers.map((said) => says('openai', said))))
  const { settings, outbound, asked } = server
  const log = { info: () => undefined, warn: () => undefined } as never
  const writer = createWriter({ settings, outbound, log, answerMs: 2_000 })
  const draft = await orRefusal(() =>
    writer.write({ brief, around: shop, channel: 'email', writer: undefined, call: { brief } }),
  )
  return { draft, asked }
}

test('a model fills the blocks and slots of the gallery’s mail for the brief', async () => {
  const { draft, asked } = await ask(answer())
  assert.ok(!isRefusal(draft))
  const [question] = asked
  assert.match(question?.text ?? '', /What is reduced/)
  assert.doesNotMatch(question?.text ?? '', /\{\{ business/)
  assert.deepEqual([draft.writtenBy, draft.gallery, draft.notes], ['model', 'sale', []])
  assert.equal(draft.mail.subject, '20% off at {{ business.name }}')
  const panel = { background: '#f4f4f7', padding: 'small' }
  assert.deepEqual(draft.mail.blocks, [
    { type: 'view_link' },
    { type: 'heading', text: '20% off every cake' },
    { type: 'text', text: 'Come by and pick yours.' },
    { type: 'text', text: 'Only at the counter.' },
    { type: 'code', text: 'Your code', code: 'HERBST-20' },
    { type: 'button', text: 'See the cakes', url: menu },
    {
      type: 'list',
      items: ['**What’s reduced:** all cakes', '**Ends:** 30 November'],
      ...panel,
    },
  ])
  assert.match(draft.sms, /^Ana at Brindlequay: 20% off all cakes .*STOP to opt out$/)
  assert.ok(!isRefusal(await templates.check(draft.mail)))
})

test('a fact that the brief lacks leaves its slot empty, and the notes name it', async () => {
  const { draft } = await ask(answer({ slots: { ...slots, percent: '' } }))
  assert.ok(!isRefusal(draft))
  assert.match(draft.notes.join(), /\[\[Discount, such as 20%\]\]/)
  assert.match(draft.mail.subject, /^\[\[Discount/)
})

const bad: [string, object, RegExp][] = [
  ['leaves out a block', { words: words.slice(1) }, /has 7 texts, and the mail has 8/],
  ['makes up a fact', { slots: { ...slots, ends: '1 December' } }, /letter by letter/],
  ['makes up a number', { paragraphs: ['Over 500 cakes.'] }, /the number 500 stands nowhere/],
  ['leads elsewhere', { slots: { ...slots, shop_url: 'https://evil.example' } }, /shop_url/],
  ['adds a slot', { slots: { ...slots, bank: 'x' } }, /bank is not known/],
  ['writes a link', { words: words.with(1, 'See [this](javascript:x)') }, /markup/],
  ['writes a mark', { words: words.with(1, 'See [this]{size=l}') }, /markup/],
  ['writes an unknown slot', { subject: '[[iban]] off' }, /placeholder/],
  ['writes code', { words: words.with(0, '{{ contact.email }}') }, /template code/],
  ['writes an address', { words: words.with(0, 'Log in at evil-bank.com') }, /address/],
  ['proposes a tag that is none', { tags: ['everyone'] }, /a tag is none/],
  [
    'writes a heading that no block takes',
    { words: words.with(0, 'x'.repeat(600)) },
    /blocks\[1\]/,
  ],
]
for (const [what, changes, complaint] of bad) {
  test(`the answer of a model that ${what} is not taken, and a good second one is`, async () => {
    const { draft, asked } = await ask(answer(changes), answer())
    assert.ok(!isRefusal(draft))
    assert.equal(asked.length, 2)
    assert.match(asked[1]?.text ?? '', complaint)
  })
}

test('two answers that are no mail are refused, with the gallery’s own draft as the next call', async () => {
  const { draft } = await ask({ hello: 'world' })
  assert.ok(isRefusal(draft))
  assert.equal(draft.code, 'unavailable')
  assert.deepEqual(draft.details.fix, {
    tool: 'campaign.generate',
    arguments: { brief, writer: 'built_in' },
  })
})
