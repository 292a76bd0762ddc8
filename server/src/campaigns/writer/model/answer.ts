/**
 * Checks the answer of a model by schema, and for rules that no schema expresses. The answer names
 * links from the brief's own list, so a model that was manipulated cannot send people elsewhere.
 */

import { schemaCheck } from '../../../core/schema-check.ts'
import { lazily } from '../../../lib/concurrency/lazily.ts'
import { type Static, Type } from '../../../lib/schema/schema.ts'
import { segmentsOf } from '../../../lib/sms/segments.ts'
import { withoutEnd } from '../../../lib/text/trim-end.ts'
import { type Brief, oneLine } from '../brief.ts'
import { type Copy, copyLimits, type Surroundings } from '../copy.ts'
import { inPlainLetters, textMessage } from '../text-message.ts'

// The list of public suffixes takes memory that only a service with a model needs.
const suffixes = lazily(() => import('tldts'))

const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength })

const sectionShape = Type.Object(
  {
    heading: text(copyLimits.heading),
    paragraphs: Type.Array(text(copyLimits.paragraph, 1), { maxItems: copyLimits.paragraphs }),
    points: Type.Array(text(copyLimits.point, 1), { maxItems: copyLimits.points }),
    link: Type.String(),
    label: text(copyLimits.label),
  },
  { additionalProperties: false },
)

const shape = Type.Object(
  {
    subject: text(copyLimits.subject, 1),
    preheader: text(copyLimits.preheader, 1),
    headline: text(copyLimits.headline, 1),
    greeting: text(copyLimits.greeting, 1),
    sections: Type.Array(sectionShape, { minItems: 1, maxItems: copyLimits.sections }),
    closing: text(copyLimits.closing, 1),
    sms: text(400, 1),
    tags: Type.Array(Type.String(), { maxItems: copyLimits.tags }),
  },
  { additionalProperties: false },
)

const check = schemaCheck(shape, 'the answer')

/**
 * The schema that a model receives: with the available links and tags, and without lengths, which
 * strict modes do not support.
 */
export function schemaFor({ links }: Brief, { tags }: Surroundings): object {
  const unknown = new Set(['minLength', 'maxLength', 'minItems', 'maxItems'])
  const told = JSON.stringify(shape, (key, value: unknown) => {
    if (unknown.has(key)) return undefined
    if (key === 'link') return { type: 'string', enum: ['', ...links] }
    // An empty enumeration is not a valid schema.
    if (key === 'tags' && tags.length > 0) {
      return { type: 'array', items: { type: 'string', enum: tags } }
    }
    return value
  })
  return JSON.parse(told) as object
}

/** The copy, or a complaint for the model. */
export async function readAnswer(
  said: string,
  brief: Brief,
  around: Surroundings,
): Promise<Copy | string> {
  const value = jsonIn(said)
  if (value === undefined) return 'it is not one whole JSON value.'
  const wrong = check(value)
  if (wrong) return wrong.message
  const given = value as Static<typeof shape>
  const link = given.sections.find((section) => !['', ...brief.links].includes(section.link))
  if (link) return 'a "link" is none of the links of the brief.'
  if (given.tags.some((tag) => !around.tags.includes(tag))) return "a tag is none of the brief's."
  if (given.sections.every(({ paragraphs }) => paragraphs.length === 0)) {
    return 'no section has a paragraph.'
  }
  const copy = copyOf(given, brief, around)
  const words = wordsOf(copy, given.sms)
  if (await hasAddress(words.join(' \n '), brief, around)) {
    return 'an address stands in its text: a link goes into "link".'
  }
  if (words.some(hasCode)) {
    return 'markup, template code or a placeholder stands in its text.'
  }
  const { segments } = segmentsOf(copy.sms)
  if (segments > copyLimits.smsSegments) {
    return `sms is too long: with sender, link and how to unsubscribe it takes ${segments} segments, and may take ${copyLimits.smsSegments}.`
  }
  return copy
}

/**
 * Mail programs turn bare domain names into links as well. If the business's name or the brief
 * contains a domain, the draft may contain it too.
 */
async function hasAddress(
  words: string,
  brief: Brief,
  { business, sender }: Surroundings,
): Promise<boolean> {
  if (/https?:/i.test(words)) return true
  const given = [business.name, sender, brief.goal, ...brief.facts].join(' ').toLowerCase()
  const { parse } = await suffixes.get()
  const runs = words.toLowerCase().match(/[\p{L}\p{N}.-]+/gu) ?? []
  const names = runs.flatMap((run) => run.split('..')).map(withoutDots)
  return names.some((name) => {
    return name.includes('.') && parse(name).isIcann === true && !given.includes(name)
  })
}

/** A name at the end of a sentence, or after a dot, is still a name. */
function withoutDots(run: string): string {
  return run.slice(run.startsWith('.') ? 1 : 0, run.endsWith('.') ? -1 : undefined)
}

/** Whether the text contains markup, template code or a placeholder such as `[DATE]`. */
function hasCode(text: string): boolean {
  const tag = text.search(/<\/?[a-z]/)
  if (text.includes('{{') || text.includes('{%') || (tag >= 0 && text.includes('>', tag))) {
    return true
  }
  for (const { index } of text.matchAll(/\[[A-Z]/g)) {
    const end = text.indexOf(']', index)
    if (end < 0) return false
    if (end - index > 3) return true
  }
  return false
}

function wordsOf({ sms: _sms, tags: _tags, sections, ...lines }: Copy, sms: string): string[] {
  const within = sections.flatMap(({ heading, paragraphs, points, button }) => [
    heading,
    ...paragraphs,
    ...points,
    button?.label ?? '',
  ])
  return [...Object.values(lines), ...within, sms]
}

function copyOf(said: Static<typeof shape>, { links }: Brief, { sender }: Surroundings): Copy {
  const sections = said.sections.map(({ heading, paragraphs, points, link, label }) => ({
    heading: oneLine(heading),
    paragraphs: paragraphs.map(oneLine),
    points: points.map(oneLine),
    ...(link !== '' && { button: { label: oneLine(label) || new URL(link).hostname, url: link } }),
  }))
  return {
    subject: oneLine(said.subject),
    preheader: oneLine(said.preheader),
    headline: oneLine(said.headline),
    // The layout appends the name and a comma.
    greeting: withoutEnd(oneLine(said.greeting), /[\s,!]/),
    sections,
    closing: oneLine(said.closing),
    sms: textMessage({ sender, words: inPlainLetters(oneLine(said.sms)), link: links[0] }),
    tags: said.tags,
  }
}

/** Models without a strict schema may wrap their JSON in code fences or thoughts. */
function jsonIn(said: string): unknown {
  const [from, to] = [said.indexOf('{'), said.lastIndexOf('}')]
  try {
    return JSON.parse(said.slice(from, to + 1))
  } catch {
    return undefined
  }
}
