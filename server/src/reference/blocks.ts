/**
 * The blocks of a reference page, before it becomes Markdown or HTML. Texts may contain `code` and
 * [links](guides/errors). A link without a scheme refers to another page.
 */

/** `curl`, `typescript`, `python`, `php` and `cli` are samples that can be run unchanged. */
export type Language =
  | 'curl'
  | 'typescript'
  | 'python'
  | 'php'
  | 'cli'
  | 'sh'
  | 'json'
  | 'http'
  | 'text'

/** In which a reader may want the same call, in the order in which they are shown. */
export const sampleLanguages: readonly Language[] = ['curl', 'typescript', 'python', 'php', 'cli']

export type Block =
  | Heading
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: readonly string[]; ordered: boolean; start?: number }
  | { kind: 'table'; head: readonly string[]; rows: readonly (readonly string[])[] }
  | Code
  /** A file of `docs/pictures`. */
  | { kind: 'picture'; name: string; alt: string }

export interface Heading {
  kind: 'heading'
  text: string
  /** Whether it stands below another heading. */
  within?: boolean
}

export interface Code {
  kind: 'code'
  language: Language
  code: string
}

export interface Page {
  /** A path such as `guides/errors`, below `/docs/`, without an ending. */
  path: string
  title: string
  /** One or two sentences for lists of pages. */
  about: string
  blocks: readonly Block[]
  /** Other words by which it is looked for. */
  keywords?: string
}

export const heading = (text: string): Block => ({ kind: 'heading', text })
export const text = (text: string): Block => ({ kind: 'text', text })
export const list = (...items: string[]): Block => ({ kind: 'list', items, ordered: false })
export const steps = (...items: string[]): Block => ({ kind: 'list', items, ordered: true })
export const code = (language: Language, code: string): Code => ({ kind: 'code', language, code })

export function table(head: readonly string[], rows: readonly (readonly string[])[]): Block {
  return { kind: 'table', head, rows }
}

/** A part of a text: plain text, code, or a link. `**` begins and ends what is bold. */
export type Piece = { text: string; code?: true; to?: string; bold?: true }

export function piecesOf(text: string): Piece[] {
  const parts = text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\)|\*\*(?=\S)|(?<=\S)\*\*)/)
  let pairs = Math.floor(parts.filter((part) => part === '**').length / 2)
  let isBold = false
  return parts.flatMap((part): Piece[] => {
    if (part === '**' && (isBold || pairs > 0)) {
      isBold = !isBold
      if (isBold) pairs--
      return []
    }
    if (part === '') return []
    const bold = isBold && { bold: true as const }
    if (/^`[^`]+`$/.test(part)) return [{ text: part.slice(1, -1), code: true, ...bold }]
    const [, label, to] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part) ?? []
    return label !== undefined && to !== undefined
      ? [{ text: label, to, ...bold }]
      : [{ text: part, ...bold }]
  })
}

/** Whether a link leaves the page for no other page of the reference. */
export function leavesReference(to: string): boolean {
  return /^[a-z]+:|^[/#]/.test(to)
}

/** The anchor of a heading: `How to send` becomes `how-to-send`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
