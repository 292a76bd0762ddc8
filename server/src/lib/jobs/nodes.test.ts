import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../db/types.ts'
import { createNodeReader } from './nodes.ts'

const away = new Error('the node is away')

/** A database of which the coordinator says that one node has `a` and another `b`. */
const cluster = {
  isDistributed: () => true,
  all: async () => [{ businesses: ['a'] }, { businesses: ['b'] }],
} as unknown as Db

test('while a node is away, what the others have is read', async () => {
  const faults: unknown[] = []
  const reader = createNodeReader(cluster, (fault) => faults.push(fault))
  const reads: (readonly string[] | undefined)[] = []
  const ask = async (businesses?: readonly string[]) => {
    reads.push(businesses)
    if (!businesses || businesses.includes('a')) throw away
    return ['of b']
  }
  assert.deepEqual(await reader.read(ask), ['of b'])
  assert.deepEqual(reads, [undefined, ['a'], ['b']])
  // Soon after it everything is not read at once again.
  assert.deepEqual(await reader.read(ask), ['of b'])
  assert.deepEqual(reads.slice(3), [['a'], ['b']])
  assert.deepEqual(faults, [away, away, away])
})

test('a read fails where no node answers, and on one PostgreSQL', async () => {
  const fail = () => Promise.reject(away)
  for (const db of [cluster, {} as Db]) {
    await assert.rejects(createNodeReader(db, () => {}).read(fail), away)
  }
})
