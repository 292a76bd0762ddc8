import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../../tests/support/refused.ts'
import { blockLimits } from './block.ts'
import { readBlocks } from './read.ts'
import { blockTypes } from './types.ts'

const url = 'https://shop.example'
const image = { type: 'image', src: `${url}/a.png` }

const whole: object[] = [
  { type: 'heading', text: 'News', level: 1, align: 'center', colour: '#1d4ed8' },
  { type: 'text', text: 'Hello', align: 'right', colour: '#24242b' },
  { ...image, alt: 'A cake', url, width: 300, align: 'left' },
  { ...image, decorative: true },
  { type: 'button', text: 'Order', url, align: 'center', colour: '#ffee00' },
  { type: 'list', items: ['One', 'Two'], ordered: true },
  { type: 'quote', text: 'Good', by: 'Ana' },
  { type: 'columns', columns: [[{ type: 'divider' }], [{ type: 'text', text: 'Right' }]] },
  { type: 'divider' },
  { type: 'spacer', height: 40 },
  { type: 'view_link', text: 'See it as a page', align: 'center' },
  { type: 'mjml', mjml: '<mj-text>Hi</mj-text>' },
]

test('blocks of every type with all of their fields are accepted', () => {
  assert.deepEqual(readBlocks(whole), whole)
  const types = whole.map((block) => (block as { type: string }).type)
  assert.deepEqual([...new Set(types)], blockTypes)
})

function fault(blocks: readonly unknown[]): [string | undefined, string] {
  const { details, message } = refusedBy(() => readBlocks(blocks))
  return [details.field, message]
}

