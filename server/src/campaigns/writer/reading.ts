/**
 * Reads a brief: its language, what it is for, its facts, and which of its words are for readers and
 * which for the writer. It understands nothing: it compares with lists of words, one a language
 * (`words`). So a fact is only ever copied, and what may be either is left for readers.
 */

import { withoutEnd } from '../../lib/text/trim-end.ts'
import {
  type GalleryLanguage,
  galleryLanguages,
  type Purpose,
} from '../../templates/gallery/mail.ts'
import type { Brief } from './brief.ts'
import { type Fact, factsOf } from './facts.ts'
import { type Phrases, phrasesOf, type Word, wordsOf } from './phrases.ts'
import { clausesOf, completed, type Span, sentencesOf } from './sentences.ts'
import type { BriefWords } from './words/brief-words.ts'
import { german } from './words/de.ts'
import { english } from './words/en.ts'
import { french } from './words/fr.ts'

/** Without a purpose there is nothing to write: why. */
export type Aim = Purpose | 'automation' | 'none'

export interface Reading {
  language: GalleryLanguage
  aim: Aim
  /** Those of which the author is sure. */
  facts: Fact[]
  /** What readers are told, sentence by sentence, in the brief's words. */
  sentences: string[]
  /** Those of the sentences that an order of telling introduced: `tell everyone that`. */
  news: ReadonlySet<string>
  /** Entries of a numbered list in the brief. */
  items: string[]
  /** What it is about, in a few words; empty where the brief does not say. */
  topic: string
  place: string | undefined
  speaker: string | undefined
  /** Who signs. */
  signature: string | undefined
  /** Clauses that speak to the writer, and are not in the mail. */
  wishes: string[]
}

/** Texts that go into a mail as they are. */
type Plain = 'button' | 'stop' | 'lead' | 'heading'

type Lists = { [List in Exclude<keyof BriefWords, 'goals' | Plain>]: Phrases }

interface Vocabulary extends Lists {
  goals: readonly { purpose: Purpose; strong: Phrases; weak: Phrases }[]
  words: BriefWords
}

function vocabularyOf(words: BriefWords): Vocabulary {
  const { goals, button: _button, stop: _stop, lead: _lead, heading: _heading, ...lists } = words
  const read = Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [name, phrasesOf(list)]),
  ) as Lists
  return {
    ...read,
    words,
    goals: Object.entries(goals).map(([purpose, [strong, weak]]) => ({
      purpose: purpose as Purpose,
      strong: phrasesOf(strong),
      weak: phrasesOf(weak),
    })),
  }
}

const vocabularies: Record<GalleryLanguage, Vocabulary> = {
  en: vocabularyOf(english),
  de: vocabularyOf(german),
  fr: vocabularyOf(french),
}

export function phrasesIn(language: GalleryLanguage): Pick<BriefWords, Plain> {
  return vocabularies[language].words
}

export function readBrief({
  text,
  purpose,
  language: own,
}: Pick<Brief, 'text' | 'purpose' | 'language'>): Reading {
  const words = wordsOf(text)
  const language = languageOf(words, own)
  const vocabulary = vocabularies[language]
  const facts = factsOf(text)
  const message = messageOf(text, { facts, vocabulary })
  const sure = facts.filter(
    ({ start, end }) => !message.doubtful.some((span) => start < span.end && end > span.start),
  )
  return {
    language,
    aim: purpose ?? aimOf({ text, words, facts, vocabulary, message }),
    facts: sure,
    sentences: message.sentences,
    news: message.news,
    items: message.items,
    topic: topicOf(message.sentences[0] ?? message.items[0] ?? '', vocabulary),
    place: placeOf(message.clauses, vocabulary),
    speaker: nameAfter(text, words, vocabulary.speakers),
    signature: nameAfter(text, words, vocabulary.signatures),
    wishes: message.wishes,
  }
}

/** The language with most of its common words; the business's where a text has too few. */
function languageOf(words: readonly Word[], own: string): GalleryLanguage {
  const usual = galleryLanguages.find((tag) => own.toLowerCase().startsWith(tag)) ?? 'en'
  const counts = galleryLanguages.map((tag) => {
    const { common } = vocabularies[tag]
    return words.filter((_, at) => common.endAt(words, at) !== undefined).length
  })
  const highest = Math.max(...counts)
  const isUsual = counts[galleryLanguages.indexOf(usual)] === highest
  return highest === 0 || isUsual ? usual : (galleryLanguages[counts.indexOf(highest)] ?? usual)
}

