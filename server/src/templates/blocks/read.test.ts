import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../../tests/support/refused.ts'
import { blockLimits } from './block.ts'
import { readBlocks } from './read.ts'
import { blockTypes } from './types.ts'

const url = 'https://shop.example'
const image = { type: 'image', src: `${url}/a.png` }

const frame = { background: '#eef2ff', padding: 'large' }

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
  { type: 'logo', src: `${url}/a.png`, alt: 'Shop', url, width: 100, align: 'left' },
  { type: 'social', links: [{ network: 'mastodon', url }], align: 'left' },
  {
    type: 'product',
    src: `${url}/a.png`,
    alt: 'A slice',
    name: 'Cake',
    price: '€ 4',
    text: 'Good',
    url,
    button: 'Order',
    width: 300,
    align: 'center',
  },
  { type: 'code', code: 'SPRING', text: 'Your code' },
  { ...image, type: 'image_text', alt: 'A cake', url, text: 'Good', side: 'right' },
  { ...image, type: 'image_text', decorative: true, text: 'Good' },
  {
    type: 'receipt',
    rows: [{ name: 'Cake', quantity: '2', price: '€ 8' }],
    totals: [{ name: 'Total', price: '€ 8' }],
  },
  { type: 'footer', text: 'Bread since 1974', align: 'left' },
  {
    type: 'feed',
    items: [{ title: 'Rye', url, text: 'Baked twice', src: `${url}/a.png`, about: 'Ana' }],
    hide: ['dates'],
    button: 'Read on',
  },
]
for (const block of whole as Record<string, unknown>[]) {
  const { type } = block
  if (type === 'spacer') block['background'] = frame.background
  else if (type !== 'view_link' && type !== 'mjml') Object.assign(block, frame)
}

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
    /cannot contain columns/,
  ],
  [
    {
      type: 'columns',
      columns: [
        [{ type: 'divider' }],
        [{ ...image, type: 'image_text', text: 'x', decorative: true }],
      ],
    },
    'blocks[0].columns[1][0].type',
    /image_text: columns cannot contain columns/,
  ],
  [{ type: 'heading', text: 'x', background: 'blue' }, 'blocks[0].background', /#eef2ff/],
  [{ type: 'heading', text: 'x', padding: 'huge' }, 'blocks[0].padding', /small, medium, large/],
  [{ type: 'spacer', padding: 'small' }, 'blocks[0].padding', /padding/],
  [{ type: 'view_link', background: '#eef2ff' }, 'blocks[0].background', /background/],
  [{ type: 'mjml', mjml: 'x', background: '#eef2ff' }, 'blocks[0].background', /background/],
  [{ type: 'logo', src: url }, 'blocks[0].alt', /alt/],
  [{ type: 'social', links: [] }, 'blocks[0].links', /empty/],
  [
    { type: 'social', links: [{ network: 'myspace', url }] },
    'blocks[0].links[0].network',
    /facebook, instagram/,
  ],
  [{ type: 'social', links: [{ network: 'x' }] }, 'blocks[0].links[0].url', /url/],
  [{ type: 'social', links: [{ network: 'x', url, alt: 'x' }] }, 'blocks[0].links[0].alt', /alt/],
  [{ type: 'product', src: url, name: 'x', button: 'Go' }, 'blocks[0].url', /where the button/],
  [{ type: 'product', src: url }, 'blocks[0].name', /name/],
  [{ type: 'code', text: 'x' }, 'blocks[0].code', /code/],
  [{ ...image, type: 'image_text', text: 'x' }, 'blocks[0].alt', /say what the image shows/],
  [
    { ...image, type: 'image_text', text: 'x', alt: 'x', side: 'top' },
    'blocks[0].side',
    /left, right/,
  ],
  [{ type: 'receipt', rows: [] }, 'blocks[0].rows', /empty/],
  [{ type: 'receipt', rows: [{ name: 'x' }] }, 'blocks[0].rows[0].price', /price/],
  [
    { type: 'receipt', rows: [{ name: 'x', price: '1', vat: '2' }] },
    'blocks[0].rows[0].vat',
    /vat/,
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

test('the contrast of text in a colour is that on the background of its block or its columns', () => {
  const text = { type: 'text', text: 'x', colour: '#ffee00' }
  readBlocks([{ ...text, background: '#111111' }])
  const [field, message] = fault([{ ...text, background: '#eef2ff' }])
  assert.equal(field, 'blocks[0].colour')
  assert.match(message, /on its background #eef2ff, and text needs 4\.5: choose another one/)
  const columns = [[text], [{ type: 'divider' }]]
  readBlocks([{ type: 'columns', columns, background: '#111111' }])
  assert.equal(fault([{ type: 'columns', columns }])[0], 'blocks[0].columns[0][0].colour')
})

const many = (count: number, entry: unknown) => Array<unknown>(count).fill(entry)
const { columns, imageWidth, logoWidth, spacerHeight } = blockLimits
const cell = [{ type: 'divider' }]
const sum = { name: 'x', price: '1' }

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
      ['nameLength', (name: string) => ({ type: 'product', src: url, name })],
      ['nameLength', (name: string) => ({ type: 'receipt', rows: [{ name, price: '1' }] })],
      ['priceLength', (price: string) => ({ type: 'product', src: url, name: 'x', price })],
      ['priceLength', (price: string) => ({ type: 'receipt', rows: [{ name: 'x', price }] })],
      ['codeLength', (code: string) => ({ type: 'code', code })],
      ['headingLength', (text: string) => ({ type: 'code', code: 'x', text })],
      ['itemLength', (text: string) => ({ type: 'product', src: url, name: 'x', text })],
      ['textLength', (text: string) => ({ ...image, type: 'image_text', alt: 'x', text })],
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
    'the widest logo',
    { ...image, type: 'logo', alt: 'x', width: logoWidth.most },
    { ...image, type: 'logo', alt: 'x', width: logoWidth.most + 1 },
  ],
  [
    'the narrowest logo',
    { ...image, type: 'logo', alt: 'x', width: logoWidth.least },
    { ...image, type: 'logo', alt: 'x', width: logoWidth.least - 1 },
  ],
  [
    'socialLinks',
    { type: 'social', links: many(blockLimits.socialLinks, { network: 'x', url }) },
    { type: 'social', links: many(blockLimits.socialLinks + 1, { network: 'x', url }) },
  ],
  [
    'receiptRows',
    { type: 'receipt', rows: many(blockLimits.receiptRows, sum) },
    { type: 'receipt', rows: many(blockLimits.receiptRows + 1, sum) },
  ],
  [
    'receiptTotals',
    { type: 'receipt', rows: [sum], totals: many(blockLimits.receiptTotals, sum) },
    { type: 'receipt', rows: [sum], totals: many(blockLimits.receiptTotals + 1, sum) },
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
