import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { createIntakeBudget } from './intake-budget.ts'

const bytes = (n: number) => Readable.from([Buffer.alloc(n)])

/** A mail of `n` bytes whose end comes when the test says so. */
function unfinished(n: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  async function* chunks() {
    yield Buffer.alloc(n)
    await promise
  }
  return { stream: chunks(), end: resolve }
}

test('a mail of as many bytes as a tenant may hold is read, and one byte more is not', async () => {
  const budget = createIntakeBudget({ bytes: 100, bytesOfTenant: 10 })
  assert.equal((await budget.read(bytes(10), 'a'))?.length, 10)
  assert.equal(await budget.read(bytes(11), 'a'), undefined)
  assert.equal((await budget.read(bytes(10), 'a'))?.length, 10)
})

test('a tenant that holds all of its bytes leaves room for another, within the sum of all', async () => {
  const budget = createIntakeBudget({ bytes: 15, bytesOfTenant: 10 })
  const first = unfinished(10)
  const held = budget.read(first.stream, 'a')
  await new Promise(setImmediate)
  assert.equal(await budget.read(bytes(1), 'a'), undefined)
  assert.equal((await budget.read(bytes(5), 'b'))?.length, 5)
  assert.equal(await budget.read(bytes(6), 'b'), undefined)
  first.end()
  assert.equal((await held)?.length, 10)
  assert.equal((await budget.read(bytes(10), 'b'))?.length, 10)
})

test('a mail whose connection breaks gives its bytes back', async () => {
  const budget = createIntakeBudget({ bytes: 10, bytesOfTenant: 10 })
  async function* broken() {
    yield Buffer.alloc(10)
    throw new Error('reset')
  }
  await assert.rejects(budget.read(broken(), 'a'), /reset/)
  assert.equal((await budget.read(bytes(10), 'a'))?.length, 10)
})