interface Signs {
  text: string
  words: readonly Word[]
  facts: readonly Fact[]
  vocabulary: Vocabulary
  message: Message
}

/** Facts that nobody writes in a question to the service. */
const hard: readonly Fact['kind'][] = ['url', 'email', 'code', 'price', 'percent', 'phone']

function aimOf({ text, words, facts, vocabulary, message }: Signs): Aim {
  const { automation, questions, statements, goals } = vocabulary
  if (automation.count(words) > 0) return 'automation'
  const hasFacts = facts.some(({ kind }) => hard.includes(kind))
  const asks = questions.endAt(words, 0) !== undefined
  if (asks && !hasFacts && text.includes('?')) return 'none'
  const { items, telling } = message
  // The first words of `tell everyone that` say what it is for: an announcement.
  const opening = telling === 'that' ? [] : words.slice(0, openingWords)
  let best: { purpose: Purpose; score: number } | undefined
  for (const { purpose, strong, weak } of goals) {
    const score =
      3 * (strong.count(words) + strong.count(opening)) +
      weak.count(words) +
      bonusOf(purpose, facts, items.length) +
      (purpose === 'announcement' && telling === 'that' ? 3 : 0)
    if (score > (best?.score ?? 0)) best = { purpose, score }
  }
  if (best && best.score >= 3) return best.purpose
  const tells = statements.count(words) > 0 || facts.length > 0
  if (!tells || asks) return 'none'
  return telling === 'none' ? (best?.purpose ?? 'announcement') : 'announcement'
}

/** A brief begins with what it is for. */
const openingWords = 5

function bonusOf(purpose: Purpose, facts: readonly Fact[], items: number): number {
  const has = (kind: Fact['kind']) => facts.some((fact) => fact.kind === kind)
  if (purpose === 'sale') return has('percent') ? 2 : 0
  if (purpose === 'event') return has('date') && has('time') ? 2 : 0
  if (purpose === 'newsletter') return items > 2 ? 4 : 0
  return 0
}

type Telling = 'none' | 'plain' | 'that'

interface Message {
  sentences: string[]
  news: Set<string>
  /** Whether the first sentence is an order to tell something, and whether with `that`. */
  telling: Telling
  items: string[]
  clauses: string[]
  wishes: string[]
  doubtful: Span[]
}

interface MessageParts {
  facts: readonly Fact[]
  vocabulary: Vocabulary
}

function messageOf(text: string, { facts, vocabulary }: MessageParts): Message {
  const message: Message = {
    sentences: [],
    news: new Set(),
    telling: 'none',
    items: [],
    clauses: [],
    wishes: [],
    doubtful: [],
  }
  const list = itemsOf(text, facts)
  for (const item of list)
    message.items.push(completed(readersPart(item, message, { text, facts, vocabulary }).words))
  const from = list[0]?.mark ?? text.length
  let isAfterDoubt = false
  for (const span of sentencesOf(text.slice(0, from), facts)) {
    const bullet = /^[-*•–] ?/.exec(text.slice(span.start, span.start + 2))?.[0]
    if (bullet !== undefined && isLineStart(text, span.start)) {
      message.items.push(text.slice(span.start + bullet.length, lineEnd(text, span.start)).trim())
      continue
    }
    if (isInBullet(text, span.start)) continue
    const doubts = message.doubtful.length
    const isAside =
      isAfterDoubt || isIntroduction(text, span, { vocabulary, isFirst: span.start === 0 })
    if (
      isAside &&
      wordsOf(text.slice(span.start, span.end)).length <= asideWords &&
      !hasFact(span, facts)
    ) {
      message.wishes.push(text.slice(span.start, span.end).trim())
    } else {
      const { words, telling } = readersPart(span, message, { text, facts, vocabulary })
      if (message.sentences.length === 0 && telling !== 'none') message.telling = telling
      if (/[\p{L}\p{N}]/u.test(words)) {
        const sentence = completed(words)
        message.sentences.push(sentence)
        if (telling !== 'none') message.news.add(sentence)
      }
    }
    isAfterDoubt = message.doubtful.length > doubts
  }
  message.items = message.items.filter((item) => item !== '')
  return message
}

