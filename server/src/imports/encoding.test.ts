import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Encoding, olderEncodings, originalOffsets, toUtf8 } from './csv.ts'

const decoded = (bytes: Uint8Array) =>
  new TextDecoder('windows-1252').decode(bytes).replaceAll('\0', '\ufffd')

test('every byte of windows-1252 becomes its letter, whichever others stand beside it', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  assert.equal(toUtf8(all, 'windows-1252').toString(), decoded(all))
  for (const byte of all) {
    const alone = Uint8Array.of(0x61, byte, 0xfc)
    assert.equal(toUtf8(alone, 'windows-1252').toString(), decoded(alone), `byte ${byte}`)
  }
  assert.equal(toUtf8(Uint8Array.of(0x80, 0x31), 'windows-1252').toString(), '€1')
})

test('the lines of a text have the bytes that they had before it became UTF-8', () => {
  const unit = fc.constantFrom('a', 'é', '€', '\r', '\ufffd', '😀', '中')
  const lines = fc.array(fc.string({ unit }).map((text) => `${text}\n`))
  fc.assert(
    fc.property(lines, (texts) => {
      const text = texts.join('')
      for (const encoding of ['utf-8', 'utf-16le'] as const) {
        const node = encoding === 'utf-8' ? 'utf8' : 'utf16le'
        const bytes = Buffer.from(text, node)
        const utf8 = toUtf8(bytes, encoding)
        const originalOf = originalOffsets(bytes, utf8, encoding)
        let [end, original] = [0, 0]
        for (const line of texts) {
          end += Buffer.byteLength(line)
          original += Buffer.byteLength(line, node)
          assert.equal(originalOf(end), original)
        }
      }
    }),
  )
})

test('lines of any bytes are found again in every older encoding, and each name is one that Node reads', () => {
  const byte = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0x81, 0x30, 0x8f, 0xfe, 0x61))
  const lines = fc.array(
    fc.array(byte.filter((value) => value !== 0x0a && value !== 0x0d)).map((line) => [...line, 10]),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(lines, fc.constantFrom<Encoding[]>(...olderEncodings), (rows, encoding) => {
      const bytes = Buffer.from(rows.flat())
      const utf8 = toUtf8(bytes, encoding)
      const originalOf = originalOffsets(bytes, utf8, encoding)
      let original = 0
      let end = 0
      for (const row of rows) {
        original += row.length
        end = utf8.indexOf(10, end) + 1
        assert.equal(originalOf(end), original, encoding)
        assert.equal(
          new TextDecoder(encoding).decode(Uint8Array.from(row)).replaceAll('\0', '\ufffd').length,
          toUtf8(Uint8Array.from(row), encoding).toString().length,
        )
      }
    }),
    { numRuns: 2_000 },
  )
})
