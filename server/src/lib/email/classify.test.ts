import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../tests/support/processes/cpu-time.ts'
import { classify, type Reply, statusIn } from './classify.ts'

const failed = (status: string | undefined, text = '') =>
  classify({ action: 'failed', status, text })

/** SMTP replies in servers' wordings, and their classification. */
const replies: [code: number, text: string, kind: string, status?: string][] = [
  [550, '5.1.1 <ana@example.com>: Recipient address rejected: User unknown', 'hard', '5.1.1'],
  [550, '5.1.1 The email account that you tried to reach does not exist.', 'hard', '5.1.1'],
  [550, '5.2.1 The email account that you tried to reach is disabled.', 'hard', '5.2.1'],
  [
    550,
    '5.1.10 RESOLVER.ADR.RecipientNotFound; not found by SMTP address lookup',
    'hard',
    '5.1.10',
  ],
  [556, '5.1.10 Recipient address has null MX', 'hard', '5.1.10'],
  [550, '5.4.1 Recipient address rejected: Access denied. AS(201806281)', 'hard', '5.4.1'],
  [554, "delivery error: dd This user doesn't have a yahoo.example account (ana@x)", 'hard'],
  [550, 'sorry, no mailbox here by that name. (#5.1.1)', 'hard', '5.1.1'],
  [550, 'No such user here', 'hard'],
  [550, 'Unrouteable address', 'hard'],
  [452, '4.2.2 The email account that you tried to reach is over quota', 'soft', '4.2.2'],
  [552, '5.2.2 This mailbox is full', 'soft', '5.2.2'],
  [552, 'Requested mail action aborted: exceeded storage allocation', 'soft', '5.2.2'],
  [451, '4.7.1 Greylisting in action, please come back later', 'soft', '4.7.1'],
  [421, '4.7.28 Our system has detected an unusual rate of mail', 'soft', '4.7.28'],
  [550, '5.7.26 This mail is unauthenticated: SPF and DKIM did not pass', 'policy', '5.7.26'],
  [554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked', 'policy', '5.7.1'],
  [550, '5.7.1 <ana@example.com>: Recipient address rejected: User unknown', 'policy', '5.7.1'],
  [554, 'Message rejected due to content: looks like spam', 'policy'],
  [550, '5.1.8 <us@nowhere.example>: Sender address rejected: Domain not found', 'policy', '5.1.8'],
  [530, 'Authentication required', 'policy', '5.7.0'],
  [552, '5.3.4 Message size exceeds fixed limit', 'unknown', '5.3.4'],
  [554, 'Transaction failed', 'unknown'],
  [550, 'Requested action not taken', 'unknown'],
]

for (const [code, text, kind, status] of replies) {
  test(`the reply ${code} ${text} is classified as ${kind}`, () => {
    const verdict = classify({ code, text })
    assert.deepEqual([verdict.kind, verdict.status], [kind, status])
    assert.equal(verdict.final, code >= 500)
  })
}

test('a failure with status 5.1.x, 5.2.1 or 5.4.4 is a hard bounce', () => {
  for (const status of ['5.1.0', '5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1', '5.4.4']) {
    assert.equal(failed(status).kind, 'hard', status)
  }
})

test('a message given up after 4.2.2 is a soft bounce, and final', () => {
  const verdict = failed('4.2.2', 'smtp; 452 4.2.2 mailbox full')
  assert.deepEqual([verdict.kind, verdict.final], ['soft', true])
})

test('a delay report is soft and not final', () => {
  const verdict = classify({ action: 'delayed', status: '4.4.1', text: 'Connection timed out' })
  assert.deepEqual([verdict.kind, verdict.final], ['soft', false])
})

test('5.7.x is a policy bounce, whatever its text says about the recipient', () => {
  for (const status of ['5.7.0', '5.7.1', '5.7.26', '5.7.509', '5.7.606']) {
    assert.equal(failed(status, 'User unknown').kind, 'policy', status)
  }
})

test('5.0.0 is classified by a status in its text, else by its words, else as unknown', () => {
  assert.equal(failed('5.0.0', 'smtp; 550 5.1.1 no').kind, 'hard')
  assert.equal(failed('5.0.0', 'ana@example.com\n    Unrouteable address').kind, 'hard')
  assert.equal(failed('5.0.0', 'ana@example.com\n    mailbox is full').kind, 'soft')
  assert.equal(failed('5.0.0', 'ana@example.com\n    it did not work').kind, 'unknown')
  assert.equal(failed('5.0.0').kind, 'unknown')
  assert.equal(failed(undefined).kind, 'unknown')
})

test('421 and 4.7.x ask for a slower rate, and other replies do not', () => {
  const slower = (reply: Partial<Reply>) => classify({ text: '', ...reply }).slower
  assert.ok(slower({ code: 421 }))
  assert.ok(slower({ code: 450, text: '4.7.0 too fast' }))
  assert.ok(slower({ action: 'failed', status: '4.7.28' }))
  assert.ok(!slower({ code: 450, text: '4.2.1 busy' }))
  assert.ok(!slower({ code: 550, text: '5.7.1 no' }))
})

test('an IP address, a version or a longer number is not read as a status', () => {
  assert.equal(statusIn('host 5.1.1.20 said'), undefined)
  assert.equal(statusIn('from 192.5.1.1 port 25'), undefined)
  assert.equal(statusIn('Postfix 15.1.1'), undefined)
  assert.equal(statusIn('Exchange 5.1.1234'), undefined)
  assert.equal(statusIn('550-5.1.1 no. 5.7.1'), '5.1.1')
})

test('a text made to slow down a pattern is classified quickly', () => {
  const start = cpuMs()
  for (const piece of ['mailbox ', 'user user', "doesn't have a ", ' \n\t', 'account a ']) {
    classify({ action: 'failed', status: '5.0.0', text: piece.repeat(100_000) })
  }
  assert.ok(cpuMs() - start < 1_000)
})