const isLineStart = (text: string, at: number) => at === 0 || text[at - 1] === '\n'

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** A bullet's line is an entry as a whole, whatever sentences it has. */
function isInBullet(text: string, at: number): boolean {
  const start = text.lastIndexOf('\n', Math.max(0, at - 1)) + 1
  return start < at && /^[-*•–] /.test(text.slice(start, start + 2))
}

/** The most words of `Ask Jo.` after a doubt, and of `Ingrid at Pellworth here.` */
const asideWords = 8

const hasFact = (span: Span, facts: readonly Fact[]) =>
  facts.some(({ start, end }) => start >= span.start && end <= span.end)

interface IntroductionPlace {
  vocabulary: Vocabulary
  isFirst: boolean
}

/** The author says who they are: `Agency here.` */
function isIntroduction(
  text: string,
  span: Span,
  { vocabulary, isFirst }: IntroductionPlace,
): boolean {
  const words = wordsOf(text.slice(span.start, span.end))
  return isFirst && vocabulary.introductions.endAt(words, words.length - 1) !== undefined
}

/** `1) … 2) …` to the end of the brief; the last entry ends with its sentence. */
function itemsOf(text: string, facts: readonly Fact[]): (Span & { mark: number })[] {
  const marks: Span[] = []
  for (const { 0: run, index } of text.matchAll(/(?<![^\s])(\d{1,2})\)\s/g)) {
    if (Number.parseInt(run, 10) === marks.length + 1)
      marks.push({ start: index, end: index + run.length })
  }
  if (marks.length < 2) return []
  return marks
    .map(({ start, end }, n) => {
      const next = marks[n + 1]?.start
      if (next !== undefined) return { mark: start, start: end, end: next }
      return { mark: start, start: end, end: text.length }
    })
    .flatMap((item, n, all) => {
      if (n < all.length - 1) return [item]
      const [first, ...others] = sentencesOf(
        text.slice(item.start, item.end),
        shifted(facts, item.start),
      )
      if (!first) return [item]
      const at = (span: Span) => ({
        mark: item.mark,
        start: span.start + item.start,
        end: span.end + item.start,
      })
      return [at(first), ...others.map(at)]
    })
}

const shifted = (facts: readonly Fact[], by: number): Fact[] =>
  facts
    .filter(({ start }) => start >= by)
    .map((fact) => ({ ...fact, start: fact.start - by, end: fact.end - by }))

interface ClauseParts extends MessageParts {
  text: string
}

/** The sentence as readers may see it. What is for the writer goes to the wishes. */
function readersPart(
  span: Span,
  message: Message,
  parts: ClauseParts,
): { words: string; telling: Telling } {
  const { text, facts, vocabulary } = parts
  const { lead } = vocabulary.words
  const reads: Span[] = []
  let before: ClauseBefore = 'none'
  let telling: Telling = 'none'
  const clauses = clausesOf(text, span, facts)
  for (const [n, whole] of clauses.entries()) {
    const tells = tellingRole(whole, { next: clauses[n + 1], telling }, parts)
    if (tells) telling = tells.telling
    const clause = tells?.role?.reads[0] ?? whole
    const isSure = vocabulary.doubts.count(wordsOf(text.slice(clause.start, clause.end))) === 0
    const role: ClauseRole = (isSure && tells?.role) || roleOf(clause, parts, before)
    if (role.doubts) {
      const last = reads.at(-1)
      const from = last?.end === clause.start - 1 ? last : undefined
      const doubt = doubtOf(clause, from, parts)
      const earlier = message.doubtful.at(-1)
      if (from) reads.pop()
      if (earlier && from && earlier.end > from.start) earlier.end = doubt.end
      else message.doubtful.push(doubt)
      reads.push({ start: from?.start ?? clause.start, end: clause.end })
    } else if (role.wish !== 'none') {
      message.wishes.push(text.slice(clause.start, clause.end).trim())
    }
    reads.push(...role.reads)
    message.clauses.push(...role.reads.map(({ start, end }) => text.slice(start, end)))
    before = role.wish
  }
  // No fact is lost: a sentence of which nothing is left for readers keeps the clauses with facts.
  if (reads.length === 0) {
    reads.push(...clauses.flatMap((clause) => factualPart(clause, parts)))
    const pieces = new Set(reads.map(({ start, end }) => text.slice(start, end).trim()))
    message.wishes = message.wishes.filter((entry) => !pieces.has(entry))
    message.clauses.push(...reads.map(({ start, end }) => text.slice(start, end)))
  }
  const own = joined(text, reads, message.doubtful)
  // A German clause with `dass` ends in its verb, and so cannot stand alone.
  const isPart = lead !== '' && vocabulary.conjunctions.endAt(wordsOf(own.slice(0, 10)), 0) === 1
  const words = isPart ? `${lead} ${own.charAt(0).toLowerCase()}${own.slice(1)}` : own
  const isOrder = reads[0] !== undefined && reads[0].start > span.start + 3
  const isQuestion = (isOrder || isPart) && words.endsWith('?')
  return { words: isQuestion ? `${withoutEnd(words, /[?\s]/)}.` : words, telling }
}

