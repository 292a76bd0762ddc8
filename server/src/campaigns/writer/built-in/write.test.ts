import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { menu, shop, brief as wish } from '../../../../../tests/support/businesses/briefs.ts'
import { ownTemplates } from '../../../../../tests/support/businesses/own-templates.ts'
import { fc } from '../../../../../tests/support/properties.ts'
import { limits } from '../../../config.ts'
import { isRefusal, orRefusal } from '../../../core/errors.ts'
import { segmentsOf } from '../../../lib/sms/segments.ts'
import { neededVariables } from '../../../templates/variables.ts'
import { briefOf, goalKinds } from '../brief.ts'
import { createWriter, type DraftWish } from '../writer.ts'
import { writeBuiltIn } from './write.ts'

const templates = ownTemplates()
after(() => templates.close())

const noNetwork = () => Promise.reject(new Error('the built-in writer asks nobody'))
const silent = { info() {}, warn() {} }
const writer = createWriter({ settings: undefined, outbound: noNetwork, log: silent })

async function draft(brief: DraftWish['brief'], around = shop) {
  return writer.write({ brief, around, writer: undefined, call: {} })
}

function copyOf(input: DraftWish['brief'], around = shop) {
  const brief = briefOf(input, 'en')
  return writeBuiltIn(brief, around).copy
}

const ana = {
  contact: { name: 'Ana Moreau', first_name: 'Ana' },
  business: { name: 'Blue Bottle', postal_address: '1 Road' },
}

async function rendered(brief: DraftWish['brief'], variables: object = ana) {
  const { mail } = await draft(brief)
  const compiled = await templates.check(mail)
  assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
  assert.deepEqual(neededVariables(compiled.variables), [])
  const shown = await templates.render(compiled, {
    preferences_url: 'https://u.example',
    ...variables,
  })
  assert.ok(!isRefusal(shown))
  return shown
}

test('a brief becomes a complete mail, with written_by set to built_in', async () => {
  const written = await draft(wish)
  assert.equal(written.writtenBy, 'built_in')
  assert.equal(written.mail.subject, 'Our spring menu, from 3 March')
  assert.deepEqual(written.tags, ['vip'])
  const { html, text, subject } = await rendered(wish)
  assert.equal(subject, 'Our spring menu, from 3 March')
  for (const said of [
    'Hi Ana,',
    'Three new cakes',
    'Open on Sundays',
    menu,
    'Ana at Blue Bottle',
  ]) {
    assert.ok(html?.includes(said), said)
    assert.ok(text.includes(said), said)
  }
})

test('the mail ends with the sender, and leaves the address and unsubscribe link to the sending', async () => {
  const { html, text } = await rendered(wish)
  assert.match(text, /Ana at Blue Bottle\s*$/)
  for (const added of ['1 Road', 'https://u.example']) assert.ok(!`${html}${text}`.includes(added))
})

test('a reader without a name is greeted without a name', async () => {
  const nameless = { ...ana, contact: { name: null, first_name: null } }
  assert.match((await rendered(wish, nameless)).text, /^Hi there,$/m)
  const formal = { ...wish, tone: 'formal, please' }
  assert.match((await rendered(formal, nameless)).text, /^Dear reader,$/m)
  assert.match((await rendered(formal)).text, /^Dear Ana,$/m)
})

test('instructions to the writer in a goal are removed from the headline', () => {
  const goals = [
    'Announce our new spring menu',
    'Please write a short email to all our customers about our new spring menu',
    'Tell our subscribers about our new spring menu',
    'I want to let everyone know about our new spring menu.',
    'Could you draft a newsletter for our loyal customers: our new spring menu',
  ]
  for (const goal of goals) assert.equal(copyOf(goal).headline, 'Our new spring menu', goal)
})

test('sentences addressed to the writer are left out of the mail and listed in the notes', async () => {
  const written = await draft('We open on Sundays. Keep it short. Bring a friend.')
  const { text } = await rendered('We open on Sundays. Keep it short. Bring a friend.')
  assert.ok(text.includes('Bring a friend.'))
  assert.ok(!text.includes('Keep it short'))
  assert.ok(written.notes.some((note) => note.includes('Keep it short.')))
})

test('missing details are left out and listed in the notes, without placeholders in the mail', async () => {
  const { mail, notes } = await draft('Announce our new shop')
  const said = mail.blocks.map((block) => ('text' in block ? block.text : '')).join('\n')
  assert.doesNotMatch(said + mail.text, /\[|TODO|lorem/i)
  assert.ok(!mail.blocks.some(({ type }) => type === 'button'))
  assert.ok(notes.some((note) => note.includes('brief.links')))
  assert.ok(notes.some((note) => note.includes('brief.facts')))
})

test('every kind of goal has a different opening in each tone', () => {
  for (const tone of ['warm', 'formal', 'playful']) {
    const openings = goalKinds.map(
      (kind) => copyOf({ ...wish, kind, tone }).sections[0]?.paragraphs[0],
    )
    assert.equal(new Set(openings).size, goalKinds.length, tone)
  }
})

test('the text message contains sender, text, link and opt-out, within the segment limit', () => {
  const long = { ...wish, facts: Array(20).fill('A fact that takes some forty characters.') }
  for (const input of [wish, long, { ...wish, goal: 'ñandú 漢字 '.repeat(40) }]) {
    const { sms } = copyOf(input)
    assert.ok(sms.startsWith('Ana at Blue Bottle: '), sms)
    assert.ok(sms.endsWith(`${menu} STOP to opt out`), sms)
    assert.ok(segmentsOf(sms).segments <= limits.smsSegments, sms)
  }
})

test('template code in a brief stays literal text, in the mail and the text message', async () => {
  const evil = { ...wish, goal: 'Our {{ contact.email }} and {% assign x = 1 %} <b>menu</b>' }
  const { html, text, subject } = await rendered(evil)
  assert.ok(subject.includes('{{ contact.email }}'))
  assert.ok(text.includes('{% assign x = 1 %} <b>menu</b>'))
  assert.ok(html?.includes('&lt;b&gt;menu&lt;/b&gt;'))
  const { sms } = await draft(evil)
  const compiled = await templates.check({ text: sms })
  assert.ok(!isRefusal(compiled))
  assert.deepEqual(compiled.variables, [])
})

test('brackets in a brief make no link', async () => {
  const evil = { ...wish, goal: 'Our [spring menu](javascript:alert) from 3 March' }
  const { html } = await rendered(evil)
  assert.ok(html?.includes('[spring menu] (javascript:alert)'))
})

test('any brief produces a valid template within its limits', async () => {
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
  const input = fc.record({
    goal: words,
    facts: fc.array(words, { maxLength: 20 }),
    tone: fc.constantFrom('', 'formal', 'fun'),
    kind: fc.constantFrom(...goalKinds),
    links: fc.array(fc.webUrl(), { maxLength: 10 }),
  })
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      const written = await orRefusal(() =>
        writer.write({
          brief: given,
          around: shop,
          writer: undefined,
          call: {},
        }),
      )
      if (isRefusal(written)) return assert.equal(written.details.field, 'brief.goal')
      const compiled = await templates.check(written.mail)
      assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
      assert.deepEqual(neededVariables(compiled.variables), [])
      assert.ok(written.mail.subject.trim().length > 0)
    }),
    { numRuns: 40 },
  )
})
