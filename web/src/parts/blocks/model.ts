/** Blocks of a mail as the builder changes them. The service checks them. */
import { blockWords } from '../../words/blocks.ts'
import type { Filter } from '../filter/model.ts'
import { chipName } from '../liquid/chips.ts'
import { wordsOf } from '../mail-editor/written-text.ts'
import { keepKey } from './keys.ts'

export type BlockType = keyof typeof blockWords.types

/** The fields that the types have. The service refuses one that a type does not have. */
export interface Block {
  type: BlockType
  text?: string
  level?: number
  align?: string
  colour?: string
  src?: string
  alt?: string
  decorative?: boolean
  url?: string
  width?: number
  items?: string[]
  ordered?: boolean
  by?: string
  columns?: Block[][]
  height?: number
  mjml?: string
  background?: string
  padding?: 'small' | 'medium' | 'large'
  /** Only contacts whom it fits see the block. */
  show_if?: Filter
  links?: { network: string; url: string }[]
  name?: string
  price?: string
  button?: string
  /** Of a product or a receipt: the list for whose entries it is repeated. */
  each?: string | undefined
  code?: string
  side?: string
  rows?: Entry[]
  totals?: Entry[]
  /** Of a feed: what of its items is left out. */
  hide?: FeedPart[] | undefined
}

/** What of an item of a feed can be left out. */
export type FeedPart = 'pictures' | 'texts' | 'dates'

/** Of a receipt. */
export interface Entry {
  name: string
  quantity?: string
  price: string
}

/** Those that a mail can be given: the items of a feed have their place in its mail from the start. */
export const blockTypes = (Object.keys(blockWords.types) as BlockType[]).filter(
  (type) => type !== 'feed',
)

/**
 * - `wide`: it is laid out in columns, and so does not stand within one
 * - `words`: it has words that are written in the mail itself
 * - `picture`, `align`, `colour`: it has these fields; `centred`: without `align` it stands in the middle
 * - `further`: its fields, which few mails need, are in `further-fields.tsx`
 */
type Trait = 'wide' | 'words' | 'picture' | 'align' | 'colour' | 'centred' | 'further'

/** What the editor asks about a type. A type without its line does not compile. */
const traits: Readonly<Record<BlockType, readonly Trait[]>> = {
  heading: ['words', 'align', 'colour'],
  text: ['words', 'align', 'colour'],
  quote: ['words'],
  list: ['words'],
  image: ['picture', 'align'],
  image_text: ['wide', 'words', 'picture', 'further'],
  button: ['words', 'align', 'colour'],
  columns: ['wide'],
  divider: [],
  spacer: [],
  logo: ['picture', 'align', 'centred'],
  social: ['align', 'centred', 'further'],
  product: ['words', 'picture', 'align', 'further'],
  code: ['words', 'further'],
  receipt: ['further'],
  footer: ['words', 'align', 'centred'],
  feed: ['wide', 'further'],
  view_link: ['words', 'align'],
  mjml: [],
}

export const hasTrait = (type: BlockType, trait: Trait) => traits[type].includes(trait)

const address = 'https://'

/** What each type begins with. A type without its line does not compile. */
const firstFields: Record<BlockType, () => Omit<Block, 'type'>> = {
  heading: () => ({ text: blockWords.firsts.heading }),
  text: () => ({ text: blockWords.firsts.text }),
  quote: () => ({ text: blockWords.firsts.text }),
  list: () => ({ items: [blockWords.firsts.item] }),
  image: () => ({ src: address }),
  image_text: () => ({ src: address, text: blockWords.firsts.text }),
  button: () => ({ text: blockWords.firsts.button, url: address }),
  columns: () => ({ columns: [[newBlock('text')], [newBlock('text')]] }),
  divider: () => ({}),
  spacer: () => ({}),
  logo: () => ({ src: address, alt: blockWords.firsts.logo }),
  social: () => ({ links: [{ network: 'instagram', url: address }] }),
  product: () => ({ src: address, name: blockWords.firsts.product }),
  code: () => ({ code: blockWords.firsts.code }),
  receipt: () => ({ rows: [{ name: blockWords.firsts.item, price: '0' }] }),
  footer: () => ({}),
  feed: () => ({}),
  view_link: () => ({ align: 'center' }),
  mjml: () => ({ mjml: '<mj-text></mj-text>' }),
}

export const newBlock = (type: BlockType): Block => ({ type, ...firstFields[type]() })

/** Pixels of the content of a mail. A wider picture is shown as wide as that. */
const contentWidth = 536

/** A small picture keeps its own width, rather than being blown up to the width of the mail. */
export function pictureFields(
  { url, alt, width }: { url: string; alt?: string | null; width: number },
  before: Partial<Block> = {},
): Partial<Block> {
  return {
    src: url,
    width: width < contentWidth ? Math.max(width, 16) : undefined,
    ...(before.alt === undefined && !before.decorative && typeof alt === 'string' && { alt }),
  } as Partial<Block>
}

/** A link to the view in the browser stands first, where readers look for it. */
export function placeFor(type: BlockType, count: number, isInColumn: boolean): number {
  return type === 'view_link' && !isInColumn ? 0 : count
}

/** What the builder calls a block: its type, and the beginning of its words. */
export function nameOf(block: Block): string {
  if (block.type === 'feed') return blockWords.types.feed
  const said = block.name ?? block.code ?? block.text ?? block.items?.[0]
  const shown = said === undefined ? (block.alt ?? '') : wordsOf(said, chipName)
  return shown === '' ? blockWords.types[block.type] : withoutBrackets(shown).slice(0, 60)
}

/** What a mail of the gallery leaves to its owner, such as `[[Discount]]`, without its brackets. */
const withoutBrackets = (text: string) => text.replaceAll(/\[\[([^[\]]{1,80})\]\]/g, '$1')

/** The name of what a mail of the gallery asks for, where an address is nothing else. */
export function slotOfAddress(url = ''): string | undefined {
  return /^(?:https:\/\/)?\[\[([^[\]]{1,80})\]\]$/.exec(url)?.[1]?.replaceAll('-', ' ')
}

export function moved(blocks: readonly Block[], from: number, to: number): Block[] {
  const block = blocks[from]
  return block ? blocks.toSpliced(from, 1).toSpliced(to, 0, block) : [...blocks]
}

/** The block with these fields changed. A field without a value is left out. */
export function withFields(block: Block, change: Partial<Block>): Block {
  const entries = Object.entries({ ...block, ...change })
  const kept = entries.filter(([, value]) => value !== '' && value !== undefined && value !== false)
  const next = Object.fromEntries(kept) as unknown as Block
  keepKey(block, next)
  return next
}