/** A clause with a fact, without the order before it. */
function factualPart(clause: Span, { text, facts, vocabulary }: ClauseParts): Span[] {
  if (!hasFact(clause, facts)) return []
  const words = wordsOf(text.slice(clause.start, clause.end))
  if (isOf(words, vocabulary.fillers, [])) return []
  const own = text.slice(clause.start, clause.end)
  const from = facts.find(({ start }) => start >= clause.start)?.start ?? clause.end
  const next = words[orderEnd(own, words, vocabulary) ?? 0]
  if (!next || clause.start + next.start > from) return [{ start: from, end: clause.end }]
  return [{ start: clause.start + startBefore(text, clause, next), end: clause.end }]
}

interface TellingAround {
  next: Span | undefined
  /** What the clauses before it in the sentence are. */
  telling: Telling
}

/**
 * The role of a clause in an order to tell people something: `Tell our regulars that we open`, or the
 * part before or after its comma, `Sag allen, dass`.
 */
function tellingRole(
  clause: Span,
  { next, telling }: TellingAround,
  { text, facts, vocabulary }: ClauseParts,
): { role?: ClauseRole; telling: Telling } | undefined {
  const own = text.slice(clause.start, clause.end)
  const words = wordsOf(own)
  const { lead } = vocabulary.words
  const reads = (word: Word | undefined): ClauseRole => ({
    reads: word ? [{ start: clause.start + startBefore(text, clause, word), end: clause.end }] : [],
    wish: 'none',
  })
  if (telling !== 'none') {
    const first = vocabulary.links.endAt(words, 0) ?? 0
    const end = thatEnd(words, first, vocabulary)
    if (end === undefined) return undefined
    const isFirst = telling === 'plain'
    return { role: reads(words[lead === '' ? end : isFirst ? first : 0]), telling: 'that' }
  }
  const order = tellingIn(words, vocabulary)
  if (!order) return undefined
  if (order.that)
    return { role: reads(words[lead === '' ? order.that.end : order.that.at]), telling: 'that' }
  const after = next && wordsOf(text.slice(next.start, next.end))
  const isBeforeThat = after !== undefined && thatEnd(after, 0, vocabulary) !== undefined
  if (isBeforeThat && words.length <= tellingWords && !hasFact(clause, facts))
    return { role: forWriter, telling: 'plain' }
  return { telling: 'plain' }
}

/** The most words of an order before its `that`. */
const tellingWords = 10

/** Whether words begin with an order to tell people something, and where its `that` stands. */
function tellingIn(
  words: readonly Word[],
  vocabulary: Vocabulary,
): { that?: { at: number; end: number } } | undefined {
  const { tellings, withinOrders, orders, requests, people } = vocabulary
  let at = 0
  let verb = tellings.endAt(words, 0)
  while (verb === undefined && at < tellingWords) {
    const end =
      withinOrders.endAt(words, at) ??
      orders.endAt(words, at) ??
      requests.endAt(words, at) ??
      people.endAt(words, at)
    if (end === undefined) return undefined
    at = end
    verb = tellings.endAt(words, at)
  }
  if (verb === undefined) return undefined
  for (let n = verb; n < Math.min(words.length, verb + tellingWords); n++) {
    if (vocabulary.insiders.endAt(words, n) !== undefined) return undefined
    const end = thatEnd(words, n, vocabulary)
    if (end === undefined && vocabulary.conjunctions.endAt(words, n) !== undefined) break
    if (end !== undefined && end < words.length) return { that: { at: n, end } }
    const isOther =
      vocabulary.sentenceStarts.endAt(words, n) ??
      vocabulary.linkingVerbs.endAt(words, n) ??
      vocabulary.relatives.endAt(words, n)
    if (
      isOther !== undefined &&
      people.endAt(words, n) === undefined &&
      withinOrders.endAt(words, n) === undefined
    )
      break
  }
  return {}
}

