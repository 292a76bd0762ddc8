/**
 * A mail from a brief without a language model: a mail of the gallery with the brief's facts in its
 * slots, and the brief's other words as they are. It invents nothing.
 */
import { limits } from '../../config.ts'
import { segmentsOf } from '../../lib/sms/segments.ts'
import type { Block } from '../../templates/blocks/block.ts'
import { mailsFor } from '../../templates/gallery/entries.ts'
import { fillMail, literal, withoutMarks } from '../../templates/gallery/fill.ts'
import type { GalleryLanguage, GalleryMail, Slot } from '../../templates/gallery/mail.ts'
import { copyLimits } from './copy.ts'
import { type Fact, factsOf } from './facts.ts'
import { noteWords } from './notes.ts'
import { phrasesIn, type Reading } from './reading.ts'
import { completed } from './sentences.ts'
import { textMessage } from './text-message.ts'

export interface GalleryDraft {
  mail: GalleryMail
  subject: string
  preheader: string
  blocks: Block[]
  notes: string[]
}

interface DraftParts {
  /** The brief as it was given. */
  text: string
  /** The name of the sender. */
  sender: string
  notesIn?: GalleryLanguage | undefined
}

/** The gallery's mail for what a brief is for. */
export function mailOf({ aim }: Pick<Reading, 'aim'>): GalleryMail | undefined {
  if (aim === 'automation' || aim === 'none') return undefined
  return [...mailsFor(aim), ...mailsFor('announcement')][0]
}

/** Undefined if the gallery has no mail for it. */
export function draftFromGallery(reading: Reading, parts: DraftParts): GalleryDraft | undefined {
  const { language } = reading
  const mail = mailOf(reading)
  if (!mail) return undefined
  const slots = slotFacts(mail, reading, parts)
  const filled = fillMail(mail, { language, facts: slots.facts })
  const used = new Set(Object.values(slots.facts))
  const blocks = withMessage(filled.blocks, messageBlocks(reading, used))
  const { subject, preheader } = filled
  return {
    mail,
    subject,
    preheader,
    blocks: closed(blocks, reading, mail),
    notes: notesOf(reading, {
      mail,
      empty: filled.empty,
      more: slots.notes,
      notesIn: parts.notesIn,
    }),
  }
}

interface NoteParts {
  mail: GalleryMail
  empty: readonly Slot[]
  more: readonly string[]
  notesIn?: GalleryLanguage | undefined
}

function notesOf(
  { language, wishes, sentences }: Reading,
  { mail, empty, more, notesIn }: NoteParts,
): string[] {
  const { title } = mail.words[language]
  const labels = empty.map(({ label }) => `[[${label[language]}]]`)
  const doubts = sentences.filter((sentence) => sentence.includes('[['))
  const words = noteWords(notesIn)
  return [
    words.fromGallery(title),
    ...(labels.length > 0 ? [words.missing(labels.join(', '))] : []),
    ...more,
    ...(doubts.length > 0 ? [words.doubts(doubts.join(' '))] : []),
    ...(wishes.length > 0 ? [words.toWriter(wishes.join('; '))] : []),
  ]
}

interface TextParts {
  sender: string
  channel: 'email' | 'sms'
  notesIn?: GalleryLanguage | undefined
}

/** A text message of the brief's own words. Sentences at the end that do not fit are left out. */
export function textFromBrief(
  { sentences, items, facts, language }: Reading,
  { sender, channel, notesIn }: TextParts,
): { sms: string; notes: string[] } {
  const texts = [...sentences, ...items.map(completed)]
  const { stop } = phrasesIn(language)
  const urls = [...new Set(facts.filter(({ kind }) => kind === 'url').map(({ text }) => text))]
  let fitting = 0
  for (let length = 0; fitting < texts.length && length <= limits.smsCharacters; fitting++) {
    length += (texts[fitting]?.length ?? 0) + 1
  }
  for (let count = fitting; ; count--) {
    const words = texts.slice(0, count).join(' ')
    const further = urls.filter((url) => !words.includes(url))
    const link = further.join(' ') || undefined
    const sms = textMessage({ sender, words, link, stop })
    const { segments } = segmentsOf(sms)
    const fits = sms.length <= limits.smsCharacters && segments <= limits.smsSegments
    if (!fits && count > 0) continue
    const remaining = texts.slice(count)
    const isLong = channel === 'sms' && segments > copyLimits.smsSegments
    const notes = [
      ...(isLong ? [noteWords(notesIn).longText(segments)] : []),
      ...(remaining.length > 0 ? [noteWords(notesIn).noRoom(remaining.join(' '))] : []),
    ]
    return { sms, notes }
  }
}

