import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type OwnTemplates,
  ownTemplates,
} from '../../../../tests/support/businesses/own-templates.ts'
import { cpuMs } from '../../../../tests/support/processes/cpu-time.ts'
import { isRefusal } from '../../core/errors.ts'
import type { Block } from '../blocks/block.ts'
import { blockTypes } from '../blocks/types.ts'
import { ignoredBy } from './data.ts'
import { features, namesOf } from './features.ts'
import { judgeMail } from './judge.ts'

let templates: OwnTemplates
before(() => {
  templates = ownTemplates({ checkMs: 30_000, deadlineMs: 30_000 })
})
after(() => templates.close())

const fine = { flaws: [], lost: [], plainer: [], findings: new Map() }

test('what some mail programs ignore is said once, however often it is used', () => {
  const { flaws, lost, plainer } = judgeMail(
    '<p style="border-radius:8px">a</p><p style="border-radius: 4px; display:flex">b</p><video></video><img src="https://a.test/a.webp?b" alt=""><style>@import "x"</style>',
  )
  assert.deepEqual(flaws, [])
  assert.deepEqual(lost, [
    'Outlook for Windows, GMX and WEB.DE ignore flexbox.',
    'Gmail, Outlook for Windows, Outlook.com, Outlook for iOS, Yahoo Mail, GMX and WEB.DE ignore videos.',
    'Outlook for Windows ignores WebP pictures.',
  ])
  assert.deepEqual(plainer, [
    'Outlook for Windows, GMX and WEB.DE ignore rounded corners.',
    'Gmail, Outlook.com, Outlook for Mac, Outlook for iOS, Yahoo Mail, Samsung Email, Thunderbird, GMX and WEB.DE ignore @import.',
  ])
})

test('of what Outlook does not see it is not said that Outlook ignores it', () => {
  const flex = '<p style="display:flex">a</p>'
  const [others] = judgeMail(`<!--[if !mso]><!-->${flex}<!--<![endif]-->`).lost
  assert.equal(others, 'GMX and WEB.DE ignore flexbox.')
  assert.match(
    judgeMail(`<!--[if !mso]><!-->${flex}<!--<![endif]-->${flex}`).lost.join(),
    /Outlook/,
  )
  assert.deepEqual(judgeMail(`<!--[if mso]>${flex}<![endif]-->`), fine)
})

test('what mail programs drop is a flaw', () => {
  for (const [html, name] of [
    ['<script>alert(1)</script>', '<script>'],
    ['<form action="https://a.test"></form>', '<form>'],
    ['<input>', '<form>'],
    ['<textarea></textarea>', '<form>'],
    ['<iframe src="https://a.test"></iframe>', '<iframe>'],
    ['<a href=" java&#115;cript:alert(1)">a</a>', 'javascript:'],
    ['<p onclick="alert(1)">a</p>', 'code in attributes'],
  ] as const) {
    const [flaw] = judgeMail(html).flaws
    assert.match(flaw ?? '', new RegExp(`drop or block ${name},`), html)
  }
  assert.deepEqual(judgeMail('<p title="<script>">a &lt;form&gt; <!-- <iframe> --></p>'), fine)
})

test('conditional comments and the VML within them must be whole', () => {
  for (const whole of [
    '<!--[if mso]><v:roundrect href="https://a.test"><w:anchorlock/><center>a</center></v:roundrect><![endif]-->',
    '<!--[if mso]><v:rect><v:textbox><![endif]-->a<!--[if mso]></v:textbox></v:rect><![endif]-->',
    '<!--[if !mso]><!-->a<!--<![endif]-->',
    '<!--[if !mso]>-->a<![endif]-->',
    '<!--[if mso | IE]><table width="600"><tr><td><![endif]-->a<!--[if mso | IE]></td></tr></table><![endif]-->',
  ]) {
    assert.deepEqual(judgeMail(whole), fine, whole)
  }
  for (const open of [
    '<!--[if mso]>a',
    '<!--[if mso]>a-->',
    '<!--[if !mso]><!-->a',
    'a<!--<![endif]-->',
  ]) {
    assert.match(judgeMail(open).flaws.join(), /^A conditional comment for Outlook/, open)
  }
  for (const broken of ['<v:rect><v:textbox></v:rect>', '<v:rect>', '</v:rect>']) {
    assert.match(
      judgeMail(`<!--[if mso]>${broken}<![endif]-->`).flaws.join(),
      /^The VML for Outlook/,
      broken,
    )
  }
})

test('tables may be nested five deep, and 600 pixels be the width', () => {
  const nested = (depth: number) => '<table><tr><td>'.repeat(depth) + '</table>'.repeat(depth)
  assert.deepEqual(judgeMail(nested(5)), fine)
  assert.match(judgeMail(nested(6)).flaws.join(), /^Tables are nested 6 deep/)
  for (const narrow of [
    '<table width="600"></table>',
    '<table style="width:600px"></table>',
    '<table width="100%"></table>',
    '<img width="1200" style="width:100%;max-width:600px" alt="">',
    '<!--[if mso]><table width="700"></table><![endif]-->',
  ]) {
    assert.deepEqual(judgeMail(narrow).flaws, [], narrow)
  }
  for (const wide of [
    '<table width="601"></table>',
    '<td style="width: 640px">',
    '<div style="min-width:700px">',
  ]) {
    assert.match(judgeMail(wide).flaws.join(), /pixels wide/, wide)
  }
})

