/**
 * Liquid as templates get it: no files, no prototypes, nothing unescaped, and limits on memory
 * and length. Its time is limited by the deadline of the thread in which it runs, which counts
 * processor time: Liquid's own limit counts the time of the wall, and would refuse a template for
 * what else the machine is doing.
 */
import { Context, Liquid, type Template, Tokenizer, TokenKind, toValueSync } from 'liquidjs'
import { templateLimits } from '../source.ts'
import { addFilters, escaped } from './filters.ts'
import { Capture, Written } from './written.ts'

/** Characters and items that one render may make on its way. */
const memory = 8_000_000

export type Variables = Readonly<Record<string, unknown>>

/** A part that is ready to be rendered. */
export interface ParsedPart {
  templates: Template[]
  engine: Liquid
}

const html = engineFor('html')
const plain = engineFor('plain')

function engineFor(kind: 'html' | 'plain'): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    ...(kind === 'html' && { outputEscape: escaped }),
    // Without a mapping of templates an include would read the disk.
    templates: {},
    relativeReference: false,
    timezoneOffset: 0,
    locale: 'en',
    parseLimit: templateLimits.bodyLength * 4,
    memoryLimit: memory,
  })
  // Not unknown to the parser alone: they reach for other templates, of which there are none.
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
  engine.registerTag('capture', Capture)
  addFilters(engine, kind)
  return engine
}

/** Throws what the parser has to say, with the line. */
export function parsePart(text: string, kind: 'html' | 'plain'): ParsedPart {
  const engine = kind === 'html' ? html : plain
  return { templates: engine.parse(text), engine }
}

/** Texts of the source between its tags, as they will be written; short ones are left out. */
export function fixedTexts(text: string, shortest: number): string[] {
  const tokens = new Tokenizer(text).readTopLevelTokens(html.options)
  const texts = tokens.flatMap((token) =>
    token.kind === TokenKind.HTML
      ? [(token as unknown as { getContent(): string }).getContent()]
      : [],
  )
  return [...new Set(texts.filter((one) => one.length >= shortest))]
}

/** What a part says for these variables, given to `write` in order. */
export function renderPart(
  { templates, engine }: ParsedPart,
  variables: Variables,
  write: (text: string) => void,
): void {
  const options = { ...engine.options, timezoneOffset: zoneOf(variables) }
  const context = new Context({ ...variables }, options, { sync: true }, { liquid: engine })
  toValueSync(engine.renderer.renderTemplates(templates, context, new Written(write)))
}

/** The business's own, which no caller can give in its place. */
function zoneOf({ business }: Variables): string {
  const zone = typeof business === 'object' && business && 'time_zone' in business
  return zone && typeof business.time_zone === 'string' ? business.time_zone : 'UTC'
}

export function renderText(part: ParsedPart, variables: Variables): string {
  const written: string[] = []
  renderPart(part, variables, (text) => written.push(text))
  return written.join('')
}

/** Names that the text asks for and does not make itself, such as `order.total`. */
export function variablesOf(text: string): string[] {
  const names = html.globalFullVariablesSync(text)
  return [...new Set(names.map((name) => name.replace(/\[\d+\]/g, '')))]
}
