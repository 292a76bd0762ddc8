/** Filters that differ from Liquid's own: those that make markup, or would let it through. */
import { Drop, type Liquid } from 'liquidjs'
import { escapeHtml } from '../../lib/text/html.ts'

/** HTML made by the template itself. Every other filter treats it as an ordinary text. */
export class Markup extends Drop {
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
export function escaped(this: unknown, value: unknown): string {
  const text = spell(value)
  ;(this as FilterThis).context.memoryLimit.use(text.length)
  return value instanceof Markup ? text : escapeHtml(text)
}

/** A value as text. A value that is neither text nor number is shown as JSON. */
export function spell(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(spell).join('')
  return value instanceof Markup ? value.toString() : JSON.stringify(value)
}

export function addFilters(engine: Liquid, kind: 'html' | 'plain'): void {
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
export function safeUrl(value: unknown): string {
  // Browsers remove controls and spaces before they look for the scheme.
  const text = spell(value).replace(/[\p{Cc}\s]/gu, '')
  const scheme = /^([^/?#:]*):/.exec(text)?.[1]
  const allowed = ['http', 'https', 'mailto', 'tel', 'sms']
  return scheme === undefined || allowed.includes(scheme.toLowerCase()) ? text : '#'
}
