/** How many see each block that is not for all, and whether somebody would see nothing. */
import type { Block } from '../../../templates/blocks/block.ts'
import { filtersIn, keyOfFilter } from '../../../templates/blocks/shown.ts'
import { blockTraits } from '../../../templates/blocks/types.ts'
import type { Finding, Gate } from './gate.ts'

/** One variant in one language. */
export interface ShownMail {
  blocks: readonly Block[]
  /** How many recipients fit exactly these filters, by their keys. */
  groups: readonly { keys: ReadonlySet<string>; count: number }[]
}

/** Undefined for mails that show every block to all. */
export function blocksGate(mails: readonly ShownMail[]): Gate | undefined {
  const gate = 'blocks'
  const faults = mails.flatMap(seenIn)
  if (faults.length === 0) return undefined
  const evidence = `${faults.map(({ sentence }) => sentence).join('; ')}.`
  const seen = faults.map(({ sentence: _sentence, ...finding }) => finding)
  const nothing = Math.max(...mails.map((mail) => countWhere(mail, saysNothing)))
  if (nothing > 0) {
    return {
      gate,
      result: 'warn',
      evidence: `${evidence} ${people(nothing)} would see no block of it at all.`,
      findings: [{ finding: 'sees_nothing', people: nothing }, ...seen],
      remedy: 'Show one block to everybody, or narrow the audience to those who see something.',
    }
  }
  const unseen = new Set(mails.flatMap(unseenIn))
  if (unseen.size > 0) {
    return {
      gate,
      result: 'warn',
      evidence: `${evidence} Nobody would see ${[...unseen].join(', ')}.`,
      findings: [{ finding: 'block_unseen', count: unseen.size }, ...seen],
      remedy: 'Mend the filter of the block, or delete the block.',
    }
  }
  const idle = Math.max(...mails.map((mail) => countWhere(mail, hasLostItsActions)))
  if (idle === 0) return { gate, result: 'pass', evidence }
  return {
    gate,
    result: 'warn',
    evidence: `${evidence} ${people(idle)} would see neither a button nor a link.`,
    findings: [{ finding: 'no_action', people: idle }, ...seen],
    remedy: 'Show a button to everybody, or another one to those who do not see this one.',
  }
}

const people = (count: number) => (count === 1 ? '1 recipient' : `${count} recipients`)

function seenIn(mail: ShownMail): (Finding & { sentence: string })[] {
  const all = mail.groups.reduce((sum, { count }) => sum + count, 0)
  return countsOf(mail).map(([path, seen]) => ({
    finding: 'block_seen',
    place: Number(/\d+/.exec(path)?.[0] ?? 0) + 1,
    seen,
    all,
    sentence: `${path} is seen by ${seen} of ${all}`,
  }))
}

/** Blocks that nobody sees, although somebody gets the mail. */
const unseenIn = (mail: ShownMail) =>
  countsOf(mail).flatMap(([path, seen]) => (seen === 0 && mail.groups.length > 0 ? [path] : []))

function countsOf({ blocks, groups }: ShownMail): [path: string, seen: number][] {
  return [...filtersIn(blocks)].map(([key, { path }]) => [
    path,
    groups.reduce((sum, { keys, count }) => sum + (keys.has(key) ? count : 0), 0),
  ])
}

function countWhere(mail: ShownMail, is: (seen: Block[], mail: ShownMail) => boolean): number {
  return mail.groups.reduce(
    (sum, { keys, count }) => sum + (is(seenBy(mail.blocks, keys), mail) ? count : 0),
    0,
  )
}

/** The blocks that somebody sees, those within columns one by one. */
function seenBy(blocks: readonly Block[], keys: ReadonlySet<string> | 'all'): Block[] {
  return blocks.flatMap((block) => {
    const { show_if: filter } = block
    if (filter && keys !== 'all' && !keys.has(keyOfFilter(filter))) return []
    return block.type === 'columns' ? seenBy(block.columns.flat(), keys) : [block]
  })
}

const saysNothing = (seen: Block[]) => seen.every(({ type }) => blockTraits[type].isSilent)

/** A mail that never asks for anything lacks nothing. */
const hasLostItsActions = (seen: Block[], { blocks }: ShownMail) =>
  !seen.some(leads) && seenBy(blocks, 'all').some(leads)

function leads(block: Block): boolean {
  if ('url' in block && block.url !== undefined) return block.type !== 'logo'
  if (block.type === 'mjml') return block.mjml.includes('href')
  const texts = block.type === 'list' ? block.items : 'text' in block ? [block.text ?? ''] : []
  return texts.some((text) => text.includes(']('))
}