/** The index after a `that` which begins what people are told; not that of `people that bought`. */
function thatEnd(words: readonly Word[], at: number, vocabulary: Vocabulary): number | undefined {
  const end = vocabulary.conjunctions.endAt(words, at)
  if (end === undefined || vocabulary.relatives.endAt(words, at) === undefined) return end
  return vocabulary.relativeVerbs.endAt(words, end) === undefined ? end : undefined
}

/** From the fact that is in doubt to the end of the clause that says so. */
function doubtOf(clause: Span, before: Span | undefined, { text, facts }: ClauseParts): Span {
  const inClause = facts.filter(({ start, end }) => start >= clause.start && end <= clause.end)
  const inBefore = facts.filter(
    ({ start, end }) => before && start >= before.start && end <= before.end,
  )
  const isShort = before !== undefined && wordsOf(text.slice(before.start, before.end)).length <= 4
  const start = isShort && inBefore.length > 0 ? before.start : inBefore.at(-1)?.start
  const end = clause.start + withoutEnd(text.slice(clause.start, clause.end), /[\s.!?]/).length
  const own = before ? clause.start : (inClause[0]?.start ?? clause.start)
  return { start: start ?? own, end: Math.max(end, own + 1) }
}

function joined(text: string, spans: readonly Span[], doubtful: readonly Span[]): string {
  let words = ''
  let end = -1
  for (const span of spans) {
    const piece = marked(text, span, doubtful)
    if (words === '') words = piece.trimStart()
    else words += span.start === end + 1 ? `${text[end] ?? ','}${piece}` : `, ${piece.trimStart()}`
    end = span.end
  }
  return words.replace(/\s+/g, ' ').trim()
}

/** A stretch of which the author is not sure is marked as an empty slot, which nobody can send. */
function marked(text: string, span: Span, doubtful: readonly Span[]): string {
  const within = doubtful.find((doubt) => doubt.start < span.end && doubt.end > span.start)
  if (!within) return text.slice(span.start, span.end)
  const [from, end] = [Math.max(span.start, within.start), Math.min(span.end, within.end)]
  const start = from + (text.slice(from, end).length - text.slice(from, end).trimStart().length)
  return `${text.slice(span.start, start)}[[${text.slice(start, end).trim()}]]${text.slice(end, span.end)}`
}

/** Whether a clause is a wish, and whether the clauses after it belong to it. */
type ClauseBefore = 'none' | 'wish' | 'opens'

interface ClauseRole {
  /** The parts that readers are told. */
  reads: Span[]
  wish: ClauseBefore
  doubts?: true
}

const nothing: ClauseRole = { reads: [], wish: 'none' }
const forWriter: ClauseRole = { reads: [], wish: 'wish' }

