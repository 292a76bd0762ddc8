/** What businesses lack, as `business.list` needs it: cached for a moment only. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { MissingThing, ReadMissingFrom } from '../accounts/settings/missing.ts'
import { newId } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { createMissingReader } from './missing.ts'

const shop = newId('business')
const other = newId('business')

function reading() {
  const asked: number[] = []
  let things: MissingThing[] = ['postal_address']
  let now = 0
  let answer = () => Promise.resolve()
  const missingIn: ReadMissingFrom = async (_db, ids) => {
    asked.push(ids.length)
    const read = new Map(ids.map((id) => [id, things]))
    await answer()
    return read
  }
  const missingOf = createMissingReader({} as Db, missingIn, () => now)
  return {
    asked,
    missingOf,
    /** The business's missing parts according to the cache. */
    told: async () => (await missingOf([shop])).get(shop),
    setAddress: () => {
      things = []
    },
    holdAnswers(until: Promise<void>) {
      answer = () => until
    },
    at(ms: number) {
      now = ms
    },
  }
}

test('a business’s missing settings are cached for two seconds', async () => {
  const { asked, told, setAddress, at } = reading()
  assert.deepEqual(await told(), ['postal_address'])
  setAddress()
  at(1_999)
  assert.deepEqual(await told(), ['postal_address'])
  assert.deepEqual(asked, [1])
  at(2_000)
  assert.deepEqual(await told(), [])
  assert.deepEqual(asked, [1, 1])
})

test('a business changed by this process is read anew', async () => {
  const { missingOf, told, setAddress } = reading()
  await told()
  setAddress()
  missingOf.forget(shop)
  assert.deepEqual(await told(), [])
})

test('a result that was read before a change is not cached', async () => {
  const { asked, missingOf, told, setAddress, holdAnswers } = reading()
  const { promise, resolve } = Promise.withResolvers<void>()
  holdAnswers(promise)
  const before = told()
  while (asked.length === 0) await setImmediate()
  setAddress()
  missingOf.forget(shop)
  resolve()
  assert.deepEqual(await before, ['postal_address'])
  assert.deepEqual(await told(), [])
})

test('a call for several businesses rereads all of them if one is not cached', async () => {
  const { asked, missingOf, told } = reading()
  await told()
  const both = await missingOf([shop, other])
  assert.deepEqual([...both.keys()], [shop, other])
  assert.deepEqual(asked, [1, 2])
})
