import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db } from '../db/types.ts'
import { type Key, keysInParts, type Page } from './pages.ts'

const keys = [1, 2, 3, 4, 5].map((n): Key => {
  return { businessId: n % 2 === 0 ? 'even' : 'odd', shard: n > 2 ? 1 : 0, id: String(n) }
})

function reader() {
  const pages: Page[] = []
  const read = async (page: Page) => {
    pages.push(page)
    const { shard, id } = page.after
    return keys
      .filter((key) => key.shard > shard || (key.shard === shard && key.id > id))
      .slice(0, page.limit)
  }
  return { pages, read }
}

const collect = async (db: object, read: (page: Page) => Promise<Key[]>) => {
  const parts = await Array.fromAsync(keysInParts(db as Db, read, 2))
  return parts.map((part) => part.map(({ id }) => id).join(''))
}

test('every key is read once, page after page, until one is not full', async () => {
  const { pages, read } = reader()
  assert.deepEqual(await collect({}, read), ['12', '34', '5'])
  assert.deepEqual(
    pages.map(({ after }) => after.shard),
    [-1, 0, 1],
  )
})

test('on a distributed database a part has keys of one business', async () => {
  const { read } = reader()
  const parts = await collect({ isDistributed: () => true }, read)
  assert.deepEqual(parts, ['1', '2', '3', '4', '5'])
})
