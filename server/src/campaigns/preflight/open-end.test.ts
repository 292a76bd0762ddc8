import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectGate } from './gates/content.ts'
import { endsOpen, withoutOpenEnd } from './open-end.ts'

test('a line that ends in a colon or a dangling preposition has an open end', () => {
  for (const open of ['Book at', 'Dinner:', 'Doors open at ', 'A table for', 'We meet on', 'Hi,']) {
    assert.ok(endsOpen(open), open)
  }
  const whole = ['The sale is on', 'We are back in', 'Doors open at 18:00', 'Why not?', '', 'Book!']
  for (const line of whole) assert.ok(!endsOpen(line), line)
})

test('a dangling end is removed from a line, and a price keeps its dash', () => {
  assert.equal(withoutOpenEnd('Dinner on Friday at the'), 'Dinner on Friday')
  assert.equal(withoutOpenEnd('Book at:'), 'Book')
  assert.equal(withoutOpenEnd('Only CHF 20.-'), 'Only CHF 20.-')
  assert.equal(withoutOpenEnd('at'), '')
})

test('a subject that ends in a preposition or a colon causes a warning', () => {
  const previews = (subject: string) => [{ data: 'sample' as const, subject, text: 'x' }]
  for (const subject of ['Doors open at', 'Your table:', 'A gift for']) {
    const { result, evidence } = subjectGate(previews(subject))
    assert.equal(result, 'warn', subject)
    assert.ok(evidence.includes(subject))
  }
  assert.equal(subjectGate(previews('Doors open at 18:00')).result, 'pass')
})
