/**
 * Two sets of briefs as owners type them. The word lists were written with the first at hand, and
 * not changed after the second.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { galleryMail } from '../../templates/gallery/gallery.ts'
import { factsOf } from './facts.ts'
import { draftFromGallery, textFromBrief } from './from-gallery.ts'
import { readBrief } from './reading.ts'
import { createWriter, type Draft } from './writer.ts'

interface OwnerBrief {
  id: string
  language: 'en' | 'de' | 'fr'
  text: string
  must_contain: string[]
  goal: string
}

const folder = path.join(import.meta.dirname, '../../../../tests/corpus/briefs')
const briefsIn = (file: string) =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as OwnerBrief[]

const noNetwork = () => Promise.reject(new Error('the gallery needs no network'))
const writer = createWriter({
  settings: undefined,
  outbound: noNetwork,
  log: { info() {}, warn() {} },
})

const aimOf = ({ text, language }: OwnerBrief) =>
  readBrief({ text, language, purpose: undefined }).aim

/** Undefined if the gallery has nothing for it. */
async function written({ text, language }: OwnerBrief): Promise<Draft | undefined> {
  const business = { name: 'Blue Bottle', language }
  const around = { business, sender: 'Ana', tags: [] }
  const draft = await orRefusal(() =>
    writer.write({ brief: text, around, writer: undefined, call: {} }),
  )
  return isRefusal(draft) ? undefined : draft
}

const wordsOf = ({ mail }: Draft) => JSON.stringify([mail.subject, mail.preheader, mail.blocks])

/** Facts of a draft that stand neither in its brief nor in the gallery. */
function inventedIn(draft: Draft, brief: OwnerBrief): string[] {
  const mail = galleryMail(draft.gallery ?? '')
  const own = JSON.stringify([mail?.words[brief.language], mail?.slots])
  const known = `${brief.text} ${own} Ana Blue Bottle`
  const words = wordsOf(draft).replaceAll(String.raw`\n`, '\n').replaceAll('https://[[', '[[')
  return factsOf(words)
    .map(({ text }) => text)
    .filter((fact) => !known.includes(fact.replace(/\.$/, '')))
}

for (const [file, least] of [
  ['briefs.json', 97],
  ['second-set.json', 36],
] as const) {
  const briefs = briefsIn(file)

  test(`of ${briefs.length} briefs in ${file}, at least ${least} are read for what they are`, () => {
    const wrong = briefs.filter((brief) => aimOf(brief) !== brief.goal)
    const list = wrong.map((brief) => `${brief.id}: ${aimOf(brief)} in place of ${brief.goal}`)
    assert.ok(wrong.length <= briefs.length - least, list.join('\n'))
  })

  test(`every fact of the briefs in ${file} stands in its mail, and no other`, async () => {
    let mails = 0
    for (const brief of briefs) {
      const draft = await written(brief)
      if (!draft) continue
      mails++
      const lost = brief.must_contain.filter(
        (fact) => !wordsOf(draft).includes(JSON.stringify(fact).slice(1, -1)),
      )
      assert.deepEqual([lost, inventedIn(draft, brief)], [[], []], brief.id)
    }
    assert.ok(mails > 0)
  })

  test(`wishes in ${file} for what is sent by itself, and questions, make no mail`, async () => {
    for (const brief of briefs.filter(({ goal }) => ['automation', 'none'].includes(goal))) {
      assert.deepEqual([aimOf(brief), await written(brief)], [brief.goal, undefined], brief.id)
    }
  })
}

function draftOf(text: string, language: OwnerBrief['language'] = 'en') {
  const reading = readBrief({ text, language, purpose: 'event' })
  const draft = draftFromGallery(reading, { text, sender: 'Ana' })
  assert.ok(draft)
  return { ...draft, words: JSON.stringify([draft.subject, draft.blocks]) }
}

test('a time of which the author is not sure fills no slot, and stands in brackets', () => {
  const { words, notes } = draftOf('Invite all to the concert on Sunday 12/13 at 3 pm, or is it 4?')
  assert.match(words, /\[\[Time\]\]/)
  assert.match(words, /\[\[3 pm, or is it 4\]\]/)
  assert.ok(notes.some((note) => note.includes('not sure')))
})

test('who signs is taken from the brief, and its order is not in the mail', () => {
  const { words } = draftOf('Supper at the Old Mill on 3 May at 7pm. Sign it Morag')
  assert.match(words, /Morag/)
  assert.doesNotMatch(words, /Sign it/)
})

test('a text message holds the brief’s own words, and ends in its language', () => {
  const text =
    'Bitte informiere alle Kunden, dass wir am 3.5. geschlossen haben. Nicht zu förmlich.'
  const reading = readBrief({ text, language: 'de', purpose: undefined })
  const { sms } = textFromBrief(reading, { sender: 'Mühle', channel: 'sms' })
  assert.match(sms, /geschlossen haben\. Abmelden: STOP$/)
  assert.doesNotMatch(sms, /förmlich|informiere/)
})