test('words without contrast are a flaw, in the light and where colours are inverted', () => {
  const words = (text: string, ground: string) =>
    judgeMail(`<div style="background:${ground}"><p style="color:${text}">Buy now</p></div>`).flaws
  assert.match(words('#ccc', '#ffffff').join(), /^“Buy now” is hard to read: .* is 1\.5,/)
  assert.match(words('#333333', '#000').join(), /hard to read/)
  for (const [text, ground] of [
    ['#000000', '#ffffff'],
    ['#ffffff', '#4338ca'],
    ['#000000', '#f59e0b'],
    ['#1d4ed8', '#ffffff'],
    ['#595959', 'white'],
    ['#eeeeee', '#ffffff url(https://a.test/a.png)'],
  ] as const) {
    assert.deepEqual(words(text, ground), [], `${text} on ${ground}`)
  }
  assert.deepEqual(judgeMail('<p style="color:#fff;display:none">hidden</p>'), fine)
})

const src = 'https://example.com/a.png'
const url = 'https://example.com/'
const text = 'Some words'
const samples: Record<(typeof blockTypes)[number], Block[]> = {
  heading: [{ type: 'heading', text }],
  text: [
    { type: 'text', text: '**b** [link](https://example.com/) [c]{color=accent}' },
    { type: 'text', text, background: '#1d4ed8' },
    { type: 'text', text, background: '#fde68a' },
  ],
  image: [{ type: 'image', src, alt: 'a', url }],
  button: [
    { type: 'button', text, url },
    { type: 'button', text, url, colour: '#f59e0b' },
  ],
  list: [{ type: 'list', items: [text], ordered: true }],
  quote: [{ type: 'quote', text, by: 'Ana' }],
  columns: [
    { type: 'columns', columns: [[{ type: 'text', text }], [{ type: 'button', text, url }]] },
  ],
  divider: [{ type: 'divider' }],
  spacer: [{ type: 'spacer' }],
  view_link: [{ type: 'view_link' }],
  mjml: [{ type: 'mjml', mjml: '<mj-text>a</mj-text>' }],
  logo: [{ type: 'logo', src, alt: 'Shop' }],
  social: [{ type: 'social', links: [{ network: 'x', url }] }],
  product: [{ type: 'product', src, name: 'Tea', price: '4', text, url, button: 'Buy' }],
  code: [{ type: 'code', code: 'A1', text }],
  image_text: [{ type: 'image_text', src, alt: 'a', text }],
  receipt: [{ type: 'receipt', rows: [{ name: 'Tea', quantity: '2', price: '4' }] }],
  footer: [{ type: 'footer', text }],
  feed: [{ type: 'feed', items: [{ title: text, url, text, src, about: text }], button: text }],
}

test('no block loses anything in any mail program that is judged', async () => {
  for (const type of blockTypes) {
    for (const block of samples[type]) {
      const compiled = await templates.check({ subject: 'Hi', blocks: [block] })
      assert.ok(!isRefusal(compiled))
      const { flaws, lost, plainer } = judgeMail(compiled.parts.html ?? '')
      const corners = 'Outlook for Windows, GMX and WEB.DE ignore rounded corners.'
      assert.deepEqual([flaws, lost, plainer], [[], [], [corners]], type)
    }
  }
})

test('every feature is in the data, and programs of a family have one name', () => {
  assert.deepEqual(
    [...new Set(features.map(({ feature }) => feature))].toSorted(),
    Object.keys(ignoredBy),
  )
  assert.deepEqual(namesOf('gGwcmiaA'), ['Gmail', 'Outlook', 'Apple Mail'])
  assert.deepEqual(namesOf('gw'), ['Gmail', 'Outlook for Windows'])
})

test('a mail made to be slow is read in linear time', () => {
  for (const piece of [
    '<!--[if mso]>',
    '<!--[if ',
    '<![endif]-->',
    '<p ',
    '<p><b>',
    '<a x="',
    '</p>',
    '<v:rect>',
    '<table><td>',
    '<style',
    '<p style="a:b;">x</p>',
  ]) {
    const start = cpuMs()
    judgeMail(piece.repeat(500_000 / piece.length))
    assert.ok(cpuMs() - start < 5_000, `${piece}: ${cpuMs() - start} ms`)
  }
})

test('a mail is judged up to its 20,000th tag and its 256,000th character', () => {
  const isFound = (before: string) =>
    judgeMail(`${before}<form></form>`).flaws.some((flaw) => /form/i.test(flaw))
  assert.ok(isFound('<p>'.repeat(19_999)))
  assert.ok(!isFound('<p>'.repeat(20_000)))
  assert.ok(isFound('a'.repeat(255_994)))
  assert.ok(!isFound('a'.repeat(256_000)))
})
