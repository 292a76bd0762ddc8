import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { cpuMs } from '../../../../tests/support/processes/cpu-time.ts'
import { classify, type Reply, refusesSender, statusIn } from './classify.ts'
import { plainWords } from './reply-words.ts'
import { requirementsIn } from './sender-requirements.ts'

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
  [421, '4.7.28 Our system has detected an unusual rate of mail', 'policy', '4.7.28'],
  [550, '5.7.26 This mail is unauthenticated: SPF and DKIM did not pass', 'policy', '5.7.26'],
  [554, '5.7.1 Service unavailable; Client host [192.0.2.1] blocked', 'policy', '5.7.1'],
  [550, '5.7.1 <ana@example.com>: Recipient address rejected: User unknown', 'policy', '5.7.1'],
  [554, 'Message rejected due to content: looks like spam', 'policy'],
  [550, '5.1.8 <us@nowhere.example>: Sender address rejected: Domain not found', 'policy', '5.1.8'],
  [530, 'Authentication required', 'policy', '5.7.0'],
  [552, '5.3.4 Message size exceeds fixed limit', 'policy', '5.3.4'],
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

/** A row of the corpus: what a published table says of a reply or report, and where it stands. */
interface Row {
  source: string
  kind: string
  missing: string
  shown: string
  reply: Reply
}

const table = readFileSync(path.join(import.meta.dirname, 'classify.corpus.tsv'), 'utf8')
const lines = table.trimEnd().split('\n')
const legend = lines.filter((line) => line.startsWith('# ') && line.includes(': '))

const corpus = lines
  .filter((line) => !line.startsWith('#'))
  .map((line): Row => {
    const [source = '', kind = '', missing = '', shown = ''] = line.split('\t')
    const [, action, status, diagnostic] = /^DSN (\w+) (\S+) (.*)$/.exec(shown) ?? []
    const text = (diagnostic ?? shown).replaceAll('\\n', '\n')
    const code = /^[245]\d\d/.exec(text)?.[0]
    const reply = { action, status, code: code === undefined ? undefined : Number(code), text }
    return { source, kind, missing, shown, reply }
  })

test('every reply and report of the corpus is judged as its source says', () => {
  assert.ok(corpus.length >= 350)
  for (const { kind, missing, shown, reply } of corpus) {
    const verdict = classify(reply)
    assert.equal(verdict.kind, kind, shown)
    if (missing !== '?') assert.equal(verdict.missing.join(',') || '-', missing, shown)
  }
})

test('every row of the corpus names a source of the legend', () => {
  const sources = new Set(legend.map((line) => line.slice(2, line.indexOf(': '))))
  for (const { source, shown } of corpus) assert.ok(sources.has(source), `${source}: ${shown}`)
})

test('words about the sender, its rate or its mail suppress nobody, whatever status stands there', () => {
  const words = [
    'Message rejected as spam, IP 192.0.2.9 listed at an RBL',
    'Message rejected due to DMARC policy of the sender',
    'sender listed on spam blocklist',
    'your IP has a poor reputation',
    'daily sending quota exceeded',
    'too many connections from your host',
    'Sender address rejected: user unknown',
    'message size exceeds limit',
    'Mailbox quota exceeded for this user',
    'user is temporarily over receiving limit',
  ]
  for (const status of ['5.0.0', '5.1.0', '5.1.1', '5.1.2', '5.1.10', '5.2.1', '5.4.4', '5.5.0']) {
    for (const text of words) {
      const { kind } = failed(status, `550 ${status} ${text}`)
      assert.ok(kind === 'policy' || kind === 'soft', `${status} ${text}: ${kind}`)
    }
  }
})

test('a status about an address that the words leave open suppresses nobody', () => {
  assert.equal(failed('5.1.0', '550 5.1.0 Not accepted').kind, 'unknown')
  assert.equal(
    failed('5.2.1', '521 5.2.1 will not accept delivery of this message').kind,
    'unknown',
  )
  assert.equal(
    failed('5.1.1', '550 5.1.1 <ana@example.com>: Recipient address rejected').kind,
    'hard',
  )
})

test('a temporary refusal ends no mailbox, whatever its words are', () => {
  const soft = classify({
    code: 450,
    text: '450 Requested mail action not taken: mailbox unavailable',
  })
  assert.deepEqual([soft.kind, soft.final], ['soft', false])
  assert.equal(failed('4.1.1', '450 4.1.1 user unknown').kind, 'soft')
})

test('a refusal of one message for its size is not one of the sender', () => {
  assert.ok(!refusesSender(classify({ code: 552, text: '552 5.3.4 Message size exceeds limit' })))
  assert.ok(refusesSender(classify({ code: 550, text: '550 5.7.1 blocked' })))
})

test('what the sender lacks is told by words first, then by status', () => {
  const lacks = (text: string) => requirementsIn(text, statusIn(text))
  assert.deepEqual(lacks('550 5.7.515 Access denied. Spf=Pass, Dkim=Fail, DMARC=Pass'), ['dkim'])
  assert.deepEqual(lacks('550 5.7.27 rejected'), ['spf'])
  // RFC 7505 and RFC 8689 use these two for something else than Google.
  assert.deepEqual(lacks('550 5.7.27 Sender address has null MX'), ['mx'])
  assert.deepEqual(lacks('550 5.7.30 REQUIRETLS support required, use TLS'), ['tls'])
  assert.deepEqual(lacks('550 5.7.1 bulk mail requires a List-Unsubscribe header'), ['unsubscribe'])
  assert.deepEqual(lacks('450 4.7.1 Client host rejected: cannot find your hostname'), ['ptr'])
  assert.deepEqual(lacks('550 5.1.1 user unknown'), [])
})

test('addresses, links, host names and repeated codes are no words', () => {
  const text =
    '550-5.1.1 <spam@blocked.example>: No-such user\r\n550 5.1.1 https://policy.example/spam mx.spam.example'
  assert.equal(plainWords(text), ' @ no such user ')
  assert.equal(plainWords("L’adresse n'existe pas, Empfänger"), ' ladresse nexiste pas empfanger ')
})

test('words in any script and of any length take time in proportion to what is read', () => {
  const start = cpuMs()
  for (const piece of ['user ', '@ ', 'ü', 'a-b.c ', '550-', 'SPF DKIM DMARC ', '\u0301', '.']) {
    classify({ action: 'failed', text: piece.repeat(200_000) })
  }
  assert.ok(cpuMs() - start < 1_000)
})
