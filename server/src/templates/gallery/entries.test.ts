/** The mails of the gallery, as they are written and as they are made into HTML. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { factsOf } from '../../../../tests/support/businesses/gallery-facts.ts'
import {
  type OwnTemplates,
  ownTemplates,
} from '../../../../tests/support/businesses/own-templates.ts'
import { isRefusal } from '../../core/errors.ts'
import { judgeMail } from '../mail-programs/judge.ts'
import { galleryMail, galleryMails, mailsFor } from './entries.ts'
import { fillMail } from './fill.ts'
import { type GalleryWords, galleryLanguages, purposes } from './mail.ts'
import { galleryTexts } from './texts.ts'

let templates: OwnTemplates
before(() => {
  templates = ownTemplates({ checkMs: 30_000, deadlineMs: 30_000 })
})
after(() => templates.close())

const slotsIn = (words: unknown): string[] => {
  const found = JSON.stringify(words).matchAll(/\[\[([a-z][a-z_\d]*)\]\]/g)
  return [...new Set([...found].map((match) => match[1] ?? ''))].sort()
}

const sequenceOf = ({ blocks }: GalleryWords) => blocks.map(({ type }) => type)

test('each mail is found by its key, and there is one for each purpose', () => {
  for (const mail of galleryMails()) assert.equal(galleryMail(mail.key), mail)
  assert.equal(galleryMail('nothing'), undefined)
  assert.equal(new Set(galleryMails().map(({ key }) => key)).size, galleryMails().length)
  assert.equal(purposes.length, 24)
  for (const purpose of purposes) {
    assert.equal(mailsFor(purpose).length, purpose === 'welcome' ? 2 : 1, purpose)
  }
})

test('what somebody ordered or booked is transactional, and everything else is marketing', () => {
  const transactional = galleryMails().filter(({ kind }) => kind === 'transactional')
  assert.deepEqual(
    transactional.map(({ key }) => key),
    ['appointment', 'receipt', 'shipping', 'invoice', 'password-reset'],
  )
})

for (const mail of galleryMails()) {
  test(`${mail.key} has the same slots and blocks in each language, and no other slot`, () => {
    const declared = mail.slots.map(({ name }) => name).sort()
    for (const language of galleryLanguages) {
      const words = mail.words[language]
      assert.deepEqual(slotsIn(words), declared, language)
      assert.deepEqual(sequenceOf(words), sequenceOf(mail.words.en), language)
      const line = `${words.subject} ${words.preview_text}`
      for (const { name, required } of mail.slots) {
        assert.ok(required || !line.includes(`[[${name}]]`), `${name} stands in the subject`)
      }
      assert.equal(words.blocks.filter(({ type }) => type === 'button').length, 1, language)
    }
  })

  test(`${mail.key} has words of its own under each heading when optional facts are missing`, () => {
    const optional = mail.slots.filter(({ required }) => !required).map(({ name }) => name)
    for (const language of galleryLanguages) {
      const rest = mail.words[language].blocks.filter(
        (block) =>
          !['divider', 'spacer', 'view_link'].includes(block.type) &&
          !slotsIn(block).some((name) => optional.includes(name)),
      )
      assert.ok(rest.length > 0)
      for (const [n, { type }] of rest.entries()) {
        const next = rest[n + 1]?.type
        assert.ok(type !== 'heading' || (next && next !== 'heading'), `${language} block ${n}`)
      }
    }
  })

  test(`${mail.key} becomes HTML of less than 60 kB that all mail programs show`, async () => {
    for (const language of galleryLanguages) {
      const source = factsOf(mail, { language, isBare: false })
      const compiled = await templates.check(source, { language, colour: null })
      assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
      const rendered = await templates.render(compiled, { business: { name: 'The Mill' } })
      assert.ok(!isRefusal(rendered))
      const size = Buffer.byteLength(rendered.html ?? '')
      assert.ok(size < 60_000, `${language}: ${size} bytes`)
      assert.ok(rendered.text.length > 100, language)
      const { flaws, lost } = judgeMail(rendered.html ?? '')
      assert.deepEqual([flaws, lost], [[], []], 'by caniemail’s data')
    }
  })
}

/** Twice the longest common subsequence, of the length of both. */
function likeness(first: readonly string[], second: readonly string[]): number {
  let row = Array.from({ length: second.length + 1 }, () => 0)
  for (const entry of first) {
    const next = [0]
    for (const [n, other] of second.entries()) {
      const best = Math.max(row[n + 1] ?? 0, next[n] ?? 0)
      next.push(entry === other ? (row[n] ?? 0) + 1 : best)
    }
    row = next
  }
  return (2 * (row.at(-1) ?? 0)) / (first.length + second.length)
}

