/**
 * The writer that needs only the brief. It makes a skeleton: the brief's own words, in full, below
 * a greeting and above a closing. It invents no fact, price or date, drops none, and notes that a
 * person or a language model should write the rest.
 */
import { limits } from '../../../config.ts'
import { segmentsOf } from '../../../lib/sms/segments.ts'
import { withoutEnd } from '../../../lib/text/trim-end.ts'
import type { Brief } from '../brief.ts'
import { type Copy, copyLimits, type Section, type Surroundings } from '../copy.ts'
import { textMessage } from '../text-message.ts'
import { detailsOf } from './details.ts'
import { type Tone, toneOf } from './phrases.ts'
import { capitalised, cutTo, made } from './sentences.ts'
import { tagsFor } from './tags.ts'
import { headlineOf, type Topic, topicOf } from './topic.ts'

export interface Written {
  copy: Copy
  /** Facts that a person should know before it is sent. */
  notes: string[]
}

export type WrittenFor = 'email' | 'sms'

/** The most characters of a topic in a subject. Phones show that many, with some to spare. */
const subjectTopic = 60

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
  const about = (most: number) => headlineOf(topic.first, most) || `News from ${name}`
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
    ...(tone.namelessGreeting !== undefined && { namelessGreeting: tone.namelessGreeting }),
    sections: sectionsOf(brief, { tone, topic }, name),
    closing: tone.closing,
    sms,
    tags: tagsFor(brief.audience, around.tags),
  }
  return { copy, notes: notesOf(brief, { topic, copy, left }, channel) }
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
  const said = textsOf(topic, { ...brief, facts: [] }).join(' ')
  const section = { heading: '', paragraphs: [], points: [] }
  const sections: Section[] = [
    { ...section, paragraphs: [phrases.opening(business), said].filter((text) => text !== '') },
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
  for (let said = texts.length; ; said--) {
    const words = texts.slice(0, said).join(' ')
    // A sentence may already contain a link.
    const runs = new Set(words.split(' ').flatMap((run) => [run, withoutEnd(run, /[.,;:!?)]/)]))
    const further = links.filter((link) => !runs.has(link))
    const sms = textMessage({ sender, words, link: further.join(' ') || undefined })
    const fits =
      sms.length <= limits.smsCharacters && segmentsOf(sms).segments <= limits.smsSegments
    if (fits || said === 0) return { sms, left: texts.slice(said) }
  }
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
