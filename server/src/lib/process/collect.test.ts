import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { collect, collectAll } from './collect.ts'

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
