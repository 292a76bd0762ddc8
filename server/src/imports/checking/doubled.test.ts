import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSeen } from './doubled.ts'

test('each repeated address is recognised, however often the table grows', () => {
  const seen = createSeen()
  for (let n = 0; n < 20_000; n++) assert.equal(seen.add(`p${n}@example.com`), false, `${n}`)
  for (let n = 0; n < 20_000; n++) assert.equal(seen.add(`p${n}@example.com`), true, `${n}`)
  assert.equal(seen.isFull, false)
})

test('beyond its limit the table recognises known addresses, and reports that it is full', () => {
  const seen = createSeen(100)
  for (let n = 0; n < 100; n++) seen.add(`p${n}@example.com`)
  assert.equal(seen.isFull, false)
  assert.equal(seen.add('p100@example.com'), false)
  assert.equal(seen.isFull, true)
  assert.deepEqual([seen.add('p100@example.com'), seen.add('p99@example.com')], [false, true])
})

test('what a table outgrows is given back at once, and all of it at the end', () => {
  const before = process.memoryUsage().arrayBuffers
  const seen = createSeen()
  for (let n = 0; n < 200_000; n++) seen.add(`p${n}@example.com`)
  const full = process.memoryUsage().arrayBuffers - before
  assert.ok(full < 200_000 * 12, `${full} bytes`)
  seen.free()
  const left = process.memoryUsage().arrayBuffers - before
  assert.ok(left < full / 100, `${left} of ${full} bytes`)
})
