import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emptyText, guarded, unguarded } from './cells.ts'

test('each part of a cell that may become a cell of its own is guarded', () => {
  const cells: [cell: string, guarded: string][] = [
    ['=1+1', "'=1+1"],
    ['Ana;=1+1', "Ana;'=1+1"],
    ['Ana\t=1+1', "Ana\t'=1+1"],
    ['Ana\n=1+1', "Ana\n'=1+1"],
    ['Ana\r\n@SUM(1)', "Ana\r\n'@SUM(1)"],
    ['a;b;=1;+2+3;-x;@y', "a;b;'=1;'+2+3;'-x;'@y"],
    ['＝1+1', "'＝1+1"],
    ['＋1+1', "'＋1+1"],
    ['－1+1', "'－1+1"],
    ['＠SUM(1,1)', "'＠SUM(1,1)"],
    ['﹦1', "'﹦1"],
    ['  =1+1', "'  =1+1"],
    ['\u00a0=1+1', "'\u00a0=1+1"],
    ['\u200b=1+1', "'\u200b=1+1"],
    ['\ufeff=1+1', "'\ufeff=1+1"],
    ['\u3164=1+1', "'\u3164=1+1"],
    ['\u0000=1+1', "'\u0000=1+1"],
    ['Ana; \u200b＝1', "Ana;' \u200b＝1"],
    ['Ana;"=1+1', 'Ana;\'"=1+1'],
    ['\t=1+1', "'\t'=1+1"],
    ['\tAna', "'\tAna"],
    ["'=1", "''=1"],
    // Nothing of these is a formula.
    ['Ana', 'Ana'],
    ['a=b; c-d', 'a=b; c-d'],
    ['+33612345678', '+33612345678'],
    ['a;-5', 'a;-5'],
    ['-12.5', '-12.5'],
    ['', ''],
  ]
  for (const [cell, expected] of cells) {
    assert.equal(guarded(cell), expected)
    assert.equal(unguarded(expected), cell)
  }
})

test('an import gives back every cell that an export guarded', () => {
  const pieces = fc.constantFrom(...Array.from('\'=+-@＝;\t\n\r \u200b"a1.'))
  const cell = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(cell, (text) => {
      assert.equal(unguarded(guarded(text)), text)
    }),
    { numRuns: 20_000 },
  )
})

test('what older exports guarded, and a person marked as text, is still read', () => {
  assert.equal(unguarded("'\t=1+1"), '\t=1+1')
  assert.equal(unguarded("'\nAna"), '\nAna')
  assert.equal(unguarded("''t Hooft"), "'t Hooft")
  assert.equal(unguarded("'+33612345678"), '+33612345678')
  assert.equal(unguarded(emptyText), '')
  assert.equal(unguarded("'t Hooft"), "'t Hooft")
})

test('a long cell of dividers and spaces takes linear time', () => {
  for (const piece of [';', '; ', ' ', "'", ";'=", '\u200b\t', '"']) {
    const cell = piece.repeat(1_000_000 / piece.length)
    const started = process.cpuUsage()
    assert.equal(unguarded(guarded(cell)), cell)
    const { user } = process.cpuUsage(started)
    assert.ok(user < 5_000_000, `${JSON.stringify(piece)} took ${user} µs`)
  }
})
