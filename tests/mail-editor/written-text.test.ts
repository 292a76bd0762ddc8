/** What the editor shows, saves and reads again is the same, and the same as in the mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideLiquid, showLiquid } from 'crier-server/templates/thread/hidden.ts'
import { inlineHtml, paragraphsOf } from 'crier-server/templates/thread/inline.ts'
import { partsOf } from '../../web/src/parts/liquid/chips.ts'
import {
  addressOf,
  type Mark,
  type Piece,
  readItems,
  readLine,
  readLines,
  readText,
  type WrittenDocument,
  wordsOf,
  writeItems,
  writeLine,
  writeLines,
  writeText,
} from '../../web/src/parts/mail-editor/written-text.ts'
import { fc } from '../support/properties.ts'

/** `PROPERTY_RUNS=20000` tries more than each run of the tests does. */
const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 2_000)

/** Each sign with its marks. Whether a space is bold is not to be seen. */
function meaningOf({ content }: WrittenDocument): string[][] {
  const paragraphs = content.flatMap(({ content: pieces = [] }) => {
    const signs = pieces.flatMap(({ type, text, attrs, marks }) => {
      if (type === 'hardBreak') return ['br']
      const all = type === 'liquid' ? [attrs?.code ?? ''] : Array.from(text ?? '')
      return all.map((sign) => signOf(sign, (marks ?? []).map(nameOf)))
    })
    // An empty line ends a paragraph.
    const parts: string[][] = [[]]
    const line: string[] = []
    const end = () => {
      if (line.every((sign) => sign.startsWith(' '))) {
        if (parts.at(-1)?.length !== 0) parts.push([])
      } else {
        const last = parts.at(-1)
        if (last?.length !== 0) last?.push('br')
        last?.push(...line)
      }
      line.length = 0
    }
    for (const sign of signs) {
      if (sign === 'br') end()
      else line.push(sign)
    }
    end()
    return parts
  })
  return paragraphs.filter(({ length }) => length > 0)
}

const nameOf = ({ type, attrs }: Mark) =>
  type === 'link' ? `link ${addressOf(attrs?.href ?? '')}` : `${type}${attrs?.step ?? ''}`

function signOf(sign: string, marks: string[]): string {
  const isSpace = sign.trim() === ''
  const seen = marks.filter((mark) => !(isSpace && (mark === 'bold' || mark === 'italic')))
  return `${isSpace ? ' ' : sign} ${[...new Set(seen)].sort().join(',')}`
}

/** The same of the paragraphs that the service makes of a text. */
function meaningOfMail(text: string): string[][] {
  const hidden = hideLiquid(text)
  const look = { link: 'color:red', accent: '#123456', named: { berry: '#654321' } }
  const readUrl = (url: string) => encodeURIComponent(url)
  const paragraphs = paragraphsOf(hidden.text).map((paragraph) => {
    const marks: string[] = []
    const pieces = inlineHtml(paragraph, readUrl, look).split(/(<[^>]*>)/)
    return pieces.flatMap((piece) => {
      if (!piece.startsWith('<')) {
        const signs = piece
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll('&amp;', '&')
        return signsWithLiquid(signs, hidden).map((sign) =>
          signOf(
            sign,
            marks.flatMap((mark) => mark.split('+')),
          ),
        )
      }
      if (piece === '<br />') return ['br']
      if (piece.startsWith('</')) marks.pop()
      else
        marks.push(markOf(piece, (url) => addressOf(showLiquid(decodeURIComponent(url), hidden))))
      return []
    })
  })
  // Such as that of `****`.
  return paragraphs.filter(({ length }) => length > 0)
}

/** A brace that would begin Liquid is written as Liquid that says a brace. */
const brace = (code: string) => (code === '{{ "{" }}' ? '{' : code)

function signsWithLiquid(text: string, hidden: ReturnType<typeof hideLiquid>): string[] {
  const all: string[] = []
  let at = 0
  for (const found of text.matchAll(hidden.words)) {
    all.push(
      ...Array.from(text.slice(at, found.index)),
      brace(hidden.codes[Number(found[1])]?.text ?? ''),
    )
    at = found.index + found[0].length
  }
  return [...all, ...Array.from(text.slice(at))]
}

function markOf(tag: string, addressFrom: (url: string) => string): string {
  const [, url] = /^<a href="([^"]*)"/.exec(tag) ?? []
  if (url !== undefined) return `link ${addressFrom(url)}`
  if (tag === '<strong>') return 'bold'
  if (tag === '<em>') return 'italic'
  if (tag === '<u>') return 'underline'
  const names = [
    ...(tag.includes('color:#123456') ? ['accent'] : []),
    ...(tag.includes('color:#654321') ? ['colour'] : []),
    ...(tag.includes('font-size:13px') ? ['sizes'] : []),
    ...(tag.includes('font-size:20px') ? ['sizel'] : []),
  ]
  return names.join('+') || '+'
}

