import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSteadyClock, days, hours, minutes, seconds } from './clock.ts'

const start = Date.parse('2026-11-24T09:00:00Z')

function moved() {
  let at = start
  let passed = 0
  const clock = createSteadyClock({ now: () => new Date(at) }, () => passed)
  return {
    clock,
    /** Time passes, and the clock shows it. */
    pass(ms: number) {
      at += ms
      passed += ms
    },
    /** Somebody sets the clock. */
    set(ms: number) {
      at += ms
    },
    shown: () => clock.now().getTime() - start,
  }
}

test('a clock that is adjusted slowly is followed, however far it goes', () => {
  const { clock, pass, set, shown } = moved()
  for (let n = 0; n < 100; n++) {
    pass(seconds(60))
    set(seconds(2))
    assert.equal(shown(), (n + 1) * seconds(62))
    assert.equal(clock.jump(), undefined)
  }
})

for (const aheadMs of [days(400), hours(1), -hours(1), -days(400), seconds(6)]) {
  test(`a clock that jumps by ${aheadMs / 1000} s is not believed until it is right again`, () => {
    const { clock, pass, set, shown } = moved()
    pass(seconds(10))
    set(aheadMs)
    assert.deepEqual(clock.jump(), { aheadMs })
    pass(minutes(5))
    assert.equal(shown(), seconds(310), 'it goes on from the time before')
    assert.deepEqual(clock.jump(), { aheadMs })
    set(-aheadMs)
    assert.equal(clock.jump(), undefined)
    assert.equal(shown(), seconds(310))
  })
}

test('a correction of less than a day is believed once the clock has gone on evenly for 15 minutes', () => {
  const { clock, pass, set, shown } = moved()
  clock.now()
  set(hours(2))
  assert.ok(clock.jump())
  pass(minutes(14))
  assert.ok(clock.jump())
  // Another jump begins the wait anew.
  set(hours(1))
  assert.ok(clock.jump())
  pass(minutes(14))
  assert.ok(clock.jump())
  pass(minutes(1))
  assert.equal(clock.jump(), undefined)
  assert.equal(shown(), hours(3) + minutes(29))
  set(days(2))
  assert.ok(clock.jump())
  pass(days(3))
  assert.deepEqual(clock.jump(), { aheadMs: days(2) }, 'a person decides')
})
