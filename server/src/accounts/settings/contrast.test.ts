import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastWarning, textColourOn } from './contrast.ts'

test('button text is white where white is readable on the colour, and black elsewhere', () => {
  for (const colour of ['#4338ca', '#000000', '#b91c1c', '#767676']) {
    assert.deepEqual(
      [textColourOn(colour), contrastWarning(colour)],
      ['#ffffff', undefined],
      colour,
    )
  }
  for (const colour of ['#777777', '#ffee00', '#ffffff', '#22c55e']) {
    assert.equal(textColourOn(colour), '#000000', colour)
    assert.match(contrastWarning(colour) ?? '', /would be hard to read/)
  }
})
