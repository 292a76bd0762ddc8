import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../tests/support/processes/cpu-time.ts'
import { findLinks } from '../lib/email/find-links.ts'
import { linkLimits, linkTagger, markHtml, markText } from './links.ts'

const marked = (html: string) => markHtml(html).write(() => 'https://t.test/c/x')

test('web links are counted as a browser understands them', () => {
  const page = `<a href="https://a.test/?x=1&amp;y=2">a</a><A class=b HREF = 'http://b.test/'>b</A>
<a
  title="a > b" href=https://c.test/p>c</a><area shape="rect" href="https://d.test/&#x41;" />`
  assert.deepEqual(
    markHtml(page).links.map(({ url }) => url),
    ['https://a.test/?x=1&y=2', 'http://b.test/', 'https://c.test/p', 'https://d.test/A'],
  )
  assert.equal(
    marked(page),
    `<a href="https://t.test/c/x">a</a><A class=b HREF = 'https://t.test/c/x'>b</A>
<a
  title="a > b" href=https://t.test/c/x>c</a><area shape="rect" href="https://t.test/c/x" />`,
  )
})

test('links that do not lead to the web, and text that is not a link, stay unchanged', () => {
  for (const page of [
    '<a href="mailto:ana@x.test">a</a><a href="tel:+331">b</a><a href="#top">c</a>',
    '<a href="javascript:alert(1)">a</a><a href="data:text/html,x">b</a><a href="ftp://x/">c</a>',
    '<a href="/relative">a</a><a href="">b</a><a href>c</a><a name="https://x.test/">d</a>',
    '<!-- <a href="https://x.test/"> --><!--<![endif]--><!--[if mso]><p>a</p><![endif]-->',
    '<style>a { content: "<a href=https://x.test/>" }</style><script>"<a href=https://x/>"</script>',
    '<abbr href="https://x.test/">a</abbr><link href="https://x.test/"><img src="https://x.test/">',
    '<a href="https://x.test/ [not',
    '<a href="http://[bad/">a</a>',
    '<!-- <a href="https://x/">',
    `<a href="https://x.test/${'y'.repeat(linkLimits.urlLength)}">long</a>`,
  ]) {
    assert.equal(marked(page), page)
  }
})

test('a button for Outlook is the same tracked link as the one beside it', () => {
  const page = '<!--[if mso]><v:rect href="U">a</v:rect><![endif]--><a href="U">a</a>'
  const { links, write } = markHtml(page.replaceAll('U', 'https://a.test/?x=1&amp;y=2'), {
    tag: linkTagger({ source: 'news' }, []),
  })
  assert.deepEqual(
    links.map(({ url }) => url),
    ['https://a.test/?x=1&y=2&utm_source=news'],
  )
  assert.equal(
    write(({ url }) => `https://t.test/${url.length}`),
    page.replaceAll('U', 'https://t.test/39'),
  )
})

test('the first href of a tag counts, and a repeated link is one link', () => {
  const { links } = markHtml(
    '<a href="https://a.test/" href="https://b.test/">a</a><a href="https://a.test">b</a>',
  )
  assert.deepEqual(
    links.map(({ url }) => url),
    ['https://a.test/'],
  )
})

test('links up to the limit are tracked, and those beyond it stay unchanged', () => {
  const page = (n: number) =>
    Array.from({ length: n }, (_, i) => `<a href="https://x.test/${i}">${i}</a>`).join('')
  assert.equal(markHtml(page(linkLimits.links)).links.length, linkLimits.links)
  const { links, write } = markHtml(page(linkLimits.links + 1))
  assert.equal(links.length, linkLimits.links)
  assert.ok(write(() => 'y').endsWith(`<a href="https://x.test/${linkLimits.links}">200</a>`))
})

test('a URL in plain text ends before the punctuation that ends its sentence', () => {
  const text = 'See https://a.test/x?y=1. Or (https://b.test/), or <https://c.test/d>!'
  const { links, write } = markText(text)
  assert.deepEqual(
    links.map(({ url }) => url),
    ['https://a.test/x?y=1', 'https://b.test/', 'https://c.test/d'],
  )
  assert.equal(
    write(() => 'U'),
    'See U. Or (U), or <U>!',
  )
})

test('a URL written into the page cannot break out of its attribute', () => {
  const page = `<a href="https://a.test/">a</a>`
  const out = markHtml(page).write(() => `https://t.test/"><script>`)
  assert.equal(out, '<a href="https://t.test/&quot;&gt;&lt;script&gt;">a</a>')
})

test('a page crafted to be slow to scan is scanned quickly', () => {
  const start = cpuMs()
  const pieces = [
    '<a ',
    '<a href',
    '<a href=',
    '<!--',
    '<style',
    '<a href="',
    '<a b=c ',
    '</style ',
  ]
  for (const piece of pieces) findLinks(piece.repeat(50_000))
  assert.ok(cpuMs() - start < 3_000, `${cpuMs() - start} ms`)
})
