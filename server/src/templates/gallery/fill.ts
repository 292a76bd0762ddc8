/** Fills the slots of a gallery's mail with facts, each in its own spelling. */
import { isDeepStrictEqual } from 'node:util'
import type { Block, Leaf } from '../blocks/block.ts'
import type { GalleryLanguage, GalleryMail, Slot } from './mail.ts'
import type { GalleryText } from './texts.ts'

export interface FilledMail {
  subject: string
  preheader: string
  blocks: Block[]
  /** Required slots without a fact. They stand in the mail as `[[Label]]`. */
  empty: Slot[]
}

interface SlotFacts {
  language: GalleryLanguage
  /** By the name of a slot. */
  facts: Readonly<Record<string, string>>
}

/**
 * A block with an optional slot that has no fact is left out. A required one shows what is missing:
 * the check before a campaign blocks it (`campaigns/preflight/gates/content.ts`).
 */
export function fillMail(mail: GalleryMail, { language, facts }: SlotFacts): FilledMail {
  const words = mail.words[language]
  const empty = emptyOf(mail.slots, facts)
  const fill = filling(mail.slots, { language, facts })
  const lacks = (value: unknown): boolean =>
    mail.slots.some(
      ({ name, required }) =>
        !required && !facts[name] && JSON.stringify(value).includes(`[[${name}]]`),
    )
  const inBlock = <T>(value: T, key = ''): T => {
    if (typeof value === 'string') {
      return fill(value, inMarks.has(key) ? withoutMarks : literal, inAddresses.has(key)) as T
    }
    if (Array.isArray(value)) return value.map((entry) => inBlock(entry, key) as unknown) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, inBlock(entry as unknown, name)]),
    ) as T
  }
  const leaves = (blocks: readonly Leaf[]) =>
    blocks.filter((block) => !lacks(block)).map((block) => inBlock(block))
  const blocks = words.blocks.flatMap((block): Block[] => {
    if (block.type !== 'columns') return lacks(block) ? [] : [inBlock(block)]
    const columns = block.columns.map(leaves).filter((column) => column.length > 0)
    if (columns.length > 1) return [{ ...block, columns }]
    return columns.flat()
  })
  return {
    subject: fill(words.subject, literal),
    preheader: fill(words.preview_text, literal),
    blocks: joinedLists(withoutGaps(blocks)),
    empty,
  }
}

const emptyOf = (slots: readonly Slot[], facts: SlotFacts['facts']) =>
  slots.filter(({ name, required }) => required && !facts[name])

/** Puts facts, or the labels of those that are missing, into one text. */
function filling(slots: readonly Slot[], { language, facts }: SlotFacts) {
  const byName = new Map(slots.map((slot) => [slot.name, slot]))
  return (text: string, escaped: (fact: string) => string, isAddress = false) =>
    text.replace(/\[\[([a-z][a-z0-9_]{0,40})\]\]/g, (whole, name: string, index: number) => {
      const slot = byName.get(name)
      if (!slot) return whole
      const fact = facts[name]
      if (fact) return escaped(fact)
      const label = slot.label[language]
      if (!isAddress) return `[[${label}]]`
      const marked = `[[${label.replace(/\s+/g, '-')}]]`
      return index === 0 ? `https://${marked}` : marked
    })
}

/** A text message with its facts; each of its slots is required. */
export function fillText(
  { slots, words }: GalleryText,
  { language, facts }: SlotFacts,
): { text: string; empty: Slot[] } {
  const text = filling(slots, { language, facts })(words[language].text, literal)
  return { text, empty: emptyOf(slots, facts) }
}

/** Lines and spaces stand between words: none is last, first or beside another. */
function withoutGaps(blocks: readonly Block[]): Block[] {
  const isGap = (block: Block | undefined) =>
    block === undefined || block.type === 'divider' || block.type === 'spacer'
  return blocks.filter((block, n) => !isGap(block) || (n > 0 && !isGap(blocks[n + 1])))
}

/** Each optional item is a list of its own, so that it can be left out; those that stay are one list. */
function joinedLists(blocks: readonly Block[]): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const before = joined.at(-1)
    if (block.type === 'list' && before?.type === 'list' && isAlike(before, block)) {
      joined[joined.length - 1] = { ...before, items: [...before.items, ...block.items] }
    } else joined.push(block)
  }
  return joined
}

function isAlike({ items: _items, ...look }: ListBlock, other: ListBlock): boolean {
  const { items: _others, ...otherLook } = other
  return isDeepStrictEqual(look, otherLook)
}

type ListBlock = Extract<Block, { type: 'list' }>

/** The fields of a block that may hold marks, such as `**bold**`. */
const inMarks = new Set(['text', 'items'])

/** An empty slot in an address is written as one, because nothing else is taken there. */
const inAddresses = new Set(['url', 'src'])

/** Text in which braces make no Liquid: Liquid itself writes what would open its code. */
export function literal(text: string): string {
  return text.replace(/\{(?=[{%])/g, '{{ "{" }}')
}

/** Text of a block in which brackets make neither a link nor a mark. */
export const withoutMarks = (text: string): string =>
  literal(text).replaceAll('](', '] (').replaceAll(']{', '] {')
