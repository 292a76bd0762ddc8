import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listMethod } from './pages.ts'

/** Pages of two numbers, up to five. */
function numbers() {
  const queries: unknown[] = []
  const list = listMethod(async (input: { q?: string; cursor?: string }) => {
    queries.push(input)
    const from = Number(input.cursor ?? 0)
    const next_cursor = from + 2 < 5 ? String(from + 2) : null
    return { numbers: [0, 1, 2, 3, 4].slice(from, from + 2), next_cursor }
  }, 'numbers')
  return { list, queries }
}

test('all items are read page by page, each page when it is needed', async () => {
  const { list, queries } = numbers()
  const seen: unknown[] = []
  for await (const number of list.all({ q: 'x' })) seen.push(number)
  assert.deepEqual(seen, [0, 1, 2, 3, 4])
  assert.deepEqual(queries, [{ q: 'x' }, { q: 'x', cursor: '2' }, { q: 'x', cursor: '4' }])
})

test('toArray ends at its limit, and fetches no page beyond it', async () => {
  const { list, queries } = numbers()
  assert.deepEqual(await list.all().toArray({ max: 2 }), [0, 1])
  assert.equal(queries.length, 1)
  assert.deepEqual(await list.all().toArray({ max: 0 }), [])
  assert.deepEqual(await list.all().toArray({ max: 9 }), [0, 1, 2, 3, 4])
})

test('a page has its items, its cursor and the way to the next', async () => {
  const { list } = numbers()
  const first = await list.page()
  assert.deepEqual([first.items, first.cursor], [[0, 1], '2'])
  const second = await first.next()
  const third = await second?.next()
  assert.deepEqual([third?.items, third?.cursor, await third?.next()], [[4], undefined, undefined])
  assert.deepEqual(await list(), { numbers: [0, 1], next_cursor: '2' })
})

test('a feed that says there is no more ends there, although it has a cursor', async () => {
  const list = listMethod(async () => ({ events: [1], next_cursor: 'x', more: false }), 'events')
  assert.deepEqual(await list.all().toArray({ max: 9 }), [1])
})
