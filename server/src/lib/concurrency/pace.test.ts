import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createPace, longestRest } from './pace.ts'

let time = 0
let begun = 0
const pace = () =>
  createPace(
    () => begun,
    () => time,
  )
beforeEach(() => {
  time = 0
  begun = 7
})

async function restOf(one: ReturnType<typeof createPace>): Promise<number> {
  const from = performance.now()
  await one.rest()
  return performance.now() - from
}

test('a task without other work beside it does not rest', async () => {
  const one = pace()
  time = 150
  assert.ok((await restOf(one)) < 50)
})

test('beside other work a rest is as long as the last step, up to the longest rest', async () => {
  const one = pace()
  time = 60
  begun++
  assert.ok((await restOf(one)) >= 58)
  time += 5_000
  begun++
  const rest = await restOf(one)
  assert.ok(rest >= longestRest - 2 && rest < 2_000, `${rest}`)
})

test('work that began before the last rest is not counted again', async () => {
  const one = pace()
  time = 20
  begun++
  await one.rest()
  time += 150
  assert.ok((await restOf(one)) < 50)
})
