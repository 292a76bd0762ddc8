import assert from 'node:assert/strict'
import test from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { escapeHtml, html } from './html.ts'

test('interpolated text is escaped, and markup made here is not escaped again', () => {
  const name = '<img src=x onerror=alert(1)>'
  assert.equal(
    String(html`<p>${name} ${html`<b>${'a & b'}</b>`}</p>`),
    '<p>&lt;img src=x onerror=alert(1)&gt; <b>a &amp; b</b></p>',
  )
})

test('a quote in a value cannot end an attribute', () => {
  assert.equal(
    String(html`<a title="${'" onclick="x'}" data-x='${"' y='"}'>z</a>`),
    `<a title="&quot; onclick=&quot;x" data-x='&#39; y=&#39;'>z</a>`,
  )
})

test('lists are joined, and false, null and undefined render as nothing', () => {
  assert.equal(
    String(html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}</ul>`),
    '<ul><li>1</li><li>2</li></ul>',
  )
  assert.equal(String(html`[${false}${null}${undefined}${0}${''}]`), '[0]')
})

test('a tag accepts markup such as a boolean attribute, but never a plain string', () => {
  assert.equal(String(html`<input${html` checked`}>`), '<input checked>')
  assert.equal(String(html`<input${false}>`), '<input>')
  assert.throws(() => html`<input value=${'x'}>`, /quotes/)
  assert.throws(() => html`<input ${'x'}>`, /quotes/)
  assert.throws(() => html`<p title="${html`<b>x</b>`}">`, /attribute/)
})

test('an object that imitates markup is escaped as text', () => {
  const forged = { toString: () => '<script>' } as unknown as string
  assert.equal(String(html`<p>${forged}</p>`), '<p>&lt;script&gt;</p>')
})

test('no character of any text can open a tag, start an entity or leave an attribute’s quotes', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", '=', ' ', 'a', ';', '#'),
  })
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (text) => {
      const page = String(html`<a title="${text}">${text}</a>`)
      const inside = /^<a title="([^"<>']*)">([^"<>']*)<\/a>$/s.exec(page)
      assert.ok(inside, page)
      assert.equal(plain(inside[1] ?? ''), text)
      assert.equal(plain(inside[2] ?? ''), text)
      assert.equal(inside[1], escapeHtml(text))
    }),
  )
})

function plain(text: string): string {
  const named: Record<string, string> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
  }
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => named[entity] ?? '')
}
