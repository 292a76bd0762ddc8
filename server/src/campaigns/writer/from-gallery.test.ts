/**
 * Two sets of briefs as owners type them. The word lists were written with the first at hand, and
 * not changed for the second.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { galleryMail } from '../../templates/gallery/entries.ts'
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
  const business = { name: 'Brindlequay', language }
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
  const sources = `${brief.text} ${own} Ana Brindlequay`
  const words = wordsOf(draft).replaceAll(String.raw`\n`, '\n').replaceAll('https://[[', '[[')
  return factsOf(words)
    .map(({ text }) => text)
    .filter((fact) => !sources.includes(fact.replace(/\.$/, '')))
}

for (const [file, least] of [
  ['briefs.json', 98],
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

/** The language, the brief, and what stands in its mail. */
const tellings: readonly [OwnerBrief['language'], string, string][] = [
  [
    'en',
    'Tell everyone that the mill opens on Sunday 6 December at 10:30.',
    'The mill opens on Sunday 6 December at 10:30.',
  ],
  [
    'en',
    'Tell everyone that the mill is open again from Sunday 6 December, 10:30.',
    'The mill is open again from Sunday 6 December, 10:30.',
  ],
  [
    'en',
    'Please let our regulars know that we close early on Friday.',
    'We close early on Friday.',
  ],
  [
    'en',
    'Remind all members that the hall is locked from Monday 7 December.',
    'The hall is locked from Monday 7 December.',
  ],
  [
    'en',
    'Could you announce that the bakery moves to Mill Street on 3 May?',
    'The bakery moves to Mill Street on 3 May.',
  ],
  [
    'en',
    'Let everyone know the mill opens on Sunday 6 December at 10:30.',
    'The mill opens on Sunday 6 December at 10:30.',
  ],
  [
    'de',
    'Sag allen, dass die Mühle am Sonntag, 6. Dezember um 10:30 Uhr öffnet.',
    'Wir möchten Ihnen mitteilen, dass die Mühle am Sonntag, 6. Dezember um 10:30 Uhr öffnet.',
  ],
  [
    'de',
    'Sag unseren Stammgästen dass wir am Montag geschlossen haben.',
    'Wir möchten Ihnen mitteilen, dass wir am Montag geschlossen haben.',
  ],
  [
    'de',
    'Teile bitte allen Kunden mit, dass der Laden ab 3. Mai umzieht.',
    'Wir möchten Ihnen mitteilen, dass der Laden ab 3. Mai umzieht.',
  ],
  [
    'de',
    'Könntest du unseren Kunden mitteilen, dass die Praxis am Freitag zu ist?',
    'Wir möchten Ihnen mitteilen, dass die Praxis am Freitag zu ist.',
  ],
  ['de', 'Sag allen, die Mühle öffnet am Sonntag.', 'Die Mühle öffnet am Sonntag.'],
  [
    'fr',
    'Dis à tout le monde que le moulin ouvre dimanche 6 décembre à 10h30.',
    'Le moulin ouvre dimanche 6 décembre à 10h30.',
  ],
  ['fr', 'Fais savoir aux habitués qu’on ouvre samedi à 9h.', 'On ouvre samedi à 9h.'],
  [
    'fr',
    'Préviens les clients que la boulangerie ferme lundi 7 décembre.',
    'La boulangerie ferme lundi 7 décembre.',
  ],
  ['fr', 'Pouvez-vous annoncer que le musée rouvre le 3 mai ?', 'Le musée rouvre le 3 mai.'],
]

for (const [language, text, sentence] of tellings) {
  test(`an announcement says “${sentence}”, and needs nothing more`, () => {
    const reading = readBrief({ text, language, purpose: undefined })
    assert.deepEqual([reading.language, reading.aim], [language, 'announcement'])
    const draft = draftFromGallery(reading, { text, sender: 'Ana' })
    assert.ok(draft)
    const texts = draft.blocks.filter((block) => block.type === 'text').map((block) => block.text)
    assert.ok(texts.includes(sentence), texts.join('\n'))
    const headings = draft.blocks.filter((block) => block.type === 'heading')
    for (const words of [draft.subject, ...headings.map((block) => block.text)]) {
      assert.doesNotMatch(words, /\b(?:that|dass|que|tell|sag|dis)\b/i)
    }
    assert.doesNotMatch(JSON.stringify(draft.blocks), /\[\[/)
  })
}

test('an order of telling keeps another purpose that its words say, and its doubts', () => {
  const aimFor = (text: string) => readBrief({ text, language: 'en', purpose: undefined }).aim
  assert.equal(
    aimFor('Invite everyone and tell them that doors open on Friday 3 May at 7pm.'),
    'event',
  )
  assert.equal(aimFor('Tell everyone that the concert is on Friday 3 May at 8pm.'), 'event')
  assert.equal(aimFor('Tell all customers that the wool is back in stock.'), 'back-in-stock')
  const { words } = draftOf('Tell everyone that the mill opens at 3 pm, or is it 4?')
  assert.match(words, /\[\[3 pm, or is it 4\]\]/)
})

test('people of whom an order says something are not what it tells', () => {
  const { words } = draftOf('Tell everyone that bought a lantern that it is late.')
  assert.match(words, /it is late/i)
  assert.doesNotMatch(words, /bought/)
})

test('notes and refusals are in the language of whoever reads them', async () => {
  const business = { name: 'Brindlequay', language: 'de' }
  const around = { business, sender: 'Ana', tags: ['stammkunden'] }
  const wish = { around, writer: undefined, call: {} }
  const brief = { goal: '20 % Rabatt auf alles bis 24. Dezember', kind: 'sale', tone: 'frech' }
  const { notes } = await writer.write({ ...wish, brief, notesIn: 'de' })
  const noteText = notes.join(' ')
  assert.match(noteText, /Vorlage der Galerie: „/)
  assert.match(noteText, /„frech“ wurde nicht umgesetzt/)
  assert.doesNotMatch(noteText, /gallery|brief\b|mail of/)
  const french = await writer.write({ ...wish, brief, notesIn: 'fr' })
  assert.match(french.notes.join(' '), /Modèle de la galerie : «/)
  const automation = 'Schicke jedem, der einen Termin bucht, automatisch eine Bestätigung'
  for (const [text, refusal] of [
    [automation, /geht einmal und an viele gleichzeitig/],
    ['Wie geht es dir?', /passt nichts aus der Galerie/],
  ] as const) {
    const refused = await orRefusal(() => writer.write({ ...wish, brief: text, notesIn: 'de' }))
    assert.ok(isRefusal(refused))
    assert.match(refused.message, refusal)
  }
})
