/**
 * What a brand lays over the blocks of a mail: its header and footer, and in place of what an owner
 * has locked, the brand's own.
 */
import type { Brand } from '../../accounts/businesses/brand.ts'
import type { Block } from './block.ts'

/** A block with its place, such as `blocks[2]` or `brand.footer[0]`. */
export interface MailPart {
  block: Block
  at: string
}

export function laidOver(blocks: readonly Block[], brand: Brand | undefined): MailPart[] {
  const own = blocks.map((block, n) => ({ block, at: `blocks[${n}]` }))
  if (!brand) return own
  const locked = new Set(brand.locked)
  const hasLockedFooter = locked.has('footer') && (brand.footer ?? []).length > 0
  const mended = own
    .filter(({ at }) => !(hasLockedFooter && at === footerOf(blocks)))
    .map(({ block, at }) => ({ block: withoutLocked(block, brand), at }))
  const isAbove = mended[0]?.block.type === 'view_link'
  const above = isAbove ? mended.slice(0, 1) : []
  const rest = isAbove ? mended.slice(1) : mended
  // A mail that begins with a logo, or ends with social links, has a header or a footer already.
  const hasHeader = rest[0]?.block.type === 'logo'
  const hasFooter = !hasLockedFooter && footerOf(blocks) !== undefined
  const header = hasHeader ? [] : placed(brand.header, 'header')
  return [...above, ...header, ...rest, ...(hasFooter ? [] : placed(brand.footer, 'footer'))]
}

function placed(blocks: readonly object[] = [], part: 'header' | 'footer'): MailPart[] {
  return blocks.map((block, n) => ({ block: block as Block, at: `brand.${part}[${n}]` }))
}

/** The place of the social links that a mail ends with. */
function footerOf(blocks: readonly Block[]): string | undefined {
  return blocks.at(-1)?.type === 'social' ? `blocks[${blocks.length - 1}]` : undefined
}

export interface LockFault {
  field: string
  rule: string
}

/** The first thing of a mail that an owner has locked. */
export function lockFault(blocks: readonly Block[], brand: Brand): LockFault | undefined {
  const footer = footerOf(blocks)
  if (brand.locked.includes('footer') && footer !== undefined && brand.footer?.length) {
    return { field: footer, rule: 'is a footer of its own, and an owner has locked the footer' }
  }
  for (const [block, at] of withinColumns(blocks)) {
    const type = block.type
    if (type === 'mjml') {
      return { field: `${at}.type`, rule: "is raw MJML, which would bypass the owner's locks" }
    }
    for (const key of lockedKeys(block, brand)) {
      const part = key === 'src' ? 'the logo' : 'the colours'
      return { field: `${at}.${key}`, rule: `is not of the brand, and an owner has locked ${part}` }
    }
  }
  return undefined
}

function withinColumns(blocks: readonly Block[], at = 'blocks'): [block: Block, at: string][] {
  return blocks.flatMap((block, n): [Block, string][] => {
    const path = `${at}[${n}]`
    if (block.type !== 'columns') return [[block, path]]
    const inside = block.columns.flatMap((column, m) =>
      withinColumns(column, `${path}.columns[${m}]`),
    )
    return [[block, path], ...inside]
  })
}

/** The fields of a block that are another's than the brand's although they are locked. */
function lockedKeys(block: Block, { locked, colours }: Brand): ('colour' | 'background' | 'src')[] {
  const isOfBrand = (colour: string) => colours.some(({ value }) => value === colour.toLowerCase())
  const keys = (['colour', 'background'] as const).filter((key) => {
    const colour = key in block ? (block as { [field in typeof key]?: string })[key] : undefined
    return locked.includes('colours') && colour !== undefined && !isOfBrand(colour)
  })
  const hasLogo = block.type === 'logo' && block.src !== undefined && locked.includes('logo')
  return hasLogo ? [...keys, 'src'] : keys
}

function withoutLocked(block: Block, brand: Brand): Block {
  const keys: readonly string[] = lockedKeys(block, brand)
  const others = Object.fromEntries(Object.entries(block).filter(([key]) => !keys.includes(key)))
  const rest = others as unknown as Block
  if (rest.type !== 'columns') return rest
  const columns = rest.columns.map((column) => column.map((leaf) => withoutLocked(leaf, brand)))
  return { ...rest, columns: columns as typeof rest.columns }
}