function roleOf(
  clause: Span,
  { text, facts, vocabulary }: ClauseParts,
  before: ClauseBefore,
): ClauseRole {
  const words = wordsOf(text.slice(clause.start, clause.end))
  const within = facts.filter(({ start, end }) => start >= clause.start && end <= clause.end)
  const isFirm = within.some(({ kind }) => hard.includes(kind) || kind === 'time')
  if (words.length === 0 || isOf(words, vocabulary.fillers, within)) return nothing
  if (isLinkAlone(words, within, clause, vocabulary)) return nothing
  if (vocabulary.doubts.count(words) > 0) return { reads: [], wish: 'none', doubts: true }
  if (vocabulary.signatures.endAt(words, 0) !== undefined && !isFirm) return nothing
  const ordered = orderEnd(text.slice(clause.start, clause.end), words, vocabulary)
  const afterOrder = ordered === undefined ? undefined : words[ordered]
  const isDictated =
    afterOrder !== undefined &&
    text
      .slice(clause.start, clause.start + afterOrder.start)
      .trimEnd()
      .endsWith(':')
  if (!isFirm && !isDictated) {
    if (before === 'opens') return { reads: [], wish: 'opens' }
    if (isOf(words, vocabulary.tones, within)) return forWriter
    if (before === 'wish' && vocabulary.relatives.endAt(words, 0) !== undefined) return forWriter
    const role = wishRole(clause, words, { text, facts, vocabulary })
    if (role) return role
    if (endsInOrder(words, vocabulary)) return forWriter
  }
  if (ordered === undefined) return { reads: [clause], wish: 'none' }
  const next = afterOrder
  if (!next) return forWriter
  const cut = { start: clause.start + startBefore(text, clause, next), end: clause.end }
  if (vocabulary.relatives.endAt(words, ordered) === undefined)
    return { reads: [cut], wish: 'none' }
  const reads = relativeReads(words, ordered, vocabulary).map(({ start, end }) => ({
    start: clause.start + start,
    end: end === undefined ? clause.end : clause.start + end,
  }))
  if (reads.length > 0) return { reads, wish: 'none' }
  return isFirm ? { reads: [cut], wish: 'none' } : forWriter
}

/** A clause that says how to write. What stands after its colon may be the words themselves. */
function wishRole(
  clause: Span,
  words: readonly Word[],
  parts: ClauseParts,
): ClauseRole | undefined {
  const { text, vocabulary } = parts
  const { wishes, commands } = vocabulary
  if (wishes.count(words) === 0 && commands.endAt(words, 0) === undefined) return undefined
  const own = text.slice(clause.start, clause.end)
  const [open, close] = [own.indexOf('('), own.indexOf(')')]
  if (open > 0 && close > open) {
    const outside = words.filter(({ start, end }) => end <= open || start > close)
    if (
      outside.length > 0 &&
      wishes.count(outside) === 0 &&
      commands.endAt(outside, 0) === undefined
    ) {
      const end = own.slice(close + 1).trim().length > 1 ? clause.end : clause.start + open
      const reads = [{ start: clause.start, end: clause.start + open }]
      if (end === clause.end) reads.push({ start: clause.start + close + 1, end })
      return { reads, wish: 'none' }
    }
  }
  const colon = own.indexOf(':')
  if (colon < 0)
    return commands.endAt(words, 0) !== undefined && wishes.count(words) === 0 && words.length > 8
      ? undefined
      : forWriter
  const after = words.filter(({ start }) => start > colon)
  if (wishes.count(after) > 0) return forWriter
  const isText = after.length >= 5 || isOf(after, vocabulary.fillers, [])
  if (isText) return { reads: [{ start: clause.start + colon + 1, end: clause.end }], wish: 'none' }
  return after.length <= 2 ? { reads: [], wish: 'opens' } : forWriter
}

/** Whether a clause consists of words of a list, and has no fact. */
function isOf(words: readonly Word[], list: Phrases, within: readonly Fact[]): boolean {
  if (within.length > 0) return false
  for (let at = 0; at < words.length; ) {
    const end = list.endAt(words, at)
    if (end === undefined) return false
    at = end
  }
  return true
}

