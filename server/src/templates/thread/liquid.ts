/**
 * Liquid as templates get it: no files, no prototypes, no unescaped output, and limits on memory
 * and length. Its time is limited by the deadline of the thread in which it runs, which counts
 * processor time. Liquid's own limit counts wall-clock time, and would refuse a template because of
 * other work on the machine.
 */

import {
  CaptureTag,
  Context,
  Drop,
  type Emitter,
  Liquid,
  type Template,
  Tokenizer,
  TokenKind,
  toValueSync,
} from 'liquidjs'
import { escapeHtml } from '../../lib/text/html.ts'
import { templateLimits } from '../source.ts'
import { isTooDeep, SourceError, tooDeep } from './source-error.ts'

/** Characters and items that one render may create. */
const memory = 8_000_000

export type Variables = Readonly<Record<string, unknown>>

/** A part that is ready to be rendered. */
export interface ParsedPart {
  templates: Template[]
  engine: Liquid
}

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
  const remaining = new Set(names)
  const missing: string[] = []
  const options = { ...engine.options, timezoneOffset: zoneOf(variables), lenientIf: true }
  while (remaining.size > 0) {
    const context = new StoppingContext({ ...variables }, options, remaining, engine)
    try {
      toValueSync(engine.renderer.renderTemplates(templates, context, new Written(() => {})))
      break
    } catch (error) {
      const { stoppedAt } = context
      if (stoppedAt === undefined || (error as Error).name !== 'UndefinedVariableError') throw error
      missing.push(stoppedAt)
      remaining.delete(stoppedAt)
    }
  }
  return missing
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
  const parts: string[] = []
  renderPart(part, variables, (text) => parts.push(text))
  return parts.join('')
}

/** Names that the text uses and does not define itself, such as `order.total`. */
export function variablesOf(text: string): string[] {
  const names = html.globalFullVariablesSync(text)
  return [...new Set(names.map((name) => name.replace(/\[\d+\]/g, '')))]
}

/** Counts the output, which Liquid's own limits do not. */
class Written implements Emitter {
  buffer = ''
  #length = 0
  readonly #write: (text: string) => void

  constructor(write: (text: string) => void) {
    this.#write = write
  }

  write(value: unknown): void {
    const text = spell(value)
    if (text === '') return
    this.#length += text.length
    if (this.#length > templateLimits.renderedLength) {
      throw new Error(`it comes out longer than ${templateLimits.renderedLength} characters`)
    }
    this.#write(text)
  }
}

/** Stores captured output as markup. Otherwise its HTML would be escaped where it is used. */
class Capture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const { renderer, options } = this.liquid
    const texts: string[] = []
    yield renderer.renderTemplates(
      this.templates,
      context,
      new Written((entry) => texts.push(entry)),
    )
    const text = texts.join('')
    context.memoryLimit.use(text.length)
    context.bottom()[this.variable] = options.outputEscape ? new Markup(text) : text
  }
}

/** HTML made by the template itself. Every other filter treats it as an ordinary text. */
class Markup extends Drop {
  readonly #html: string

  constructor(html: string) {
    super()
    this.#html = html
  }

  override valueOf(): string {
    return this.#html
  }

  override toString(): string {
    return this.#html
  }
}

interface FilterThis {
  context: { memoryLimit: { use(n: number): void } }
}

/** Every value passes through here on its way into HTML. */
function escaped(this: unknown, value: unknown): string {
  const text = spell(value)
  ;(this as FilterThis).context.memoryLimit.use(text.length)
  return value instanceof Markup ? text : escapeHtml(text)
}

/** A value as text. A value that is neither text nor number is shown as JSON. */
function spell(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(spell).join('')
  return value instanceof Markup ? value.toString() : JSON.stringify(value)
}

function addFilters(engine: Liquid, kind: 'html' | 'plain'): void {
  // Removes the way around escaping, and filters that parse expressions for each item.
  for (const name of Object.keys(engine.filters)) {
    if (name === 'raw' || name.endsWith('_exp')) engine.unregisterFilter(name)
  }
  const once = kind === 'html' ? (value: unknown) => new Markup(escapeHtml(spell(value))) : spell
  for (const name of ['escape', 'escape_once', 'xml_escape']) engine.registerFilter(name, once)
  engine.registerFilter('newline_to_br', (value: unknown) => {
    const text = spell(value)
    return kind === 'html' ? new Markup(escapeHtml(text).replace(/\r?\n/g, '<br>\n')) : text
  })
  engine.registerFilter('safe_url', safeUrl)
}

/** A link that a mailbox may follow. Anything that could run code becomes `#`. */
function safeUrl(value: unknown): string {
  // Browsers remove controls and spaces before they look for the scheme.
  const text = spell(value).replace(/[\p{Cc}\s]/gu, '')
  const scheme = /^([^/?#:]*):/.exec(text)?.[1]
  const allowed = ['http', 'https', 'mailto', 'tel', 'sms']
  return scheme === undefined || allowed.includes(scheme.toLowerCase()) ? text : '#'
}

// Made once, when the classes above exist.
const html = engineFor('html')
const plain = engineFor('plain')

/** Parsed before any rewriting, so that line numbers are those of the author. */
export function assertParses(name: string, text: string, kind: 'html' | 'plain'): void {
  try {
    parsePart(text, kind)
  } catch (error) {
    if (isTooDeep(error)) throw new SourceError(name, tooDeep)
    throw new SourceError(name, `is no template: ${faultOf(error)}.`)
  }
}

/** Liquid's message for a fault, without the excerpt of the source that it adds. */
function faultOf(error: unknown): string {
  const { message } = error as Error
  const [first = ''] = message.split('\n')
  return first.slice(0, 200).replace(/, line:(\d+), col:\d+$/, ' (line $1)')
}

/** Removes the line, which refers to the generated text that the author never saw. */
export function faultIn(error: unknown): string {
  return faultOf(error).replace(/ \(line \d+\)$/, '')
}
