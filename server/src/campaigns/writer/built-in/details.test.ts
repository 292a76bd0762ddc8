import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { shop } from '../../../../../tests/support/businesses/briefs.ts'
import { ownTemplates } from '../../../../../tests/support/businesses/own-templates.ts'
import { sixtyBriefs } from '../../../../../tests/support/businesses/sixty-briefs.ts'
import { isRefusal } from '../../../core/errors.ts'
import { endsOpen } from '../../preflight/open-end.ts'
import { createWriter } from '../writer.ts'
import { sentencesOf } from './sentences.ts'

const templates = ownTemplates()
after(() => templates.close())

const noNetwork = () => Promise.reject(new Error('the built-in writer asks nobody'))
const silent = { info() {}, warn() {} }
const writer = createWriter({ settings: undefined, outbound: noNetwork, log: silent })

async function drafted(brief: (typeof sixtyBriefs)[number]['brief'], channel: 'email' | 'sms') {
  const draft = await writer.write({ brief, around: shop, channel, writer: undefined, call: {} })
  const compiled = await templates.check(channel === 'email' ? draft.mail : { text: draft.sms })
  assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
  const shown = await templates.render(compiled, {
    contact: { name: 'Ana' },
    business: shop.business,
    preferences_url: 'https://u.example',
  })
  assert.ok(!isRefusal(shown))
  return { draft, shown }
}

const plain = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test('every time, price, place, link and code of a brief appears verbatim in its draft', async () => {
  assert.equal(sixtyBriefs.length, 60)
  for (const { brief, details } of sixtyBriefs) {
    const mail = await drafted(brief, 'email')
    const text = await drafted(brief, 'sms')
    for (const detail of details) {
      assert.ok(mail.shown.text.includes(detail), `${detail} in the text: ${mail.shown.text}`)
      assert.ok(plain(mail.shown.html ?? '').includes(detail), `${detail} in the HTML`)
      assert.ok(text.shown.text.includes(detail), `${detail} in: ${text.shown.text}`)
    }
  }
})

test('no line of a draft ends in a dangling word or cuts a time', async () => {
  for (const { brief, details } of sixtyBriefs) {
    const { shown, draft } = await drafted(brief, 'email')
    assert.ok(!endsOpen(shown.subject), shown.subject)
    assert.ok(shown.subject.length <= 90)
    const cut = details
      .filter((detail) => /^\d\d?:\d\d/.test(detail))
      .map((detail) => detail.split(':')[0])
    for (const hour of cut) {
      assert.doesNotMatch(shown.subject, new RegExp(`\\b${hour}(?!:?\\d)\\W*$`), shown.subject)
    }
    for (const text of [shown.text, draft.sms]) {
      for (const line of text.split('\n')) {
        for (const sentence of sentencesOf(line)) {
          assert.doesNotMatch(sentence, /\b(?:at|by|from|to|until|with)[.…]$/i, sentence)
        }
      }
      assert.doesNotMatch(text, /Keep it under|friendly tone/)
    }
  }
})

test('the notes call the draft a skeleton, and do not report missing details, lack of room or a button in a text', async () => {
  for (const { brief } of sixtyBriefs) {
    for (const channel of ['email', 'sms'] as const) {
      const { draft, shown } = await drafted(brief, channel)
      const notes = draft.notes.join('\n')
      assert.match(notes, /a person or a language model should write the rest/)
      assert.doesNotMatch(notes, /states no details/)
      assert.doesNotMatch(notes, /has no room/)
      if (channel === 'sms') assert.doesNotMatch(`${notes}\n${shown.text}`, /button/i)
    }
  }
})

test('the notes about a text message without a link do not mention a button', async () => {
  const { draft } = await drafted({ goal: 'We open at 9', kind: 'announcement' }, 'sms')
  assert.ok(draft.notes.some((note) => note.startsWith('It has no link: give')))
  assert.doesNotMatch(draft.notes.join('\n'), /button/)
})

test('the notes about a goal without details say that it has none', async () => {
  const { draft } = await drafted({ goal: 'Announce our new shop', kind: 'announcement' }, 'email')
  assert.ok(draft.notes.some((note) => note.startsWith('It states no details')))
})

test('the notes name the facts that did not fit into the text message', async () => {
  const facts = Array.from({ length: 20 }, (_, n) => `Stop ${n} at ${n + 1}:30, ${'x'.repeat(100)}`)
  const { draft } = await drafted({ goal: 'Our tour', kind: 'event', facts }, 'sms')
  const note = draft.notes.find((text) => text.startsWith('The text message has no room for')) ?? ''
  for (const fact of facts) assert.ok(draft.sms.includes(fact) || note.includes(fact), fact)
  const mail = await drafted({ goal: 'Our tour', kind: 'event', facts }, 'email')
  for (const fact of facts) assert.ok(mail.shown.text.includes(fact), fact)
})