/** An opening bracket or quotation mark before a word belongs to it. */
function startBefore(text: string, clause: Span, { start }: Word): number {
  let from = start
  while (from > 0 && /["'«“„‚‘(£€$-]/u.test(text[clause.start + from - 1] ?? '')) from--
  return from
}

/**
 * The index after the words of an order: `Can you invite the members to`. Words that may also ask
 * readers for something, such as `send`, are an order only with the people or the mail.
 */
function orderEnd(
  text: string,
  words: readonly Word[],
  vocabulary: Vocabulary,
): number | undefined {
  const { orders, requests, withinOrders, relatives, conjunctions, people, determiners } =
    vocabulary
  let at = 0
  const seen = { order: false, request: false, people: false }
  while (at < words.length) {
    const [word, last] = [words[at], words[at - 1]]
    const isOrder = seen.order || (seen.request && seen.people)
    if (word && last && text.slice(last.end, word.start).includes(':')) break
    const isAfterPeople = at > 0 && people.endAt(words, at - 1) !== undefined
    if (isAfterPeople && relatives.endAt(words, at) !== undefined) break
    const order = orders.endAt(words, at)
    const request = requests.endAt(words, at)
    const person = people.endAt(words, at)
    const conjunction = isOrder ? conjunctions.endAt(words, at) : undefined
    const end = conjunction ?? order ?? request ?? person ?? withinOrders.endAt(words, at)
    if (end === undefined) break
    seen.order ||= order !== undefined
    seen.request ||= request !== undefined
    seen.people ||= person !== undefined
    at = end
    if (conjunction !== undefined) break
  }
  if (!seen.order && !(seen.request && seen.people)) return undefined
  const isLed = at > 1 && at < words.length && determiners.endAt(words, at - 1) === at
  return isLed && people.endAt(words, at - 1) === undefined ? at - 1 : at
}

/** Orders in German end in their verb: `Kunden um eine Bewertung bitten`. */
function endsInOrder(words: readonly Word[], { orders, requests }: Vocabulary): boolean {
  const last = words.length - 1
  return (
    /(?:en|ern)$/.test(words[last]?.plain ?? '') &&
    (orders.endAt(words, last) ?? requests.endAt(words, last)) !== undefined
  )
}

/**
 * In `who ordered the lantern that it is late`: the thing, and what is said about it. Empty if
 * nothing is said.
 */
function relativeReads(
  words: readonly Word[],
  from: number,
  vocabulary: Vocabulary,
): { start: number; end?: number }[] {
  const { conjunctions, determiners } = vocabulary
  for (let at = from + 1; at < words.length; at++) {
    const end = conjunctions.endAt(words, at)
    const [last, next] = [words[at - 1], end === undefined ? undefined : words[end]]
    if (!last || !next) continue
    const thing = words
      .slice(from + 1, at)
      .find((_, n) => determiners.endAt(words, from + 1 + n) !== undefined)
    return [...(thing ? [{ start: thing.start, end: last.end }] : []), { start: next.start }]
  }
  return []
}

/** `Link: https://…`, which the button says. */
function isLinkAlone(
  words: readonly Word[],
  within: readonly Fact[],
  clause: Span,
  { linkLabels }: Vocabulary,
): boolean {
  const [link] = within
  if (!link || within.length > 1 || link.kind !== 'url') return false
  const [from, to] = [link.start - clause.start, link.end - clause.start]
  const others = words.filter(({ start, end }) => end <= from || start >= to)
  for (let at = 0; at < others.length; ) {
    const end = linkLabels.endAt(others, at)
    if (end === undefined) return false
    at = end
  }
  return true
}

/** The first words, up to the first fact about when and how much, without what leads up to them. */
function topicOf(sentence: string, vocabulary: Vocabulary): string {
  const { lead } = vocabulary.words
  if (lead !== '' && sentence.startsWith(lead))
    return subjectOf(sentence.slice(lead.length), vocabulary)
  const [fact] = factsOf(sentence)
  const pieces = sentence.slice(0, fact?.start ?? sentence.length).split(/[,;:.!?([\]]/)
  for (const piece of pieces) {
    const words = wordsOf(piece)
    const begin = afterLeadIns(words, vocabulary)
    if (begin < words.length) return nameIn(piece, { words, begin, vocabulary })
  }
  return ''
}

/** The subject of a clause, with the nouns after its article: of `dass die Mühle öffnet`, `Die Mühle`. */
function subjectOf(clause: string, { conjunctions, determiners }: Vocabulary): string {
  const words = wordsOf(clause)
  const begin = conjunctions.endAt(words, 0) ?? 0
  const first = words[begin]
  let last = begin
  const isNoun = (word: Word | undefined) => word && /^\p{Lu}/u.test(clause.slice(word.start))
  while (isNoun(words[last + 1]) && words[last + 1]?.start === (words[last]?.end ?? 0) + 1) last++
  const end = words[last]?.end
  if (!first || !end || last === begin || determiners.endAt(words, begin) === undefined) return ''
  return clause.charAt(first.start).toUpperCase() + clause.slice(first.start + 1, end)
}

function afterLeadIns(words: readonly Word[], { leadIns }: Vocabulary): number {
  let begin = 0
  for (;;) {
    const end = leadIns.endAt(words, begin)
    if (end === undefined) return begin
    begin = end
  }
}

interface NameParts {
  words: readonly Word[]
  begin: number
  vocabulary: Vocabulary
}

function nameIn(piece: string, { words, begin, vocabulary }: NameParts): string {
  const { fillers, sentenceStarts, linkingVerbs, conjunctions } = vocabulary
  // A whole sentence is no name of anything, nor is an order, or what it tells.
  const isClause = sentenceStarts.endAt(words, begin) ?? conjunctions.endAt(words, begin)
  if (isClause !== undefined || tellingIn(words.slice(begin), vocabulary)) return ''
  const verb = words.findIndex((_, at) => at > begin && linkingVerbs.endAt(words, at) !== undefined)
  let last = verb < 0 ? words.length : verb
  while (last > begin && fillers.endAt(words, last - 1) !== undefined) last--
  const name = piece.slice(begin === 0 ? 0 : words[begin]?.start, words[last - 1]?.end ?? 0).trim()
  const isName = name.length >= 3 && name.length <= topicLength && !/^\d/.test(name)
  return isName ? name.replace(/^[-'«„“"]/u, '') : ''
}

const topicLength = 70

/**
 * The name of a place: from its preposition, or a whole part between facts and commas, as far as
 * its words are names. The first words of a brief are what it is about, and need the preposition.
 */
function placeOf(clauses: readonly string[], vocabulary: Vocabulary): string | undefined {
  const pieces = clauses.flatMap((clause, n) =>
    piecesOf(clause).map((text, m) => ({ text, isFirst: n + m === 0 })),
  )
  for (const { text, isFirst } of pieces) {
    const words = wordsOf(text)
    for (let at = 0; at < words.length; at++) {
      if (vocabulary.places.endAt(words, at) === undefined) continue
      const name = placeAround(text, words, { at, isFirst, vocabulary })
      if (name !== undefined) return name
    }
  }
  return undefined
}

/** The parts of a clause between its facts. */
function piecesOf(clause: string): string[] {
  const pieces: string[] = []
  let from = 0
  for (const { start, end } of factsOf(clause)) {
    pieces.push(clause.slice(from, start))
    from = end
  }
  return [...pieces, clause.slice(from)]
    .flatMap((piece) => piece.split(':'))
    .filter((piece) => !piece.includes('[['))
}

interface PlaceAt {
  at: number
  isFirst: boolean
  vocabulary: Vocabulary
}

function placeAround(
  text: string,
  words: readonly Word[],
  { at, isFirst, vocabulary }: PlaceAt,
): string | undefined {
  const { beforePlaces, places } = vocabulary
  const isName = (n: number) => {
    const word = words[n]
    if (!word) return false
    const isCapital = /^[\p{Lu}\d]/u.test(text.slice(word.start, word.end))
    return isCapital || places.endAt(words, n) !== undefined || inNames.has(word.plain)
  }
  let end = at
  while (isName(end + 1)) end++
  while (end > at && inNames.has(words[end]?.plain ?? '')) end--
  let begin = at
  while (begin > 0 && isName(begin - 1) && beforePlaces.endAt(words, begin - 1) === undefined)
    begin--
  while (begin < at && inNames.has(words[begin]?.plain ?? '')) begin++
  const isLed = [1, 2].some((n) => beforePlaces.endAt(words, begin - n) === begin)
  const isWhole = begin === 0 && end > begin && !isFirst
  const [first, last] = [words[begin], words[end]]
  if (
    !first ||
    !last ||
    (!isLed && !isWhole) ||
    (end === begin && !/^\p{Lu}/u.test(text.slice(first.start)))
  )
    return undefined
  return text.slice(first.start, last.end)
}

/** Small words within the name of a place. */
const inNames = new Set(
  'of the and de du des la le les l d am an der die das zum zur von im et a aux'.split(' '),
)

/** The words in capitals after `speaker` or `signed`, up to the next comma. */
function nameAfter(text: string, words: readonly Word[], before: Phrases): string | undefined {
  for (let at = 0; at < words.length; at++) {
    const end = before.endAt(words, at)
    const first = end === undefined ? undefined : words[end]
    if (!first) continue
    const rest = text.slice(first.start, first.start + nameLength)
    const [name = ''] = rest.split(/[,;.!?\n(]/)
    if (/\p{Lu}/u.test(name) && !/\d/.test(name)) return name.trim()
  }
  return undefined
}

const nameLength = 60
