/**
 * The writer that needs only the brief. It makes a skeleton: the brief's own words, in full, below
 * a greeting and above a closing. It invents no fact, price or date, drops none, and notes that a
 * person or a language model should write the rest.
 */

import { limits } from '../../../config.ts'
import { segmentsOf } from '../../../lib/sms/segments.ts'
import { withoutEnd } from '../../../lib/text/trim-end.ts'
import type { Brief, GoalKind } from '../brief.ts'
import { type Copy, copyLimits, type Section, type Surroundings } from '../copy.ts'
import { textMessage } from '../text-message.ts'
import { detailsOf } from './details.ts'
import { capitalised, cutTo, made, sentencesOf } from './sentences.ts'

export interface Written {
  copy: Copy
  /** Facts that a person should know before it is sent. */
  notes: string[]
}

export type WrittenFor = 'email' | 'sms'

export function writeBuiltIn(
  brief: Brief,
  around: Surroundings,
  channel: WrittenFor = 'email',
): Written {
  const topic = topicOf(brief.goal)
  const tone = toneOf(brief.tone)
  const phrases = tone.kinds[brief.kind]
  const { name } = around.business
  // A goal that is only an order ("Welcome our new customers") contains no message of its own.
  const about = (limit: number) => headlineOf(topic.first, limit) || `News from ${name}`
  const texts = textsOf(topic, brief)
  const { sms, left } = smsOf(texts, brief, around)
  const copy: Copy = {
    subject: cutTo(
      capitalised(phrases.subject(capitalised(about(subjectTopic)), name)),
      copyLimits.subject,
    ),
    preheader: cutTo(texts[1] ?? `News from ${name}.`, copyLimits.preheader),
    headline: cutTo(
      capitalised(phrases.headline(about(copyLimits.headline), name)),
      copyLimits.headline,
    ),
    greeting: tone.greeting,
    nameless: tone.nameless,
    sections: sectionsOf(brief, { tone, topic }, name),
    closing: tone.closing,
    sms,
    tags: tagsFor(brief.audience, around.tags),
  }
  return { copy, notes: notesOf(brief, { topic, copy, left }, channel) }
}

/** The most characters of a topic in a subject. Phones show that many, with some to spare. */
const subjectTopic = 60

interface Topic {
  /** The first sentence, without the order and its full stop: `our spring menu is here`. */
  first: string
  /** The remaining message, sentence by sentence. */
  more: readonly string[]
  /** Sentences that address the writer and are not for readers. */
  orders: readonly string[]
}

/**
 * The topic of a goal. People write goals as orders to a writer ("Tell everyone that our spring
 * menu is here. Keep it short."). The mail contains only the message in the order.
 */
function topicOf(goal: string): Topic {
  const [opening = '', ...others] = sentencesOf(goal)
  const orders = others.filter(isOrder)
  const first = withoutOrder(opening)
  return {
    first: withoutStop(first),
    more: others.filter((other) => !isOrder(other)).map(withoutTelling),
    orders,
  }
}

/** Removes an order only where no detail would be removed with it. */
function withoutOrder(sentence: string): string {
  const details = detailsOf(sentence)
  for (let text = sentence; ; ) {
    const cut = openings.reduce((left, opening) => {
      const rest = left.replace(opening, '')
      return details.every((detail) => rest.includes(detail)) ? rest : left
    }, text)
    if (cut === text) return text
    text = cut
  }
}

const people =
  '(?:(?:all|our|my|the|these|those|every|some|new|old|loyal|existing|regular|past|lapsed|inactive|former|dormant|lost|quiet) )*(?:them|everyone|everybody|people|customers?|subscribers?|members?|readers?|clients?|guests?|users?|contacts?|audience|list|followers|students|supporters|donors|fans|visitors|regulars|friends|locals)'

