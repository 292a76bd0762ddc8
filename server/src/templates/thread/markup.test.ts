import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../tests/support/processes/cpu-time.ts'
import { inlined, textOfHtml } from './markup.ts'
import { fromMjml } from './mjml.ts'

const flat = (text: string) => text.replaceAll(/\s+/g, ' ').replaceAll('; }', ' }')
const styled = (css: string) =>
  flat(
    inlined(
      `<html><head><style>${css}</style></head><body class="body"><p class="a">Hi</p></body></html>`,
    ),
  )

test('rules that a mail program enables by its own elements stay in the style sheet', () => {
  for (const rule of [
    '[data-ogsc] .a { color: #fff!important }',
    'u + .body .a { font-size: 17px }',
    'a[x-apple-data-detectors] { color: inherit!important }',
    '#MessageViewBody a { color: inherit }',
    '.ExternalClass p { line-height: 100% }',
    '#outlook a { padding: 0 }',
    '.moz-text-html .a { color: #222 }',
    '.a:hover { color: red }',
    '.a::before { content: "}" }',
    '.a:after { content: "a,b" }',
    '@supports (display:grid) { .a { display: grid } }',
    '@supports (display:grid) { @media (width > 1px) { .a { color: blue } } }',
    '@import url("https://fonts.example.com/css;x");',
    "@import 'https://fonts.example.com/css';",
    '@media (max-width:600px) { .a { width: 100%!important } }',
    '@font-face { font-family: x; src: url(y) }',
    '@keyframes k { from { top: 0 } }',
    '@layer x { .a { top: 0 } }',
    '@container (width > 1px) { .a { top: 0 } }',
    ':root { --accent: red }',
    '.a { top: 0; &:hover { top: 1px } }',
  ]) {
    const page = styled(`p { margin: 0 } ${rule} .none { top: 2px }`)
    assert.ok(page.includes(rule), `${rule} is not in ${page}`)
    assert.ok(page.includes('.none { top: 2px }'), page)
    assert.ok(/<p class="a" style="(?:[^"]* )?margin: 0;/.test(page), page)
  }
})

test('rules that match an element move to it and leave the style sheet', () => {
  const page = styled('p { margin: 0 } .a, .b p { top: 1px } .a, .a::before { left: 2px }')
  assert.match(page, /<p class="a" style="margin: 0; top: 1px; left: 2px;">/)
  assert.match(page, /<style>\.b p \{ top: 1px \} \.a::before \{ left: 2px \}<\/style>/)
  assert.doesNotMatch(styled('<!-- p { margin: 0 } -->'), /<style/)
})

test('style sheets for some media, for embedding and in comments are left alone', () => {
  for (const sheet of [
    '<style media="(max-width: 9px)">p { top: 1px }</style>',
    '<style data-embed>p { top: 1px }</style>',
    '<!--[if mso]><style>p, p::before { top: 1px } @media x { p { top: 0 } }</style><![endif]-->',
  ]) {
    const page = inlined(`${sheet}<style>p { left: 0 }</style><p>a</p>`)
    assert.equal(page, `${sheet.replace(' data-embed', '')}<p style="left: 0;">a</p>`)
  }
  assert.match(
    inlined('<style media="screen">p { top: 1px }</style><p>a</p>'),
    /<p style="top: 1px;">/,
  )
})

test('mj-style keeps rules for particular mail programs', async () => {
  const rules = [
    '[data-ogsc] .a { color: #fff!important }',
    'u + .body .a { font-size: 17px }',
    'a[x-apple-data-detectors] { color: inherit!important }',
  ]
  const mjml = `<mjml><mj-head><mj-style>${rules.join(' ')} .a { top: 0 }</mj-style></mj-head><mj-body><mj-section><mj-column><mj-text css-class="a">Hi</mj-text></mj-column></mj-section></mj-body></mjml>`
  const page = flat(inlined(await fromMjml(mjml)))
  for (const rule of rules) assert.ok(page.includes(rule), page)
  assert.match(page, /<td align="left" class="a" style="[^"]*top: 0;/)
})

test('style sheets made to be slow are read in linear time', () => {
  for (const piece of ['@media a{', 'a{', '}', '"', '/*', '(', ',', '@x;', "'\\", '@a', '<!--']) {
    const start = cpuMs()
    inlined(`<style>${piece.repeat(200_000 / piece.length)}</style><p>a</p>`)
    assert.ok(cpuMs() - start < 5_000, `${piece}: ${cpuMs() - start} ms`)
  }
})

test('in the text part cells, terms, options and adjacent links stand apart', () => {
  const cases: [html: string, text: string][] = [
    [
      '<table><tr><td>Tea</td><td>4.50</td></tr><tr><td>Total</td><td>45.00</td></tr></table>',
      'Tea 4.50\nTotal 45.00',
    ],
    ['<table><thead><tr><th>What</th><th>Price</th></tr></thead></table>', 'What Price'],
    ['<table><tr><td><p>A</p></td><td><p>B</p></td></tr></table>', 'A\n\nB'],
    ['<table><tr><td>A</td><td></td><td>B.</td></tr></table>!', 'A B.\n\n!'],
    ['<dl><dt>Tea</dt><dd>4.50</dd><dt>Milk</dt><dd>1</dd></dl>', 'Tea\n4.50\nMilk\n1'],
    ['<select><option>One</option><option>Two</option></select>', 'One\nTwo'],
    ['<address>A</address><center>B</center><figcaption>C</figcaption>', 'A\nB\nC'],
    [
      '<a href="https://a.test/">One</a><a href="https://b.test/">Two</a><!-- --><a href="#c">3</a>.',
      'One [https://a.test/] Two [https://b.test/] 3.',
    ],
    ['<a href="https://a.test/">One</a>, two', 'One [https://a.test/], two'],
  ]
  for (const [html, text] of cases) assert.equal(textOfHtml(html), text)
})

test('in the text part an image that is a link is its alternative text', () => {
  const cases: [html: string, text: string][] = [
    ['<a href="https://a.test/"><img src="b.png" alt="Buy now"></a>', 'Buy now [https://a.test/]'],
    ['<a href="https://a.test/"><b><img alt="Shop"></b>Buy</a>', 'Shop Buy [https://a.test/]'],
    ['<a href="https://a.test/"><img src="b.png" alt=""></a>', 'https://a.test/'],
    ['<p>Hi <img src="b.png" alt="A cake"> there</p>', 'Hi there'],
  ]
  for (const [html, text] of cases) assert.equal(textOfHtml(html), text)
})
