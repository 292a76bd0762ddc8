import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deltasOf,
  eligibilityOf,
  engagementBits,
  marksOf,
  type RecipientChange,
  type RecipientState,
} from './outcomes.ts'

function sumOf(...states: [state: RecipientState, reason?: string][]): Record<string, number> {
  const sums = new Map<string, number>()
  let was: RecipientState = 'taken'
  for (const [state, reason = null] of states) {
    const way: RecipientChange = { was, state, reason, had: 0, marks: 0 }
    for (const [name, n] of deltasOf(way)) sums.set(name, (sums.get(name) ?? 0) + n)
    was = state
  }
  return Object.fromEntries([...sums].filter(([, n]) => n !== 0))
}

test('each recipient counts in one final state, and as sent if the next hop accepted or bounced it', () => {
  assert.deepEqual(sumOf(['sent']), { sent: 1 })
  assert.deepEqual(sumOf(['sent'], ['delivered']), { sent: 1, delivered: 1 })
  assert.deepEqual(sumOf(['sent'], ['delivered'], ['bounced']), { sent: 1, bounced: 1 })
  assert.deepEqual(sumOf(['bounced']), { sent: 1, bounced: 1 })
  assert.deepEqual(sumOf(['sent'], ['failed']), { sent: 1, failed: 1 })
  assert.deepEqual(sumOf(['unknown']), { unknown: 1 })
  assert.deepEqual(sumOf(['unknown'], ['sent']), { sent: 1 })
  assert.deepEqual(sumOf(['failed']), { failed: 1 })
  assert.deepEqual(sumOf(['skipped', 'unsubscribed']), { 'skipped:unsubscribed': 1 })
  assert.deepEqual(sumOf(['cancelled', 'campaign_cancelled']), { cancelled: 1 })
})

test('a person’s opens and clicks count once, separately from those of machines', () => {
  const opened = marksOf({ event: 'opened', machine: true }) | marksOf({ event: 'clicked' })
  const way = {
    was: 'sent',
    state: 'sent',
    reason: null,
    had: engagementBits.clicked,
    marks: opened,
  } as const
  assert.deepEqual([...deltasOf(way)], [['opened_by_machine', 1]])
})

test('the reason why a message was not sent uses the same words as the plan', () => {
  const of = (state: 'suppressed' | 'cancelled', reason: string) => eligibilityOf({ state, reason })
  assert.deepEqual(of('suppressed', 'bounce'), { state: 'skipped', reason: 'invalid' })
  assert.deepEqual(of('suppressed', 'complaint'), { state: 'skipped', reason: 'suppressed' })
  assert.deepEqual(of('suppressed', 'unsubscribed'), { state: 'skipped', reason: 'unsubscribed' })
  assert.deepEqual(of('cancelled', 'erased'), { state: 'skipped', reason: 'erased' })
  const ended = { state: 'cancelled', reason: 'campaign_cancelled' }
  assert.deepEqual(of('cancelled', 'campaign_cancelled'), ended)
  assert.equal(eligibilityOf({ state: 'deferred' }).state, undefined)
})
