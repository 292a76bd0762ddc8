/** What preflight says of blocks that are not for all. Pure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Block } from '../../../templates/blocks/block.ts'
import { keyOfFilter } from '../../../templates/blocks/shown.ts'
import { blocksGate } from './blocks.ts'

const [vip, old] = [{ tag: 'vip' }, { tag: 'old' }]
const groupsOf = (counts: [(typeof vip)[], number][]) =>
  counts.map(([filters, count]) => ({ keys: new Set(filters.map(keyOfFilter)), count }))
const gateOf = (blocks: Block[], counts: [(typeof vip)[], number][]) =>
  blocksGate([{ blocks, groups: groupsOf(counts) }])

const text: Block = { type: 'text', text: 'Hello' }
const button: Block = { type: 'button', text: 'Go', url: 'https://a.test' }

test('it counts who sees each block that is not for all, and says nothing of other mails', () => {
  assert.equal(gateOf([text, button], [[[], 9]]), undefined)
  const columns: Block = { type: 'columns', columns: [[{ ...text, show_if: old }], [text]] }
  const gate = gateOf(
    [text, { ...text, show_if: vip }, columns, button],
    [
      [[vip], 2],
      [[vip, old], 3],
      [[], 5],
    ],
  )
  assert.equal(gate?.result, 'pass')
  assert.equal(
    gate?.evidence,
    'blocks[1] is seen by 5 of 10; blocks[2].columns[0][0] is seen by 3 of 10.',
  )
})

test('it warns if some would see nothing, or neither a button nor a link', () => {
  const both: Block[] = [
    { type: 'logo', src: 'https://a.test/l.png', alt: 'Shop', url: 'https://a.test' },
    { ...text, show_if: vip },
    { ...button, show_if: old },
    { type: 'divider' },
  ]
  const nothing = gateOf(both, [
    [[], 1],
    [[vip, old], 9],
  ])
  assert.equal(nothing?.result, 'warn')
  assert.match(nothing?.evidence ?? '', /1 recipient would see no block/)
  const idle = gateOf(both, [
    [[vip], 4],
    [[old], 6],
  ])
  assert.equal(idle?.result, 'warn')
  assert.match(idle?.evidence ?? '', /4 recipients would see neither a button nor a link/)
  const linked = [
    { ...text, text: '[Read](https://a.test)' },
    { ...button, show_if: old },
  ]
  assert.equal(
    gateOf(linked as Block[], [
      [[], 4],
      [[old], 1],
    ])?.result,
    'pass',
  )
  const unseen = gateOf([text, { ...text, show_if: vip }], [[[], 4]])
  assert.equal(unseen?.result, 'warn')
  assert.match(unseen?.evidence ?? '', /Nobody would see blocks\[1\]/)
  assert.equal(gateOf([text, { ...text, show_if: vip }], [[[vip], 4]])?.result, 'pass')
})
