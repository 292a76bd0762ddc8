import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../core/ids.ts'
import type { SendResult } from '../lib/email/transport.ts'
import { days, later } from '../lib/time/clock.ts'
import { outcomeOf } from './attempts.ts'
import { answerOf } from './mail-carrier.ts'
import type { Message, MessageKind } from './message.ts'

const now = new Date('2026-11-20T10:00:00Z')
const job = { businessId: newId('business'), shard: 0, id: newId('job'), lease: '0000-lease' }

function message(kind: MessageKind, queuedAt = now): Message {
  return {
    businessId: newId('business'),
    id: newId('message'),
    channel: 'email',
    kind,
    isReply: false,
    contactId: null,
    campaignId: null,
    to: 'ana@example.com',
    zone: null,
    trackingConsent: null,
    templateVersionId: null,
    state: 'queued',
    attempts: 1,
    dueAt: queuedAt,
    queuedAt,
  }
}

const refusedReply = (words: string): SendResult => ({
  result: 'refused',
  code: Number(words.slice(0, 3)),
  words,
})

const table: [what: string, sent: SendResult, transactional: string, marketing: string][] = [
  ['250', { result: 'accepted', words: '250 Ok' }, 'accepted', 'accepted'],
  ['4xx', refusedReply('451 4.3.0 later'), 'deferred', 'deferred'],
  ['421', refusedReply('421 4.7.0 slow down'), 'deferred', 'deferred'],
  ['lost before the content', { result: 'untouched', fault: 'gone' }, 'deferred', 'deferred'],
  ['lost after it', { result: 'unclear', fault: 'gone' }, 'deferred', 'unknown'],
  ['nobody of that name', refusedReply('550 5.1.1 no such user'), 'bounced', 'bounced'],
  ['policy', refusedReply('550 5.7.1 not from you'), 'failed', 'failed'],
  ['full for good', refusedReply('552 5.2.2 mailbox full'), 'failed', 'failed'],
]

test('the SMTP reply determines the state of a message, for each kind of mail', () => {
  for (const [what, sent, transactional, marketing] of table) {
    const of = (kind: MessageKind) => outcomeOf(message(kind), job, answerOf(sent), now).state
    assert.deepEqual([of('transactional'), of('marketing')], [transactional, marketing], what)
  }
})

test('only a hard bounce suppresses the address, and only a policy refusal counts against the sender', () => {
  for (const [what, sent] of table) {
    const { suppress, refusesSender } = outcomeOf(
      message('transactional'),
      job,
      answerOf(sent),
      now,
    )
    assert.equal(suppress, what === 'nobody of that name', what)
    assert.equal(refusesSender, what === 'policy', what)
  }
})

test('a message that is still deferred after three days has failed', () => {
  const old = message('transactional', later(now, -days(3)))
  const outcome = outcomeOf(old, job, answerOf(refusedReply('451 4.3.0 later')), now)
  assert.deepEqual([outcome.state, outcome.dueAt], ['failed', null])
})

test('the words of the remote server are stored unchanged and cut to 500 characters', () => {
  const answer = answerOf(refusedReply(`550 5.1.1 ${'x'.repeat(900)}`))
  const outcome = outcomeOf(message('marketing'), job, answer, now)
  assert.equal(outcome.code, '5.1.1')
  assert.equal(outcome.words?.length, 500)
})
