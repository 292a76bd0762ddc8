/** Filters that differ from Liquid's own: what makes markup, and what would let it through. */
import { Drop, type Liquid } from 'liquidjs'
import { escapeHtml } from '../../lib/text/html.ts'

/** HTML made by the template itself; to every other filter it is a text like any other. */
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

/** Every value on its way into HTML goes through here. */
export function escaped(this: unknown, value: unknown): string {
  const text = spell(value)
  ;(this as FilterThis).context.memoryLimit.use(text.length)
  return value instanceof Markup ? text : escapeHtml(text)
}

/** A value as text; what is no text and no number is shown as JSON. */
export function spell(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(spell).join('')
  return value instanceof Markup ? value.toString() : JSON.stringify(value)
}

export function addFilters(engine: Liquid, kind: 'html' | 'plain'): void {
  // The way around escaping, and filters that take expressions to be parsed for each item.
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

/** A link that a mailbox may follow; anything that could run code becomes `#`. */
export function safeUrl(value: unknown): string {
  // Browsers leave out controls and spaces before they look for the scheme.
  const text = spell(value).replace(/[\p{Cc}\s]/gu, '')
  const scheme = /^([^/?#:]*):/.exec(text)?.[1]
  const allowed = ['http', 'https', 'mailto', 'tel', 'sms']
  return scheme === undefined || allowed.includes(scheme.toLowerCase()) ? text : '#'
}