// The list is applied until nothing changes, so "please write an email to announce" is removed.
const openings = [
  /^(?:please|kindly|hi|hello)[,!]?\s+/i,
  /^(?:can|could|would) you\s+(?:please\s+)?/i,
  /^(?:i|we)(?:'d| would)? (?:want|like|need|wish)(?: you)? to\s+/i,
  new RegExp(
    `^(?:write|draft|create|make|prepare|compose|generate|send|do)(?: me| us)?(?: out)? (?:an?|the|our|one|this)?\\s*(?:[\\w-]+ ){0,3}?(?:e-?mail|newsletter|campaign|message|text|sms|mail|mailing|note|announcement|invitation|digest)\\b(?: campaign| message)?(?: (?:to|for) ${people})?(?:[:,]| (?:about|for|on|that|which|to|announcing|saying|telling ${people}(?: about| that)?))?(?:\\s+|$)`,
    'i',
  ),
  /^(?:announce|announcing|promote|promoting|advertise|introduce|introducing|present|share|publicise|publicize|highlight|mention|say|explain)(?: to \w+)?(?: that| the news (?:that|of))?\s+/i,
  new RegExp(
    `^(?:tell|inform|remind|notify|update|thank|alert)\\s+${people}\\s+(?:about|that|of|on|for)?\\s*`,
    'i',
  ),
  new RegExp(`^let ${people} know (?:about|that|of)?\\s*`, 'i'),
  new RegExp(`^invite ${people} to\\s+`, 'i'),
  new RegExp(
    `^(?:welcome|win back|re-?engage|bring back|re-?activate)\\s+${people}\\b[\\s,]*`,
    'i',
  ),
  /^(?:with|by (?:offering|giving)(?: (?:them|you))?|and)\s+/i,
]

function isOrder(sentence: string): boolean {
  if (forbidding.test(sentence)) return true
  if (!styling.some((exp) => exp.test(sentence))) return false
  return detailsOf(sentence.replaceAll(lengths, '')).length === 0
}

// Orders that no reader should see, whatever details they contain.
const forbidding =
  /^(?:please )?(?:avoid|don'?t|do not|never) (?:use|using|mention|mentioning|write|say|include)\b/i
// Orders about the style. Other requests in a sentence may be addressed to the reader.
const styling = [
  /^(?:please )?(?:keep|make) (?:it|this|the (?:e-?mail|mail|text|message|tone|copy|subject|draft))\b/i,
  /^(?:please )?(?:write|phrase|avoid) /i,
  /^no (?:emojis?|exclamation|slang|jargon|hype|hard sell)\b/i,
  /^(?:please )?use (?:an?|our|plain|short|simple|few|no|emojis?)\b/i,
  /^be (?:brief|short|concise|friendly|polite|formal|warm|playful|direct)\b/i,
  /^sign (?:it|off)\b/i,
  /^(?:please )?(?:add|include|end with|start with|close with) (?:an?|the|our|one) (?:link|button|call to action|image|photo|picture|emoji|joke|logo)\b/i,
]

const lengths = /\b\d{1,4} (?:words|characters|letters|sentences|paragraphs|lines)\b/gi

/** `Mention that we close at 18:00.` states a time for the reader. */
function withoutTelling(sentence: string): string {
  return telling.test(sentence) ? sentence.replace(telling, '') : sentence
}

const telling = /^(?:please )?(?:mention|say|state|include)(?: that)? /i

/** Removes the full stop at the end, except that of `p.m.` */
function withoutStop(text: string): string {
  let from = 0
  while (from < text.length && /[\s,:;]/.test(text[from] ?? '')) from++
  const trimmed = withoutEnd(text.slice(from), /\s/)
  const hasStop = /[^.]\.$/.test(trimmed) && !/\.\p{L}\.$/u.test(trimmed)
  return hasStop ? trimmed.slice(0, -1) : trimmed
}

/** The headline of the topic; empty where fewer than three words precede the first address. */
function headlineOf(first: string, limit: number): string {
  const words = first.split(' ')
  const address = words.findIndex((word) => word.includes('://'))
  const before = words.slice(0, address < 0 ? words.length : address)
  return before.length < words.length && before.length < 3 ? '' : cutTo(before.join(' '), limit)
}

/** A brief describes the tone in its own words. The default is warm. */
function toneOf(words: string): Tone {
  if (
    /\b(?:formal|professional|serious|official|business-?like|corporate|respectful|polite)\b/i.test(
      words,
    )
  ) {
    return /\b(?:informal|not (?:too )?formal)\b/i.test(words) ? warm : formal
  }
  return /\b(?:playful|fun|funny|cheeky|humorous|witty|casual|quirky|light-?hearted)\b/i.test(words)
    ? playful
    : warm
}

/** The whole message, sentence by sentence. */
function textsOf({ first, more }: Topic, { facts, links }: Brief): string[] {
  return [first, ...more, ...facts]
    .map((text) => made(text, links[0]))
    .filter((text) => text !== '')
}

function sectionsOf(
  brief: Brief,
  { tone, topic }: { tone: Tone; topic: Topic },
  business: string,
): Section[] {
  const phrases = tone.kinds[brief.kind]
  const { links, facts } = brief
  const [first, ...further] = links
  const message = textsOf(topic, { ...brief, facts: [] }).join(' ')
  const section = { heading: '', paragraphs: [], points: [] }
  const sections: Section[] = [
    { ...section, paragraphs: [phrases.opening(business), message].filter((text) => text !== '') },
    {
      heading: facts.length === 0 ? '' : phrases.facts,
      paragraphs: [],
      points: facts.map((fact) => withLink(fact, first)),
      ...(first !== undefined && { button: { label: phrases.button, url: first } }),
    },
    ...further.map((url) => ({
      ...section,
      button: { label: cutTo(nameOf(url), copyLimits.label), url },
    })),
  ]
  return sections.filter(
    ({ paragraphs, points, button }) => paragraphs.length + points.length > 0 || button,
  )
}

/** A fact stays as written, except one that leads up to a link. */
function withLink(fact: string, link: string | undefined): string {
  const whole = made(fact, link)
  return whole.endsWith('.') && !fact.endsWith('.') ? whole.slice(0, -1) : whole
}

/** The label of a link: the last part of its path in words, or its host. */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  const words = last
    .replace(/\.\w{2,5}$/, '')
    .replace(/[-_+%]+/g, ' ')
    .trim()
  return /^[a-z][a-z ]{2,}$/i.test(words) ? capitalised(words) : hostname.replace(/^www\./, '')
}

/** The whole message, whatever it costs. Sentences at the end that no text can hold are dropped. */
function smsOf(
  texts: readonly string[],
  { links }: Brief,
  { sender }: Surroundings,
): { sms: string; left: readonly string[] } {
  for (let count = texts.length; ; count--) {
    const words = texts.slice(0, count).join(' ')
    // A sentence may already contain a link.
    const runs = new Set(words.split(' ').flatMap((run) => [run, withoutEnd(run, /[.,;:!?)]/)]))
    const further = links.filter((link) => !runs.has(link))
    const sms = textMessage({ sender, words, link: further.join(' ') || undefined })
    const fits =
      sms.length <= limits.smsCharacters && segmentsOf(sms).segments <= limits.smsSegments
    if (fits || count === 0) return { sms, left: texts.slice(count) }
  }
}

