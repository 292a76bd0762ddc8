/** Marking a page in pieces gives the same result as marking the whole page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../tests/support/processes/cpu-time.ts'
import { fc } from '../../../tests/support/properties.ts'
import { Scratch } from '../lib/email/message-scratch.ts'
import {
  cut,
  type PiecedText,
  type SharedPiece,
  textOf,
  writeQuoted,
} from '../lib/email/quoted-printable.ts'
import { linkTagger, markHtml, markPage, spliced } from './links.ts'
import { atEnd } from './track-mail.ts'

/** Whatever makes a link or breaks one, in pieces that combine in every wrong way. */
const scraps = [
  '<a href="https://a.test/x">',
  '<a class="b" href=\'https://b.test/?x=1&amp;y=2\'>',
  '<a href=https://c.test/y>',
  '<a href="',
  '<a title="',
  "<a title='>",
  '<a ',
  '<a',
  '<area shape=x ',
  '<',
  ' href=',
  'https://d.test/',
  'https://e.test',
  '"',
  "'",
  '>',
  ' ',
  '\n',
  '=',
  '/',
  '<!--',
  '<!',
  '-->',
  '<!---->',
  '<!--[if mso]>',
  '<!--[if !mso]><!-->',
  '<![endif]-->',
  '<v:roundrect href="',
  '<v:rou',
  'ndrect ',
  '<style>',
  '<sty',
  'le',
  '</style>',
  '<script>',
  '</script ',
  '<title>',
  '</title>',
  '</a>',
  '<b>word</b>',
  'Wörter İ 漢字',
  '</body>',
  '</bo',
  'dy>',
  '</BODY>',
]

const page = fc.array(
  fc.record({
    text: fc.array(fc.constantFrom(...scraps), { maxLength: 6 }).map((all) => all.join('')),
    isFixed: fc.boolean(),
  }),
  { maxLength: 10 },
)

type Pieces = (SharedPiece | string)[]

const piecesOf = (all: { text: string; isFixed: boolean }[]): Pieces =>
  all.map(({ text, isFixed }) => (isFixed ? cut(text) : text))

const urlOf = ({ url }: { url: string }) => `https://t.test/c/${url.length}?"<`
const marking = {
  counts: (url: string) => !url.startsWith('https://e.test'),
  tag: linkTagger({ source: 'a & b' }, ['f.test']),
}

test('a page in pieces is marked like the whole page, however it is cut', () => {
  let inPieces = 0
  const property = fc.property(page, (all) => {
    const pieces = piecesOf(all)
    const whole = markHtml(textOf(pieces), marking)
    // Twice, because the second run uses the cache of the first.
    for (const _ of [1, 2]) {
      const marked = markPage(pieces, marking)
      assert.deepEqual(marked.links, whole.links)
      assert.equal(textOf(marked.write(urlOf)), whole.write(urlOf))
    }
    if (spliced(pieces)) inPieces++
  })
  fc.assert(property, { numRuns: 3000 })
  assert.ok(inPieces > 2000, `${inPieces} were not put together first`)
})

test('content added at the end of the body has the same place in a page in pieces', () => {
  const property = fc.property(page, (all) => {
    const pieces = piecesOf(all)
    const whole = textOf(pieces)
    assert.equal(textOf(atEnd(pieces, '<i>x</i>')), atEnd(whole, '<i>x</i>'))
    assert.equal(atEnd(whole, ''), whole)
  })
  fc.assert(property, { numRuns: 2000 })
})

test('a page spliced from encoded pieces decodes to the intended page', () => {
  const property = fc.property(page, (all) => {
    const pieces = piecesOf(all)
    const added = '<p>The footer</p>'
    const marked = atEnd(markPage(pieces).write(urlOf), added)
    const whole = atEnd(markHtml(textOf(pieces)).write(urlOf), added)
    assert.equal(decoded(marked), whole)
  })
  fc.assert(property, { numRuns: 500 })
})

/** Decodes with a reader that is independent of the encoder (RFC 2045 section 6.7). */
function decoded(content: PiecedText): string {
  const scratch = new Scratch()
  writeQuoted(scratch, content)
  const lines = scratch.take().toString('latin1').split('\r\n')
  assert.ok(lines.every((line) => line.length <= 76 && !/[ \t]$/.test(line)))
  const bytes = lines
    .join('\n')
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

test('a newsletter template is parsed once, and its pieces are the same each time', () => {
  const link = (n: number) => `<p>Offer <a href="https://shop.test/${n}">${n}</a></p>`.repeat(3)
  const fixed = [
    cut(`<p>Dear `),
    cut(`, see ${link(1)} and <a class="x" href="`),
    cut(`">${link(2)}</body>`),
  ]
  const [head, middle, end] = fixed as [SharedPiece, SharedPiece, SharedPiece]
  const pageOf = (name: string, url: string) => [head, name, middle, url, end]
  const first = markPage(pageOf('Ana', 'https://shop.test/own'))
  const second = markPage(pageOf('Bo &amp; Co', 'https://shop.test/other'))
  assert.deepEqual(
    second.links.map(({ url }) => url),
    ['https://shop.test/1', 'https://shop.test/other', 'https://shop.test/2'],
  )
  const [one, two] = [first, second].map((marked) => {
    const written = marked.write(urlOf)
    assert.ok(typeof written !== 'string')
    return new Set(written.filter((piece) => typeof piece !== 'string'))
  })
  assert.ok(one && one.size >= 6)
  assert.deepEqual(two, one)
  assert.ok(
    [...one].every((each) => two?.has(each)),
    'nothing is encoded again',
  )
})

test('a page with unclosed tags is joined before it is marked, and quickly', () => {
  const pieces = Array.from({ length: 20_000 }, (_, n) => (n % 2 ? cut('<a title="x>') : 'b=c '))
  const began = cpuMs()
  assert.equal(spliced(pieces), undefined)
  assert.equal(markPage(pieces).links.length, 0)
  assert.ok(cpuMs() - began < 3_000)
})
