/** A caller's wish for the content of a campaign, as a writer receives it. */

import { refuse } from '../../core/errors.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type Purpose, purposes } from '../../templates/gallery/mail.ts'
import { asidesOf } from './asides.ts'

/** Further names of purposes. */
const otherNames: Readonly<Record<string, Purpose>> = { offer: 'sale', reengagement: 'win-back' }
const kinds = [...purposes, ...Object.keys(otherNames)]

export const briefLimits = {
  /** The most characters of all texts together. */
  length: 12_000,
  goalLength: 2_000,
  facts: 20,
  factLength: 500,
  links: 10,
} as const

/** The goal alone, or with known details. A draft may contain no URLs other than `links`. */
export const briefInput = Type.Union([
  Type.String(),
  Type.Object(
    {
      goal: Type.String({ description: 'What to tell, in a sentence or two.' }),
      kind: Type.Optional(
        Type.String({ description: 'A purpose of template.gallery; default: read from the goal.' }),
      ),
      audience: Type.Optional(
        Type.String({ description: 'Whom, in words; matched with tags. Or use audience below.' }),
      ),
      tone: Type.Optional(Type.String({ description: 'Such as warm, or formal.' })),
      facts: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Prices, times, places, codes, kept word for word.',
        }),
      ),
      links: Type.Optional(
        Type.Array(Type.String(), { description: 'The only URLs that the draft may hold.' }),
      ),
    },
    { additionalProperties: false },
  ),
])

export interface Brief {
  /** What the caller says it is for. */
  purpose: Purpose | undefined
  /** The brief as it was written, facts and links included, line by line. */
  text: string
  goal: string
  audience: string
  tone: string
  facts: readonly string[]
  /** In their original spelling, each once. */
  links: readonly string[]
  /** A BCP 47 tag. */
  language: string
}

export function briefOf(input: Static<typeof briefInput>, businessLanguage: string): Brief {
  const fields = typeof input === 'string' ? { goal: input } : input
  checkLengths(fields)
  const purpose = otherNames[fields.kind ?? ''] ?? purposes.find((entry) => entry === fields.kind)
  if (fields.kind !== undefined && !purpose) {
    const text = `brief.kind must be one of ${kinds.join(', ')}.`
    throw refuse('invalid_request', text, {
      field: 'brief.kind',
      data: { reason: 'not_a_choice', allowed: kinds.join(', ') },
    })
  }
  /** In their original spelling, by their normalised form. */
  const links = new Map<string, string>()
  for (const [n, text] of (fields.links ?? []).entries()) {
    const url = webUrl(text)
    if (url === undefined) {
      const rule = 'must be the http(s) URL of a page, such as https://shop.example/menu.'
      throw refuse('invalid_request', `brief.links[${n}] ${rule}`, {
        field: `brief.links[${n}]`,
        data: { reason: 'no_web_address' },
      })
    }
    links.set(url.href, url.spelled)
  }
  const asides = asidesOf(fields.goal)
  for (const text of asides.links) {
    const url = webUrl(text)
    if (url !== undefined) links.set(url.href, url.spelled)
  }
  const { lines, facts } = factsIn(asides.goal)
  const goal = lines.trim()
  if (goal === '') {
    const text = 'brief.goal is missing: say in a sentence what the campaign is to tell.'
    throw refuse('invalid_request', text, { field: 'brief.goal', data: { reason: 'missing' } })
  }
  return {
    purpose,
    text: textOf(fields, [...links.values()]),
    goal,
    audience: oneLine(fields.audience ?? ''),
    tone: oneLine(fields.tone ?? asides.tone ?? ''),
    facts: [...(fields.facts ?? []).map(oneLine), ...facts]
      .filter((fact) => fact !== '')
      .slice(0, briefLimits.facts),
    links: [...links.values()].slice(0, briefLimits.links),
    language: businessLanguage,
  }
}

interface BriefTexts {
  goal: string
  facts?: string[]
  links?: string[]
}

/** Checked by hand, since limits in the schema would lengthen the list of tools too much. */
function checkLengths(input: BriefTexts): void {
  const refuseLonger = (field: string, limit: number, unit = 'characters') => {
    const text = `${field} must be at most ${limit} ${unit}.`
    throw refuse('invalid_request', text, { field, data: { reason: 'too_long', limit } })
  }
  const { length, goalLength, facts, factLength, links } = briefLimits
  if (input.goal.length > goalLength) refuseLonger('brief.goal', goalLength)
  if ((input.facts?.length ?? 0) > facts) refuseLonger('brief.facts', facts, 'facts')
  if ((input.links?.length ?? 0) > links) refuseLonger('brief.links', links, 'links')
  const fact = input.facts?.findIndex((entry) => entry.length > factLength) ?? -1
  if (fact >= 0) refuseLonger(`brief.facts[${fact}]`, factLength)
  if (JSON.stringify(input).length > length) refuseLonger('brief', length)
}

function webUrl(text: string): { href: string; spelled: string } | undefined {
  const brief = text.trim()
  const url = /^https?:\/\//i.test(brief) ? URL.parse(brief) : null
  if (!url || url.username || url.password) return undefined
  // No link contains quotes, spaces and similar characters unescaped.
  const { href } = url
  return { href, spelled: /^[^\s\p{Cc}<>"'`\\^{|}]+$/u.test(brief) ? brief : href }
}

/** Lines of the goal that begin like those of a list are facts. */
function factsIn(goal: string): { lines: string; facts: string[] } {
  const bullet = /^\s*(?:[-*•–]|\d{1,2}[.)])\s+/
  const all = goal.split(/\r?\n/)
  return {
    lines: oneLine(all.filter((line) => !bullet.test(line)).join(' ')),
    facts: all.filter((line) => bullet.test(line)).map((line) => oneLine(line.replace(bullet, ''))),
  }
}

/** Facts are entries of a list, and each link stands in a line of its own. */
function textOf({ goal, facts = [] }: BriefTexts, links: readonly string[]): string {
  const further = links.filter((link) => !goal.includes(link))
  const lines = [...goal.split(/\r?\n/), ...facts.map((fact) => `- ${fact}`), ...further]
  return lines.map(oneLine).filter(Boolean).join('\n')
}

/** Header fields and sentences contain no line breaks, and nobody sees control characters. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
