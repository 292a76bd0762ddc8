/**
 * Liquid as templates get it: no files, no prototypes, no unescaped output, and limits on memory
 * and length. Its time is limited by the deadline of the thread in which it runs, which counts
 * processor time. Liquid's own limit counts wall-clock time, and would refuse a template because of
 * other work on the machine.
 */
import { Context, Liquid, type Template, Tokenizer, TokenKind, toValueSync } from 'liquidjs'
import { templateLimits } from '../source.ts'
import { addFilters, escaped } from './filters.ts'
import { Capture, Written } from './written.ts'

/** Characters and items that one render may create. */
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
    // Without a mapping of templates, an include would read the disk.
    templates: {},
    relativeReference: false,
    timezoneOffset: 0,
    locale: 'en',
    parseLimit: templateLimits.bodyLength * 4,
    memoryLimit: memory,
  })
  // The parser knows these tags. They refer to other templates, which do not exist here.
  for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
  engine.registerTag('capture', Capture)
  addFilters(engine, kind)
  return engine
}

/** Throws the parser's message, with the line. */
export function parsePart(text: string, kind: 'html' | 'plain'): ParsedPart {
  const engine = kind === 'html' ? html : plain
  return { templates: engine.parse(text), engine }
}

/** Texts of the source between its tags, as they will be written, without short texts. */
export function fixedTexts(text: string, shortest: number): string[] {
  const tokens = new Tokenizer(text).readTopLevelTokens(html.options)
  const texts = tokens.flatMap((token) =>
    token.kind === TokenKind.HTML
      ? [(token as unknown as { getContent(): string }).getContent()]
      : [],
  )
  return [...new Set(texts.filter((entry) => entry.length >= shortest))]
}

/** Renders a part for these variables and passes the pieces to `write` in order. */
export function renderPart(
  { templates, engine }: ParsedPart,
  variables: Variables,
  write: (text: string) => void,
): void {
  const options = { ...engine.options, timezoneOffset: zoneOf(variables) }
  const context = new Context({ ...variables }, options, { sync: true }, { liquid: engine })
  toValueSync(engine.renderer.renderTemplates(templates, context, new Written(write)))
}

/**
 * Which of these names the part outputs, although they have no value. A condition or a default may
 * deal with the absence of one. So the part is rendered, and stops at the first name that it
 * outputs; that name is then left out of the next render.
 */
export function outputsWithoutValue(
  { templates, engine }: ParsedPart,
  variables: Variables,
  names: readonly string[],
): string[] {
  const left = new Set(names)
  const found: string[] = []
  const options = { ...engine.options, timezoneOffset: zoneOf(variables), lenientIf: true }
  while (left.size > 0) {
    const context = new StoppingContext({ ...variables }, options, left, engine)
    try {
      toValueSync(engine.renderer.renderTemplates(templates, context, new Written(() => {})))
      break
    } catch (error) {
      const { stoppedAt } = context
      if (stoppedAt === undefined || (error as Error).name !== 'UndefinedVariableError') throw error
      found.push(stoppedAt)
      left.delete(stoppedAt)
    }
  }
  return found
}

/** Stops a render at names without a value, where Liquid's strict mode would. */
class StoppingContext extends Context {
  /** The name that was read last without a value. */
  stoppedAt: string | undefined
  readonly #names: ReadonlySet<string>

  constructor(
    variables: object,
    options: Liquid['options'],
    names: ReadonlySet<string>,
    liquid: Liquid,
  ) {
    super(variables, options, { sync: true }, { liquid })
    this.#names = names
  }

  override *_getFromScope(
    scope: unknown,
    paths: Parameters<Context['_getFromScope']>[1],
    isStrict?: boolean,
  ): IterableIterator<unknown> {
    const value: unknown = yield* super._getFromScope(scope, paths, false)
    const isMissing = value === undefined || value === null
    if (!isMissing || isStrict === false || typeof paths === 'string') return value
    const name = paths.filter((key) => typeof key === 'string').join('.')
    if (!this.#names.has(name)) return value
    this.stoppedAt = name
    // Liquid knows by this name that a condition or the filter `default` may go on.
    throw Object.assign(new Error(name), { name: 'InternalUndefinedVariableError' })
  }
}

/** The business's own time zone, which no caller can replace. */
function zoneOf({ business }: Variables): string {
  const zone = typeof business === 'object' && business && 'time_zone' in business
  return zone && typeof business.time_zone === 'string' ? business.time_zone : 'UTC'
}

export function renderText(part: ParsedPart, variables: Variables): string {
  const written: string[] = []
  renderPart(part, variables, (text) => written.push(text))
  return written.join('')
}

/** Names that the text uses and does not define itself, such as `order.total`. */
export function variablesOf(text: string): string[] {
  const names = html.globalFullVariablesSync(text)
  return [...new Set(names.map((name) => name.replace(/\[\d+\]/g, '')))]
}