interface SlotsFound {
  facts: Record<string, string>
  notes: string[]
}

/**
 * What a slot says about its fact has to be true: "Free from [[price]]" is not filled with whatever
 * price a brief names. So an optional slot takes a fact only if its meaning is plain and the brief
 * has one fact for it; the brief’s own sentence says it anyway.
 */
function slotFacts(mail: GalleryMail, reading: Reading, parts: DraftParts): SlotsFound {
  const slots: SlotsFound = { facts: {}, notes: [] }
  const used = new Set<string>()
  let hasLink = false
  let hasMessage = false
  const fill = (slot: Slot, fact: string) => {
    slots.facts[slot.name] = fact
    used.add(fact)
  }
  for (const slot of mail.slots) {
    if (slot.kind === 'url') {
      const url = urlFor(slot, reading.facts, hasLink)
      if (url === undefined) continue
      hasLink ||= !networks.some((network) => slot.name.startsWith(network))
      fill(slot, url)
      continue
    }
    if (slot.kind === 'text') {
      // The first text that a mail needs is what it is about.
      const message = reading.sentences.join(' ')
      if (!slot.required || hasMessage || message === '') continue
      hasMessage = true
      fill(slot, message)
      continue
    }
    const candidates = candidatesFor(slot, reading, parts).filter(
      (fact) => slot.required || !used.has(fact),
    )
    const [first] = candidates
    if (first === undefined) continue
    // What a brief names first is when it is.
    const isFirst = slot.required && ['date', 'time'].includes(slot.kind)
    if (candidates.length === 1 || isFirst) fill(slot, first)
    else if (slot.required) {
      const label = slot.label[reading.language]
      const names = candidates.slice(0, 5).join('; ')
      slots.notes.push(noteWords(parts.notesIn).several(label, names))
    }
  }
  return slots
}

/** The first link is what the mail leads to; those of networks are known by their host. */
function urlFor({ name }: Slot, facts: readonly Fact[], hasLink: boolean): string | undefined {
  const urls = facts.filter(({ kind }) => kind === 'url').map(({ text }) => text)
  const network = networks.find((entry) => name.startsWith(entry))
  const isOf = (url: string, host: string) => URL.parse(url)?.hostname.includes(host) ?? false
  if (network) return urls.find((url) => isOf(url, network))
  if (hasLink) return undefined
  return urls.find((url) => !networks.some((entry) => isOf(url, entry)))
}

const networks = ['instagram', 'facebook', 'linkedin', 'youtube', 'tiktok']

/** The different facts of the brief that fit a slot. */
function candidatesFor(slot: Slot, reading: Reading, { text, sender }: DraftParts): string[] {
  const { facts, topic, speaker, signature, news, language } = reading
  const { kind, name, required } = slot
  const alone = (fact: string | undefined) => (fact ? [fact] : [])
  if (kind === 'place') return alone(reading.place)
  if (kind === 'name') {
    if (name === 'sender') return alone(signature ?? sender)
    if (name === 'speaker') return alone(speaker)
    // What a whole sentence tells needs no name, so that no slot is left empty.
    if (name === 'news' && topic === '' && news.size > 0) return [phrasesIn(language).heading]
    return required ? alone(topic) : []
  }
  if (!required && !['date', 'time', 'percent', 'code'].includes(kind) && !plainPrices.has(name)) {
    return []
  }
  if (kind === 'date') {
    const role = roleOfDate(name)
    const dates = facts.filter((fact) => fact.kind === 'date')
    const matches = dates.filter((fact) => {
      const before = roleBefore(text, fact)
      return role === 'any' ? before !== 'end' : before === role
    })
    return [...new Set(matches.map((fact) => fact.text))]
  }
  const same = facts.filter((fact) => fact.kind === kind).map((fact) => fact.text)
  // A slot says “off” itself.
  return [...new Set(kind === 'percent' ? same.map((fact) => fact.replace(/^[-–]/, '')) : same)]
}

