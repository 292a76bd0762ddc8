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

test('the memory of a table goes back to the system at once when it is freed', () => {
  const seen = createSeen()
  for (let n = 0; n < 400_000; n++) seen.add(`p${n}@example.com`)
  const before = process.memoryUsage.rss()
  seen.free()
  const back = before - process.memoryUsage.rss()
  // Six bytes for each address, of which at least half the places are in use.
  assert.ok(back > 400_000 * 6, `${back} bytes`)
})
