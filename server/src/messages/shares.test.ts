import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createShares } from './shares.ts'

test('one alone has what the lines take and some ahead, and two do not keep it from them', () => {
  const shares = createShares(20)
  const one = shares.join()
  assert.equal(one.size, 28)
  const two = shares.join()
  assert.deepEqual([one.size, two.size], [28, 28])
})

test('many have little each, and together not much more than the lines take', () => {
  const shares = createShares(20)
  const all = Array.from({ length: 10 }, () => shares.join())
  assert.equal(
    all.reduce((sum, { size }) => sum + size, 0),
    60,
  )
})

test('each has some, however many there are', () => {
  const shares = createShares(1)
  const all = Array.from({ length: 50 }, () => shares.join())
  assert.ok(all.every(({ size }) => size === 4))
})

test('what those that end leave is for the others', () => {
  const shares = createShares(20)
  const one = shares.join()
  const others = Array.from({ length: 9 }, () => shares.join())
  assert.equal(one.size, 6)
  for (const other of others) other.leave()
  assert.equal(one.size, 28)
  // Said twice it counts once.
  for (const other of others) other.leave()
  shares.join()
  shares.join()
  assert.equal(one.size, 19)
})
