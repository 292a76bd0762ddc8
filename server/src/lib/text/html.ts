/**
 * HTML by tagged template. Values are escaped unless they are HTML made here. A value may only be
 * placed where escaping is enough: in text, or in a quoted attribute. A plain string inside a tag
 * without quotes is a bug of ours, and throws.
 */

/** Markup that needs no more escaping. Only `html` makes it, so text can never pass for it. */
export class Html {
  readonly #markup: string
  private constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }

  static render(strings: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    const contexts = contextsOf(strings)
    const parts = strings.map((part, i) => {
      if (i === strings.length - 1) return part
      return part + spell(values[i], contexts[i] ?? 'tag')
    })
    return new Html(parts.join(''))
  }
}

export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[]

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return Html.render(strings, values)
}

const special = /[&<>"']/
const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  // Most texts have nothing to escape, and the test costs a third of a replacement.
  return !special.test(text)
    ? text
    : text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

type Context = 'text' | 'tag' | '"' | "'"

function spell(value: HtmlValue, context: Context): string {
  if (value === undefined || value === null || value === false) return ''
  if (Array.isArray(value)) return value.map((item: HtmlValue) => spell(item, context)).join('')
  if (value instanceof Html) {
    if (context === '"' || context === "'") throw new Error('markup cannot stand in an attribute')
    return value.toString()
  }
  if (context === 'tag') throw new Error('a value inside a tag must stand in quotes')
  return escapeHtml(String(value))
}

const contextsByTemplate = new WeakMap<TemplateStringsArray, Context[]>()

/** The context of each value in a template, computed once per template. */
function contextsOf(strings: TemplateStringsArray): Context[] {
  let contexts = contextsByTemplate.get(strings)
  if (!contexts) {
    let context: Context = 'text'
    contexts = strings.map((part) => {
      for (let i = 0; i < part.length; i++) context = nextContext(context, part, i)
      return context
    })
    contextsByTemplate.set(strings, contexts)
  }
  return contexts
}

function nextContext(context: Context, part: string, i: number): Context {
  const character = part[i]
  switch (context) {
    case 'text':
      return character === '<' && /[a-z/!]/i.test(part[i + 1] ?? '') ? 'tag' : 'text'
    case 'tag':
      if (character === '>') return 'text'
      return character === '"' || character === "'" ? character : 'tag'
    default:
      return character === context ? 'tag' : context
  }
}