const faults: [block: unknown, field: string, message: RegExp][] = [
  ['heading', 'blocks[0]', /must be an object/],
  [{}, 'blocks[0].type', /must be one of heading, text, image/],
  [{ type: 'table' }, 'blocks[0].type', /must be one of/],
  [{ type: 'heading' }, 'blocks[0].text', /text/],
  [{ type: 'heading', text: '' }, 'blocks[0].text', /must not be empty/],
  [{ type: 'heading', text: 'x', level: 4 }, 'blocks[0].level', /at most 3/],
  [{ type: 'text', text: 'x', html: '<b>' }, 'blocks[0].html', /html/],
  [{ type: 'text', text: 'x', colour: 'red' }, 'blocks[0].colour', /#1d4ed8/],
  [{ type: 'text', text: 'x', align: 'middle' }, 'blocks[0].align', /left, center, right/],
  [image, 'blocks[0].alt', /say what the image shows, or set decorative to true/],
  [{ ...image, decorative: false }, 'blocks[0].alt', /is missing/],
  [{ ...image, alt: 'x', decorative: true }, 'blocks[0].decorative', /leave one of them out/],
  [{ ...image, decorative: true, url }, 'blocks[0].url', /needs alt/],
  [{ type: 'button', text: 'x' }, 'blocks[0].url', /url/],
  [{ type: 'view_link', url }, 'blocks[0].url', /url/],
  [{ type: 'view_link', text: '' }, 'blocks[0].text', /must not be empty/],
  [
    { type: 'columns', columns: [[{ type: 'divider' }], []] },
    'blocks[0].columns[1]',
    /must not be empty/,
  ],
  [
    { type: 'columns', columns: [[{ type: 'divider' }], [{ type: 'columns', columns: [] }]] },
    'blocks[0].columns[1][0].type',
    /take no columns/,
  ],
  [
    { type: 'columns', columns: [[{ type: 'divider' }], [{ type: 'text' }]] },
    'blocks[0].columns[1][0].text',
    /text/,
  ],
]

for (const [block, field, message] of faults) {
  test(`${JSON.stringify(block)} is refused at ${field}`, () => {
    const [at, text] = fault([block])
    assert.equal(at, field)
    assert.match(text, message)
  })
}

test('text in a colour that is hard to read on white is refused with its contrast', () => {
  const text = (colour: string) => [{ type: 'text', text: 'x', colour }]
  // The greys on both sides of a contrast of 4.5.
  readBlocks(text('#767676'))
  const [field, message] = fault(text('#777777'))
  assert.equal(field, 'blocks[0].colour')
  assert.match(message, /has a contrast of 4\.4 on white, and text needs 4\.5/)
})

const many = (count: number, entry: unknown) => Array<unknown>(count).fill(entry)
const { columns, imageWidth, spacerHeight } = blockLimits
const cell = [{ type: 'divider' }]

/** A block at its limit, and one beyond it. */
const edges: [name: string, most: object, more: object][] = [
  ...(
    [
      ['headingLength', (text: string) => ({ type: 'heading', text })],
      ['textLength', (text: string) => ({ type: 'text', text })],
      ['itemLength', (text: string) => ({ type: 'list', items: [text] })],
      ['buttonLength', (text: string) => ({ type: 'button', text, url })],
      ['urlLength', (text: string) => ({ type: 'button', text: 'x', url: text })],
      ['altLength', (alt: string) => ({ ...image, alt })],
      ['mjmlLength', (mjml: string) => ({ type: 'mjml', mjml })],
    ] as const
  ).map(([name, block]): [string, object, object] => [
    name,
    block('x'.repeat(blockLimits[name])),
    block('x'.repeat(blockLimits[name] + 1)),
  ]),
  [
    'items',
    { type: 'list', items: many(blockLimits.items, 'x') },
    { type: 'list', items: many(blockLimits.items + 1, 'x') },
  ],
  [
    'the most columns',
    { type: 'columns', columns: many(columns.most, cell) },
    { type: 'columns', columns: many(columns.most + 1, cell) },
  ],
  [
    'the fewest columns',
    { type: 'columns', columns: many(columns.least, cell) },
    { type: 'columns', columns: many(columns.least - 1, cell) },
  ],
  [
    'the widest image',
    { ...image, alt: 'x', width: imageWidth.most },
    { ...image, alt: 'x', width: imageWidth.most + 1 },
  ],
  [
    'the narrowest image',
    { ...image, alt: 'x', width: imageWidth.least },
    { ...image, alt: 'x', width: imageWidth.least - 1 },
  ],
  [
    'the highest spacer',
    { type: 'spacer', height: spacerHeight.most },
    { type: 'spacer', height: spacerHeight.most + 1 },
  ],
  [
    'the lowest spacer',
    { type: 'spacer', height: spacerHeight.least },
    { type: 'spacer', height: spacerHeight.least - 1 },
  ],
]

for (const [name, most, more] of edges) {
  test(`a block at its limit is accepted and one beyond it is refused: ${name}`, () => {
    readBlocks([most])
    refusedBy(() => readBlocks([more]))
  })
}

test('a mail takes 100 blocks, those within columns included', () => {
  const { blocks } = blockLimits
  const divider = { type: 'divider' }
  const pair = { type: 'columns', columns: [cell, cell] }
  readBlocks(many(blocks, divider))
  readBlocks([pair, ...many(blocks - 3, divider)])
  assert.match(fault([pair, ...many(blocks - 2, divider)])[1], /at most 100, those within columns/)
  assert.match(fault(many(blocks + 1, divider))[1], /at most 100/)
})

test('blocks together take at most 262,144 characters of JSON', () => {
  const { length, mjmlLength } = blockLimits
  const mjml = (size: number) => ({ type: 'mjml', mjml: 'x'.repeat(size) })
  const empty = JSON.stringify([mjml(0), mjml(0), mjml(0), mjml(0)]).length
  const last = length - empty - 3 * mjmlLength
  const three = many(3, mjml(mjmlLength))
  readBlocks([...three, mjml(last)])
  assert.match(fault([...three, mjml(last + 1)])[1], /at most 262144 characters/)
})
