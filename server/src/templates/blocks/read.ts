/** Reads blocks from a call: strictly, and with the place of the first fault. */
import { contrastOf, minimumContrast } from '../../accounts/settings/contrast.ts'
import { readFilter } from '../../contacts/filters/read.ts'
import { orThrow, type Refusal, refuse } from '../../core/errors.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { isObject } from '../../lib/text/i-json.ts'
import { type Block, blockLimits, blockSchemas, type Columns } from './block.ts'
import { type BlockType, blockTraits, blockTypes } from './types.ts'

const checks = Object.fromEntries(
  Object.entries(blockSchemas).map(([type, schema]) => [type, schemaCheck(schema, 'block')]),
) as Record<BlockType, ReturnType<typeof schemaCheck>>

export function readBlocks(input: readonly unknown[]): Block[] {
  if (input.length > blockLimits.blocks) throw tooMany()
  // Before the blocks are examined one by one, so that no list takes long.
  if (JSON.stringify(input).length > blockLimits.length) {
    throw no('blocks', `can be at most ${blockLimits.length} characters of JSON together.`, {
      reason: 'blocks_too_long',
    })
  }
  checkAll(input, 'blocks', { within: false })
  const blocks = input as Block[]
  if (countOf(blocks) > blockLimits.blocks) throw tooMany()
  return blocks
}

interface Level {
  /** Whether the blocks stand within columns. */
  within: boolean
  /** What is behind them, if it is not white. */
  ground?: string | undefined
}

function checkAll(blocks: readonly unknown[], at: string, level: Level): void {
  for (const [n, block] of blocks.entries()) checkBlock(block, `${at}[${n}]`, level)
}

function checkBlock(block: unknown, at: string, level: Level): void {
  if (!isObject(block)) throw no(at, 'must be an object with a type.')
  const type = blockTypes.find((blockType) => blockType === block['type'])
  if (!type) throw no(`${at}.type`, `must be one of ${blockTypes.join(', ')}.`)
  if (level.within && blockTraits[type].isWide) {
    throw no(
      `${at}.type`,
      `is ${type}: columns cannot contain columns, nor blocks that are laid out in columns.`,
      { reason: 'columns_in_columns' },
    )
  }
  orThrow(checks[type](block, at))
  if (block['show_if'] !== undefined) readFilter(block['show_if'], `${at}.show_if`)
  checkRules(block as unknown as Block, at, level)
}

function checkRules(block: Block, at: string, { ground }: Level): void {
  if (block.type === 'columns') {
    for (const [n, column] of block.columns.entries()) {
      checkAll(column, `${at}.columns[${n}]`, { within: true, ground: block.background })
    }
  }
  if (block.type === 'image' || block.type === 'image_text') checkAlt(block, at)
  if (block.type === 'heading' || block.type === 'text') {
    checkContrast({ background: ground, ...block }, at)
  }
  if (block.type === 'logo' && block.src !== undefined && block.alt === undefined) {
    throw no(`${at}.alt`, 'is missing: say the name that the logo shows.', { reason: 'missing' })
  }
  if (block.type === 'product' && block.button !== undefined && block.url === undefined) {
    throw no(`${at}.url`, 'is missing: say where the button leads, or leave the button out.', {
      reason: 'button_without_link',
    })
  }
}

interface PictureFields {
  alt?: string
  decorative?: boolean
  url?: string
}

function checkAlt({ alt, decorative = false, url }: PictureFields, at: string): void {
  if (alt === undefined && !decorative) {
    const rule = 'is missing: say what the image shows, or set decorative to true if it only'
    throw no(`${at}.alt`, `${rule} decorates.`, { reason: 'picture_without_text' })
  }
  if (alt !== undefined && decorative) {
    throw no(`${at}.decorative`, 'is true, and alt is there: leave one of them out.')
  }
  if (decorative && url !== undefined) {
    throw no(`${at}.url`, 'needs alt: a link without words tells nobody where it leads.', {
      reason: 'picture_without_text',
    })
  }
}

/** Text stands on white or on the background of its block. In dark mode it has the colour of dark mode. */
function checkContrast(
  { colour, background }: { colour?: string; background?: string | undefined },
  at: string,
): void {
  if (colour === undefined) return
  const ratio = contrastOf(colour, background ?? '#ffffff')
  if (ratio >= minimumContrast) return
  const rounded = (Math.floor(ratio * 10) / 10).toFixed(1)
  const where = background === undefined ? 'white' : `its background ${background}`
  const mend = background === undefined ? 'a darker one' : 'another one'
  const rule = `has a contrast of ${rounded} on ${where}, and text needs ${minimumContrast}: choose ${mend}.`
  throw no(`${at}.colour`, rule, { reason: 'no_colour' })
}

function countOf(blocks: readonly Block[]): number {
  const inside = ({ columns }: Columns) => columns.reduce((sum, { length }) => sum + length, 0)
  return blocks.reduce((sum, block) => sum + 1 + (block.type === 'columns' ? inside(block) : 0), 0)
}

function tooMany(): Refusal {
  return no('blocks', `must be at most ${blockLimits.blocks}, those within columns included.`, {
    reason: 'too_many_blocks',
    limit: blockLimits.blocks,
  })
}

function no(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}