/** Slots of a price that say nothing else about it. */
const plainPrices: ReadonlySet<string> = new Set(['price', 'pay'])

type DateRole = 'start' | 'end' | 'any'

/** What a slot of the gallery says about its date; by its name. */
function roleOfDate(slotName: string): DateRole | undefined {
  if (['date', 'when', 'arrives'].includes(slotName)) return 'any'
  if (slotName === 'starts') return 'start'
  const isEnd = ['ends', 'deadline', 'due', 'closes'].includes(slotName) || slotName.endsWith('_by')
  return isEnd ? 'end' : undefined
}

/** What the words before a date say about it: `until`, `from`. */
function roleBefore(text: string, { start }: Fact): DateRole {
  const [last = '', before = ''] = text
    .slice(Math.max(0, start - 24), start)
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
    .slice(-2)
    .toReversed()
  const words = leadingTo.has(last) ? [last, before] : [last]
  if (words.some((word) => endWords.has(word))) return 'end'
  return words.some((word) => startWords.has(word)) ? 'start' : 'any'
}

const leadingTo = new Set('the zum dem au le on am ende fin'.split(' '))
const endWords = new Set(
  'by till until til before closes ends close due deadline bis spätestens frist jusqu jusqu’au avant au ici'.split(
    ' ',
  ),
)
const startWords = new Set('from starting starts since ab vom dès du depuis partir'.split(' '))

/** The brief's sentences; those of which every word stands in a slot already are not repeated. */
function messageBlocks(reading: Reading, used: ReadonlySet<string>): Block[] {
  const { sentences, items, facts, language, news } = reading
  const remaining = sentences.filter((sentence) => news.has(sentence) || saysMore(sentence, used))
  const blocks: Block[] = []
  for (let n = 0; n < remaining.length; n += sentencesOfText) {
    blocks.push({
      type: 'text',
      text: withoutMarks(remaining.slice(n, n + sentencesOfText).join(' ')),
    })
  }
  if (items.length > 0) blocks.push({ type: 'list', items: items.map(withoutMarks) })
  const message = [...remaining, ...items].join(' ')
  const links = facts.filter(
    ({ kind, text }) => kind === 'url' && !used.has(text) && !message.includes(text),
  )
  for (const url of new Set(links.map(({ text }) => text))) {
    blocks.push({ type: 'button', text: phrasesIn(language).button, url: literal(url) })
  }
  return blocks
}

const sentencesOfText = 4

/** Whether a sentence has a fact that no slot shows, or words beside the facts. */
function saysMore(sentence: string, used: ReadonlySet<string>): boolean {
  let rest = sentence
  if ([...used].some((fact) => fact.includes(sentence))) return false
  for (const { text } of factsOf(sentence)) {
    if (!used.has(text)) return true
    rest = rest.replace(text, ' ')
  }
  for (const text of used) rest = rest.replace(text, ' ')
  return /\p{L}{3}/u.test(rest)
}

/** After the mail's first words, so that what it is about stands near its top. */
export function withMessage(blocks: readonly Block[], message: readonly Block[]): Block[] {
  const isIntro = (block: Block) => block.type === 'text' && !block.text.trimEnd().endsWith(',')
  const intro = blocks.findIndex(isIntro)
  const at = intro < 0 ? Math.min(1, blocks.length) : intro + 1
  return [...blocks.slice(0, at), ...message, ...blocks.slice(at)]
}

/** Signed, if the brief says by whom and the mail has no slot for it. */
function closed(blocks: Block[], { signature }: Reading, { slots }: GalleryMail): Block[] {
  const isSigned = slots.some(({ name }) => name === 'sender')
  if (signature === undefined || isSigned) return blocks
  return [...blocks, { type: 'text', text: withoutMarks(signature) }]
}
