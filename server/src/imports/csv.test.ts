import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../tests/support/properties.ts'
import { readRecords } from './csv.ts'

function read(text: string, delimiter = ',') {
  const { records } = readRecords(Buffer.from(text), { delimiter, isLast: true })
  return records.map(({ cells, fault }) => fault ?? cells)
}

test('a cell ="…" without quotes around it is one cell, whatever it holds', () => {
  assert.deepEqual(read('email,code\na@b.example,="00123"\nc@d.example,="1,2"\n'), [
    ['email', 'code'],
    ['a@b.example', '="00123"'],
    ['c@d.example', '="1,2"'],
  ])
  assert.deepEqual(read('="007";x;="a""b"\r\n"q;r";="";=""\r\n="9"', ';'), [
    ['="007"', 'x', '="a""b"'],
    ['q;r', '=""', '=""'],
    ['="9"'],
  ])
  assert.deepEqual(read('a,"=""00123""",="4"\n'), [['a', '="00123"', '="4"']])
})

test('other misplaced quotes cost their line, and those after it are read', () => {
  for (const line of ['a,="1"x', 'a,b="1"', 'a,="1" ,b', '="1', 'a,x"y"', '"a"b,="1"']) {
    const [first, second] = read(`${line}\nc,d\n`)
    assert.equal(typeof first, 'string', line)
    if (line !== '="1') assert.deepEqual(second, ['c', 'd'], line)
  }
})

test('any texts come back from cells of this kind', () => {
  const code = fc.string({ unit: fc.constantFrom('0', '1', 'a', ',', '"', ' ', 'é', '=') })
  fc.assert(
    fc.property(fc.array(code, { minLength: 1, maxLength: 5 }), (codes) => {
      const cells = codes.map((text) => `="${text.replaceAll('"', '""')}"`)
      assert.deepEqual(read(`x,y\n${cells.join(',')}\n`), [['x', 'y'], cells])
    }),
  )
})

test('a long line of such cells, and one of quotes alone, take no longer than they are long', () => {
  const start = performance.now()
  assert.equal(read(`${'="1",'.repeat(100_000)}x`)[0]?.length, 100_001)
  read(`x,="${'"'.repeat(500_001)}`)
  assert.ok(performance.now() - start < 20_000)
})
