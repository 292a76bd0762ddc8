import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toUtf8 } from './encoding.ts'

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
