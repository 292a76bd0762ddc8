import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'
import { collect, collectAll, collectYoung } from './collect.ts'

for (const [how, act] of Object.entries({ collect, collectAll })) {
  test(`${how}: unreferenced objects are collected, and no gc function is exposed`, async () => {
    const held = { some: 'thing' }
    const refs = [new WeakRef(held), new WeakRef({ some: 'other' })]
    // A WeakRef keeps its target until the turn in which it was made is over.
    await turnOfLoop()
    act()
    assert.deepEqual(
      refs.map((ref) => ref.deref()),
      [held, undefined],
    )
    assert.equal(runInNewContext('typeof gc'), 'undefined')
  })
}

test('collectYoung: unreferenced young objects are collected, and no gc function is exposed', () => {
  collectYoung()
  const before = youngBytes()
  const held = Array.from({ length: 1_000 }, (_, n) => ({ n }))
  Array.from({ length: 10_000 }, (_, n) => ({ n }))
  const grown = youngBytes() - before
  assert.ok(grown > 200_000, `${grown} bytes`)
  collectYoung()
  const left = youngBytes() - before
  assert.ok(left < grown / 4, `${left} of ${grown} bytes`)
  assert.equal(held[999]?.n, 999)
  assert.equal(runInNewContext('typeof gc'), 'undefined')
})

function youngBytes(): number {
  const spaces = v8.getHeapSpaceStatistics()
  const young = spaces.find(({ space_name }) => space_name === 'new_space')
  return young?.space_used_size ?? 0
}