const signs = [
  'a',
  'b',
  ' ',
  'é',
  '漢',
  '<',
  '&',
  '"',
  '\\',
  '\\\\',
  '*',
  '**',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '](',
  ']{',
  '{u}',
  '{b i}',
  '{size=l}',
  '[x](https://a.test)',
  '[y]{u}',
  '%',
  '😀',
]
const words = fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 8 })
const code = fc.constantFrom('{{ name }}', '{{ a | default: "}} *" }}', '{% if x %}', '{% endif %}')
const marks: fc.Arbitrary<Mark[]> = fc
  .record(
    {
      link: fc.constantFrom('https://a.test/(b)?c=*', '{{ url }}/a', 'mailto:a@b.test'),
      bold: fc.constant(true),
      italic: fc.constant(true),
      underline: fc.constant(true),
      accent: fc.constant(true),
      colour: fc.constant('berry'),
      size: fc.constantFrom('s', 'l'),
    },
    { requiredKeys: [] },
  )
  .map(({ link, size, colour, accent, ...others }) => [
    ...(link === undefined ? [] : [{ type: 'link' as const, attrs: { href: link } }]),
    ...(Object.keys(others) as Mark['type'][]).map((type) => ({ type })),
    ...(accent && colour === undefined ? [{ type: 'accent' as const }] : []),
    ...(colour === undefined ? [] : [{ type: 'colour' as const, attrs: { name: colour } }]),
    ...(size === undefined ? [] : [{ type: 'size' as const, attrs: { step: size } }]),
  ])
const usual = fc.oneof({ weight: 2, arbitrary: fc.constant<Mark[]>([]) }, marks)
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words, marks: usual }),
  fc.record({ type: fc.constant('liquid' as const), attrs: fc.record({ code }), marks: usual }),
  fc.record({ type: fc.constant('hardBreak' as const), marks: usual }),
)
const written: fc.Arbitrary<WrittenDocument> = fc
  .array(fc.array(piece, { maxLength: 7 }), { minLength: 1, maxLength: 4 })
  .map((paragraphs) => ({
    type: 'doc',
    content: paragraphs.map((content) => ({ type: 'paragraph', content })),
  }))
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...signs, '\n', '\n\n'), code),
  maxLength: 30,
})

/** The service refuses a text whose Liquid is not closed. */
function isLiquid(of: string): boolean {
  try {
    return Boolean(hideLiquid(of))
  } catch {
    return false
  }
}

test('what the editor shows is the same after it was saved and read again', (t) => {
  fc.assert(
    fc.property(written, (document) => {
      const saved = writeText(document)
      const again = readText(saved)
      assert.deepEqual(meaningOf(again), meaningOf(document), saved)
      assert.equal(writeText(again), saved)
    }),
    { numRuns },
  )
  t.diagnostic(`${numRuns} mails came back as they were written`)
})

test('a text means the same in the editor, in the mail, and after it was saved again', () => {
  fc.assert(
    fc.property(text, (given) => {
      // Emphasis of nothing is an empty line in the mail, and nothing in the editor.
      fc.pre(isLiquid(given) && !given.includes('****'))
      const shown = readText(given)
      const mail = meaningOfMail(given)
      assert.deepEqual(meaningOf(shown), mail, given)
      assert.deepEqual(meaningOfMail(writeText(shown)), mail, writeText(shown))
    }),
    { numRuns },
  )
})

test('items and lines are the same after they were saved and read again', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (items) => {
      const document = readItems(items)
      assert.deepEqual(meaningOf(readItems(writeItems(document))), meaningOf(document))
      assert.equal(writeItems(document).length, items.length)
    }),
    { numRuns },
  )
  fc.assert(
    fc.property(text, (given) => {
      const line = writeLine(readLine(given))
      assert.equal(writeLine(readLine(line)), line)
      assert.deepEqual(meaningOf(readLine(line)), meaningOf(readLine(given)))
      const lines = writeLines(readLines(given))
      assert.equal(writeLines(readLines(lines)), lines)
      assert.deepEqual(meaningOf(readLines(lines)), meaningOf(readLines(given)))
    }),
    { numRuns },
  )
})

const examples: [text: string, words: string][] = [
  [
    'Hello **{{ contact.name }}**, see [our *menu*](https://shop.example/menu).',
    'Hello {{ contact.name }}, see our menu.',
  ],
  [
    'A [wide]{size=l} and [lined]{u} word in [our colour]{u color=accent}',
    'A wide and lined word in our colour',
  ],
  ['[our menu](https://shop.example){u}', 'our menu'],
  ['3 * 4, [brackets], a\\b and {braces}', '3 * 4, [brackets], a\\b and {braces}'],
  ['An unknown [mark]{blink} stays', 'An unknown [mark]{blink} stays'],
  ['One line\nand another\n\nA paragraph', 'One line and another A paragraph'],
]

for (const [given, said] of examples) {
  test(`${JSON.stringify(given)} comes back as it was written`, () => {
    assert.equal(writeText(readText(given)), given)
    assert.equal(wordsOf(given), said)
  })
}

test('a text message keeps its lines, also empty ones', () => {
  const text = 'Hi {{ contact.first_name }},\n\n{% if a\n%}two{% endif %}\n'
  assert.equal(writeLines(readLines(text)), text)
})

test('a list shows a text with its values in words', () => {
  const text =
    '{% if x %}{{ contact.first_name | default: "there" }}{% endif %}, {{ 1 | plus: 1 }} at {{ business.name }} {{'
  assert.deepEqual(partsOf(text, 'Mühle'), [
    { text: 'First name', isField: true },
    { text: ', ', isField: false },
    { text: 'Custom code', isField: true },
    { text: ' at ', isField: false },
    { text: 'Mühle', isField: false },
    { text: ' {{', isField: false },
  ])
})