const commonWords = new Set([
  'customers',
  'people',
  'everyone',
  'contacts',
  'all',
  'our',
  'the',
  'and',
])

/**
 * Finds which of the business's tags an audience in words refers to. A tag matches where the
 * audience contains all of its words.
 */
function tagsFor(audience: string, tags: readonly string[]): string[] {
  const named = new Set(stems(audience))
  return tags.filter((tag) => {
    const words = stems(tag)
    const isCommon = commonWords.has(tag.toLowerCase())
    return words.length > 0 && !isCommon && words.every((word) => named.has(word))
  })
}

/** The words in the form in which they are compared: lower case, no accents, no plural. */
function stems(text: string): string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(?:ies|es|s)$/, '') : word,
  )
}

interface WrittenParts {
  topic: Topic
  copy: Copy
  /** Sentences that do not fit into the text message. */
  left: readonly string[]
}

function notesOf(brief: Brief, { topic, copy, left }: WrittenParts, channel: WrittenFor): string[] {
  const isText = channel === 'sms'
  const { segments } = segmentsOf(copy.sms)
  const states = detailsOf([brief.goal, ...brief.facts].join(' ')).length > 0
  return [
    'This is a skeleton of the words of the brief: a person or a language model should write the rest before it is sent. campaign.save takes the finished words.',
    ...(brief.links.length === 0
      ? [`It has no link${isText ? '' : ' and so no button'}: give brief.links.`]
      : []),
    ...(states || brief.facts.length > 0
      ? []
      : ['It states no details: give dates, prices and places as brief.facts.']),
    ...(segments > copyLimits.smsSegments
      ? [`The text message takes ${segments} parts, each of which is paid for: shorten it.`]
      : []),
    ...(left.length > 0 ? [`The text message has no room for: ${left.join(' ')}`] : []),
    ...(topic.orders.length > 0
      ? [`Sentences of the goal that speak to a writer were not used: ${topic.orders.join(' ')}`]
      : []),
    ...(/^en\b/i.test(brief.language)
      ? []
      : [`The built-in writer's own phrases are English, and the language is ${brief.language}.`]),
  ]
}

