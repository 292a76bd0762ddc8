/**
 * The writer that needs nothing but the brief. It invents no fact, price or date: what it
 * cannot know it leaves out, and says so, instead of leaving a gap that somebody might send.
 */
import { segmentsOf } from '../../../platform/sms/segments.ts'
import type { Brief } from '../brief.ts'
import { type Copy, copyLimits, type Section, type Surroundings, shortened } from '../copy.ts'
import { textMessage } from '../text-message.ts'
import { type Tone, toneOf } from './phrases.ts'
import { tagsFor } from './tags.ts'
import { capitalised, ended, headlineOf, type Topic, topicOf } from './topic.ts'

export interface Written {
  copy: Copy
  /** What a person should know before it is sent. */
  notes: string[]
}

export function writeBuiltIn(brief: Brief, around: Surroundings): Written {
  const topic = topicOf(brief.goal)
  const tone = toneOf(brief.tone)
  const phrases = tone.kinds[brief.kind]
  const { name } = around.business
  // A goal that only orders ("Welcome our new customers") leaves nothing to say of its own.
  const about = topic.first === '' ? `News from ${name}` : topic.first
  const short = headlineOf(about, 60)
  const copy: Copy = {
    subject: shortened(capitalised(phrases.subject(short, name)), copyLimits.subject),
    preheader: preheaderOf(brief, topic, name),
    headline: capitalised(
      shortened(
        phrases.headline(headlineOf(about, copyLimits.headline), name),
        copyLimits.headline,
      ),
    ),
    greeting: tone.greeting,
    ...(tone.namelessGreeting !== undefined && { namelessGreeting: tone.namelessGreeting }),
    sections: sectionsOf(brief, { tone, topic }, name),
    closing: tone.closing,
    sms: smsOf(short, brief, around),
    tags: tagsFor(brief.audience, around.tags),
  }
  return { copy, notes: notesOf(brief, topic, copy) }
}

/** It goes on where the subject ends, so it does not say the same again. */
function preheaderOf(brief: Brief, topic: Topic, business: string): string {
  const next = brief.facts[0] ?? topic.more[0] ?? `News from ${business}.`
  return shortened(ended(next), copyLimits.preheader)
}

function sectionsOf(
  brief: Brief,
  { tone, topic }: { tone: Tone; topic: Topic },
  business: string,
): Section[] {
  const phrases = tone.kinds[brief.kind]
  const opening = phrases.opening(business)
  const lead = opening.endsWith(':')
    ? [topic.first === '' ? ended(opening.slice(0, -1)) : `${opening} ${ended(topic.first)}`]
    : [opening, ...(topic.first === '' ? [] : [ended(capitalised(topic.first))])]
  const [first, ...further] = brief.links
  const facts = brief.facts.map((fact) => shortened(fact, copyLimits.point))
  const sections: Section[] = [
    {
      heading: '',
      paragraphs: paragraphsOf([...lead, topic.more.join(' ')]),
      points: [],
    },
    {
      heading: facts.length === 0 ? '' : phrases.facts,
      paragraphs: [],
      points: facts.slice(0, copyLimits.points),
      ...(first !== undefined && { button: { label: phrases.button, url: first } }),
    },
    ...further.slice(0, copyLimits.sections - 3).map((url) => ({
      heading: '',
      paragraphs: [],
      points: [],
      button: { label: shortened(nameOf(url), copyLimits.label), url },
    })),
    { heading: '', paragraphs: [phrases.ending(business)], points: [] },
  ]
  return sections.filter(
    ({ paragraphs, points, button }) => paragraphs.length + points.length > 0 || button,
  )
}

function paragraphsOf(texts: string[]): string[] {
  return texts.filter((text) => text !== '').map((text) => shortened(text, copyLimits.paragraph))
}

/** What a link is called by: the last part of its path in words, or its host. */
function nameOf(url: string): string {
  const { hostname, pathname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  const words = last
    .replace(/\.\w{2,5}$/, '')
    .replace(/[-_+%]+/g, ' ')
    .trim()
  return /^[a-z][a-z ]{2,}$/i.test(words) ? capitalised(words) : hostname.replace(/^www\./, '')
}

/** Facts are dropped one by one, then words are cut: sender, link and way out never are. */
function smsOf(topic: string, brief: Brief, { sender }: Surroundings): string {
  const [link] = brief.links
  const said = [ended(capitalised(topic)), ...brief.facts.map(ended)]
  const byFacts = said.map((_, n) => said.slice(0, said.length - n).join(' '))
  const byWords = Array.from({ length: topic.length }, (_, n) => shortened(topic, topic.length - n))
  const texts = [...byFacts, ...byWords].map((words) => textMessage({ sender, words, link }))
  const fitting = (text: string) => segmentsOf(text).segments <= copyLimits.smsSegments
  return texts.find(fitting) ?? textMessage({ sender, words: '', link })
}

function notesOf(brief: Brief, topic: Topic, copy: Copy): string[] {
  const left = brief.facts.length - copyLimits.points
  return [
    ...(brief.links.length === 0 ? ['It has no link and so no button: give brief.links.'] : []),
    ...(brief.facts.length === 0
      ? ['It states no details: give dates, prices and places as brief.facts.']
      : []),
    ...(left > 0
      ? [`The last ${left} of the facts are left out: a mail takes ${copyLimits.points}.`]
      : []),
    ...(topic.orders.length > 0
      ? [`Sentences of the goal that speak to a writer were not used: ${topic.orders.join(' ')}`]
      : []),
    ...(/^en\b/i.test(brief.language)
      ? []
      : [`The built-in writer's own phrases are English, and the language is ${brief.language}.`]),
    ...(brief.audience !== '' && copy.tags.length === 0
      ? ['No tag of the contacts matches the audience: the draft is for everyone who consented.']
      : []),
  ]
}
