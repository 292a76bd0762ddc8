import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bytesPerUnit, encodings, lengthOf, toUtf8 } from './encoding.ts'

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

test('the bytes of a part of a text are as many as they were before it became UTF-8', () => {
  const unit = fc.constantFrom('a', 'é', '€', '\n', '\ufffd', '😀', '中')
  fc.assert(
    fc.property(fc.string({ unit }), fc.string({ unit }), (before, part) => {
      const utf8 = Buffer.from(`${before}${part}`)
      const place = { start: Buffer.byteLength(before), end: utf8.length }
      for (const encoding of encodings) {
        const own = encoding === 'utf-8' ? Buffer.byteLength(part) : part.length
        assert.equal(lengthOf(utf8, place, encoding), own * bytesPerUnit[encoding])
      }
    }),
  )
})
