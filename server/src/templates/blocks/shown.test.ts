/** Blocks that only some recipients see, as they come out of the template. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type OwnTemplates,
  ownTemplates,
} from '../../../../tests/support/businesses/own-templates.ts'
import { refused } from '../../../../tests/support/refused.ts'
import { isRefusal } from '../../core/errors.ts'
import { shownName } from '../variables.ts'
import type { Block } from './block.ts'
import { filtersIn, keyOfFilter } from './shown.ts'

let templates: OwnTemplates
before(() => {
  templates = ownTemplates({ checkMs: 30_000, deadlineMs: 30_000 })
})
after(() => templates.close())

const [vip, new_, old] = [{ tag: 'vip' }, { tag: 'new' }, { not: { tag: 'new' } }]

const blocks: Block[] = [
  { type: 'view_link', show_if: vip },
  { type: 'heading', text: 'For all' },
  { type: 'text', text: 'For VIPs', background: '#eef2ff', show_if: vip },
  { type: 'text', text: 'Also for all' },
  {
    type: 'columns',
    columns: [
      [
        { type: 'text', text: 'Left new', show_if: new_ },
        { type: 'text', text: 'Left all' },
      ],
      [{ type: 'button', text: 'Old', url: 'https://shop.example/old', show_if: old }],
    ],
  },
  {
    type: 'columns',
    show_if: old,
    columns: [
      [{ type: 'text', text: 'Old left' }],
      [{ type: 'text', text: 'Old VIP', show_if: vip }],
    ],
  },
  { type: 'image_text', src: 'https://a.test/a.png', alt: 'A', text: 'Beside', show_if: new_ },
  { type: 'mjml', mjml: '<mj-text>By MJML</mj-text>', show_if: vip },
  { type: 'receipt', rows: [{ name: 'Tea', price: '3 €' }], show_if: vip },
  { type: 'button', text: 'Last', url: 'https://shop.example/last' },
]

async function mailFor(filters: object[]) {
  const compiled = await templates.check({ subject: 'Hi', blocks })
  assert.ok(!isRefusal(compiled), isRefusal(compiled) ? compiled.message : '')
  const fits = filters.map((filter) => [keyOfFilter(filter as typeof vip), true])
  const mail = await templates.render(compiled, {
    [shownName]: Object.fromEntries(fits),
    view_url: 'https://a.test/view',
  })
  assert.ok(!isRefusal(mail))
  return { html: mail.html ?? '', text: mail.text }
}

const words = [
  'view',
  'For all',
  'For VIPs',
  'Also for all',
  'Left new',
  'Left all',
  'Old',
  'Old left',
  'Old VIP',
  'Beside',
  'By MJML',
  'Tea',
  'Last',
]

test('a block is in the HTML and the text of whom its filter fits, and of nobody else', async () => {
  const seen = {
    nobody: ['For all', 'Also for all', 'Left all', 'Last'],
    vip: ['view', 'For all', 'For VIPs', 'Also for all', 'Left all', 'By MJML', 'Tea', 'Last'],
    old: ['For all', 'Also for all', 'Left all', 'Old', 'Old left', 'Last'],
    'old vip': words.filter((word) => !['Left new', 'Beside'].includes(word)),
    all: words,
  }
  const fits = { nobody: [], vip: [vip], old: [old], 'old vip': [old, vip], all: [vip, new_, old] }
  for (const [who, expected] of Object.entries(seen)) {
    const { html, text } = await mailFor(fits[who as keyof typeof fits])
    const inHtml = words.filter((word) =>
      word === 'view' ? html.includes('/view') : new RegExp(`>\\s*${word}\\s*<`).test(html),
    )
    const lines = text.split('\n').map((line) => line.trim())
    const inText = words.filter((word) =>
      word === 'view'
        ? text.includes('/view')
        : lines.some((line) => line.split(/ {2}| \[/)[0] === word),
    )
    assert.deepEqual(inHtml, expected, `${who}: HTML`)
    assert.deepEqual(inText, expected, `${who}: ${text}`)
    assert.ok(!text.includes('\n\n\n\n'), text)
    assert.equal(html.split('<table').length, html.split('</table').length, who)
    assert.equal(html.split('<!--[if').length, html.split('<![endif]').length, who)
  }
})

test('whoever would set the variable that decides is refused', async () => {
  for (const source of [
    { html: `<p>{% assign ${shownName} = 1 %}</p>` },
    { text: `{% capture ${shownName} %}{% endcapture %}` },
    { blocks: [{ type: 'text', text: `{% for ${shownName} in contact.tags %}{% endfor %}` }] },
  ] as const) {
    const { details } = refused(await templates.check({ subject: 'Hi', ...source } as never))
    assert.equal(details.field, Object.keys(source)[0])
  }
})

test('equal filters count once, each at the first block that has it', () => {
  const places = [...filtersIn(blocks)].map(([, { filter, path }]) => [filter, path])
  assert.deepEqual(places, [
    [vip, 'blocks[0]'],
    [new_, 'blocks[4].columns[0][0]'],
    [old, 'blocks[4].columns[1][0]'],
  ])
})
