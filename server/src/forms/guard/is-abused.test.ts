import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAbused } from './guard.ts'

const quiet = { asked: 0, confirmed: 0, mailedLongAgo: 0, answeredInTime: 0 }

test('more than twenty mails with under a fifth answered in an hour are abuse', () => {
  const after = (mailedLongAgo: number, answeredInTime: number) =>
    isAbused({ ...quiet, requests: mailedLongAgo, mailedLongAgo, answeredInTime })
  assert.equal(after(20, 0), false)
  assert.equal(after(21, 0), true)
  assert.equal(after(21, 4), true)
  assert.equal(after(21, 5), false)
  assert.equal(after(100, 20), false)
  assert.equal(after(100, 19), true)
})

test('more than a hundred waiting confirmations are judged at once', () => {
  const now = (asked: number, confirmed: number) =>
    isAbused({ ...quiet, requests: asked, confirmed })
  assert.equal(now(100, 0), false)
  assert.equal(now(101, 0), true)
  assert.equal(now(101, 1), false)
  assert.equal(now(125, 24), true)
  assert.equal(now(126, 25), true)
  assert.equal(now(126, 26), false)
})
