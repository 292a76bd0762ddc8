/** Parts of a template in one language, and how those that a call gives change them. */
import type { Block } from './blocks/block.ts'
import { type Part, parts } from './source.ts'

export interface Parts extends Partial<Record<Part, string>> {
  blocks?: Block[]
}

export const fields = [...parts, 'blocks'] as const

/** Fields of which a mail has one. A new one replaces the others and the text made for them. */
const bodies = ['html', 'mjml', 'blocks'] as const

/** In a fixed order, so that the same source gives the same JSON. */
export function changedSource(before: Parts, input: Parts): Parts {
  const source: Parts = {}
  for (const part of parts) {
    const text = input[part] ?? (isReplaced(part, before, input) ? undefined : before[part])
    if (text !== undefined && text !== '') source[part] = text
  }
  const blocks = input.blocks ?? (isReplaced('blocks', before, input) ? undefined : before.blocks)
  if (blocks !== undefined && blocks.length > 0) source.blocks = blocks
  return source
}

function isReplaced(field: Part | 'blocks', before: Parts, input: Parts): boolean {
  const given = bodies.filter((body) => isGiven(input[body]))
  if (field === 'text') {
    return given.some((body) => JSON.stringify(input[body]) !== JSON.stringify(before[body]))
  }
  return bodies.some((body) => body === field) && given.some((body) => body !== field)
}

const isGiven = (body: string | Block[] | undefined) => body !== undefined && body.length > 0
