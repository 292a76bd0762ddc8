import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordEnds } from './csv.ts'

test('a record may end at a line break outside of quotes, wherever its bytes were split', () => {
  const told = (...pieces: string[]) => {
    const ends = recordEnds()
    return pieces.map((piece) => ends(Buffer.from(piece)))
  }
  assert.deepEqual(told('a,b', 'c\n'), [false, true])
  assert.deepEqual(told('a,"b\n', 'c\r\n', 'd"', '\r'), [false, false, false, true])
  assert.deepEqual(told('"say ""hi""\n', 'x"', '",y\n', '"\n'), [false, false, false, true])
})
