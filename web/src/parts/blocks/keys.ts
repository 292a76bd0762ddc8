/** Numbers by which blocks are known while they are changed and moved, so that they keep the focus. */
import type { Block } from './model.ts'

const keys = new WeakMap<Block, number>()
let lastKey = 0

export function keyOf(block: Block): number {
  const key = keys.get(block) ?? ++lastKey
  keys.set(block, key)
  return key
}

/** The changed block is still the same one. */
export function keepKey(block: Block, changed: Block): void {
  keys.set(changed, keyOf(block))
}