/** The phrases that the built-in writer puts around a brief's words, by the campaign's purpose. */
interface Phrases {
  /** Composed of the topic and the business's name. */
  subject(topic: string, business: string): string
  headline(topic: string, business: string): string
  /** The first sentence of the mail. It makes no claim that the brief does not make. */
  opening(business: string): string
  /** The heading above the facts of the brief. */
  facts: string
  /** The label of the button. */
  button: string
}

interface Tone {
  greeting: string
  nameless: string
  closing: string
  kinds: Record<GoalKind, Phrases>
}

const topicAlone = (topic: string) => topic
const withTopic = { subject: topicAlone, headline: topicAlone }
const named = (topic: string, business: string) =>
  topic.includes(business) ? topic : `${business}: ${topic}`

const warm: Tone = {
  greeting: 'Hi',
  nameless: 'there',
  closing: 'Warm regards,',
  kinds: {
    announcement: {
      ...withTopic,
      opening: (business) => `Here is what is new at ${business}.`,
      facts: 'What to know',
      button: 'Find out more',
    },
    offer: {
      ...withTopic,
      opening: (business) => `Here is an offer from ${business}.`,
      facts: 'How it works',
      button: 'See the offer',
    },
    event: {
      ...withTopic,
      subject: (topic) => `You are invited: ${topic}`,
      opening: (business) => `${business} invites you.`,
      facts: 'The details',
      button: 'See the details',
    },
    newsletter: {
      ...withTopic,
      subject: named,
      opening: (business) => `Here is the news from ${business}.`,
      facts: 'In short',
      button: 'Read more',
    },
    reengagement: {
      ...withTopic,
      opening: (business) => `Here is a short note from ${business}.`,
      facts: 'What is new',
      button: 'Have a look',
    },
    welcome: {
      subject: (_topic, business) => `Welcome to ${business}`,
      headline: (_topic, business) => `Welcome to ${business}`,
      opening: () => 'It is good to have you here.',
      facts: 'Good to know',
      button: 'Get started',
    },
  },
}

const formal: Tone = {
  greeting: 'Dear',
  nameless: 'reader',
  closing: 'Kind regards,',
  kinds: {
    announcement: {
      ...warm.kinds.announcement,
      opening: (business) => `${business} would like to inform you of the following.`,
      facts: 'Details',
      button: 'Read more',
    },
    offer: {
      ...warm.kinds.offer,
      opening: (business) => `${business} is pleased to offer you the following.`,
      facts: 'Terms',
      button: 'View the offer',
    },
    event: {
      ...warm.kinds.event,
      subject: (topic) => `Invitation: ${topic}`,
      opening: (business) => `${business} requests the pleasure of your company.`,
      facts: 'Details',
      button: 'View the details',
    },
    newsletter: {
      ...warm.kinds.newsletter,
      opening: (business) => `Please find below the news from ${business}.`,
      facts: 'Summary',
    },
    reengagement: {
      ...warm.kinds.reengagement,
      opening: (business) => `${business} would like to tell you the following.`,
      facts: 'Details',
      button: 'View',
    },
    welcome: {
      ...warm.kinds.welcome,
      opening: (business) => `${business} welcomes you.`,
      facts: 'Details',
    },
  },
}

const playful: Tone = {
  greeting: 'Hey',
  nameless: 'there',
  closing: 'See you soon,',
  kinds: {
    ...warm.kinds,
    announcement: {
      ...warm.kinds.announcement,
      opening: () => 'Guess what?',
      facts: 'The good bits',
      button: 'Show me',
    },
    offer: {
      ...warm.kinds.offer,
      opening: () => 'Here comes a little something.',
      button: 'Show me',
    },
    event: { ...warm.kinds.event, opening: () => 'Got plans? Here is one.' },
  },
}
