import assert from 'node:assert/strict'
import { test } from 'node:test'
import { campaignLine, doneOf, paceOf } from './campaign-line.ts'

const deployed = (sent: number) => ({ status: 'deployed', recipients: 10_000, counts: { sent } })

test('the progress line of a campaign shows how far it is, its rate and the time left', () => {
  const looks = [
    { at: 0, done: 6_000 },
    { at: 2_000, done: 6_204 },
  ]
  assert.equal(
    campaignLine({ ...deployed(6_204), counts: { sent: 6_204, bounced: 41 } }, looks),
    `${'█'.repeat(18)}${'░'.repeat(12)}  6,204 / 10,000 · 62% · 102/s · about 38 s left · deployed · sent 6,204, bounced 41, failed 0`,
  )
})

test('a paused campaign has no rate, and a completed one has a full bar', () => {
  assert.equal(paceOf([{ at: 0, done: 5 }]), 0)
  assert.doesNotMatch(campaignLine({ ...deployed(10), status: 'paused' }, []), /left/)
  const over = { status: 'completed', recipients: 3, counts: { sent: 2, 'skipped:suppressed': 1 } }
  assert.equal(doneOf(over), 3)
  assert.match(campaignLine(over, []), /^█{30} {2}3 \/ 3 · 100%/)
  assert.match(campaignLine({ status: 'draft', recipients: null, counts: {} }, []), /0 \/ 0 · 0%/)
})

test('the progress line of a slow campaign gives its rate per minute and the time left in hours', () => {
  const looks = [
    { at: 0, done: 0 },
    { at: 60_000, done: 30 },
  ]
  assert.match(campaignLine(deployed(30), looks), /30\/min · about 6 h left/)
})

test('the progress line says what a campaign waits for, and where a person approves it', () => {
  const of = (waits: { for: string; until: string | null; approval_url?: string }) =>
    campaignLine({ ...deployed(0), waits }, [])
  const approval_url = 'https://app.example/campaigns/cmp_1'
  assert.ok(
    of({ for: 'approval', until: null, approval_url }).endsWith(
      `waits for a person’s approval: ${approval_url}`,
    ),
  )
  const until = '2026-11-23T09:00:00.000Z'
  assert.ok(of({ for: 'send_at', until }).endsWith(`goes out at ${until}`))
  assert.ok(of({ for: 'local_hours', until }).endsWith(`some wait for their hour, until ${until}`))
  assert.ok(
    of({ for: 'first_recipients', until: null }).endsWith('wait for what comes of the first'),
  )
})