function sentencesOf({ blocks }: GalleryWords): Set<string> {
  const texts: string[] = []
  const collect = (value: unknown, key = ''): void => {
    if (typeof value === 'string' && ['text', 'items', 'by'].includes(key)) texts.push(value)
    else if (Array.isArray(value)) for (const entry of value) collect(entry, key)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, entry] of Object.entries(value)) collect(entry, name)
    }
  }
  collect(blocks)
  const sentences = texts.flatMap((text) => text.split(/[.?!\n]+/))
  return new Set(sentences.map((text) => text.trim().toLowerCase()).filter(Boolean))
}

test('no two mails share more than 0.6 of their sequence of blocks, nor 0.3 of their sentences', () => {
  for (const [n, mail] of galleryMails().entries()) {
    for (const other of galleryMails().slice(0, n)) {
      const blocks = likeness(sequenceOf(mail.words.en), sequenceOf(other.words.en))
      assert.ok(blocks <= 0.6, `${mail.key} and ${other.key}: ${blocks}`)
      for (const language of galleryLanguages) {
        const mine = sentencesOf(mail.words[language])
        const theirs = sentencesOf(other.words[language])
        const shared = [...mine].filter((sentence) => theirs.has(sentence)).length
        const share = shared / Math.min(mine.size, theirs.size)
        assert.ok(share <= 0.3, `${mail.key} and ${other.key}, ${language}: ${share}`)
      }
    }
  }
})

test('each mail without a fact is a mail whose empty slots are marked', async () => {
  for (const mail of galleryMails()) {
    for (const language of galleryLanguages) {
      const { subject, preheader, blocks } = fillMail(mail, { language, facts: {} })
      const compiled = await templates.check({ subject, preheader, blocks })
      assert.ok(!isRefusal(compiled), `${mail.key}: ${isRefusal(compiled) && compiled.message}`)
      assert.doesNotMatch(
        blocks.map(({ type }) => type).join(' '),
        /^(?:divider|spacer)|(?:divider|spacer) (?:divider|spacer)|(?:divider|spacer)$/,
        mail.key,
      )
      const required = mail.slots.filter((slot) => slot.required)
      const text = JSON.stringify({ subject, blocks }).replaceAll('-', ' ')
      for (const { label } of required) {
        assert.ok(text.includes(`[[${label[language].replaceAll('-', ' ')}]]`), mail.key)
      }
    }
  }
})

test('six text messages use their slots in each language and leave room for the facts', () => {
  assert.equal(galleryTexts.length, 6)
  for (const { key, slots, words } of galleryTexts) {
    for (const language of galleryLanguages) {
      const { text } = words[language]
      assert.deepEqual(slotsIn(text), slots.map(({ name }) => name).sort(), key)
      const bare = text.replace(/\[\[[a-z_]+\]\]|\{\{[^}]*\}\}/g, '')
      assert.ok(bare.length <= 90, `${key}, ${language}: ${bare.length} characters`)
      assert.match(bare, /^[\w .,:;!?%'àèéùÉäöüÄÖÜß-]*$/, key)
    }
  }
})
