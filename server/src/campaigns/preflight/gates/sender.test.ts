import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '../../../core/errors.ts'
import type { Sender } from '../../../sender-domains/senders/senders.ts'
import { createUnsubscribeCheck } from '../../../subscriptions/unsubscribe-check.ts'
import type { Preview } from '../../../templates/previews.ts'
import { refuseBlocked } from './gate.ts'
import { senderGate } from './sender.ts'
import { unsubscribeGate } from './unsubscribe.ts'

const verified: Sender = {
  from: 'Ana <ana@shop.example>',
  domain: 'shop.example',
  keys: [],
  verified: true,
  marketing: true,
}

test('an unverified sender domain blocks, with the call that shows what is missing', () => {
  const fix = { tool: 'domain.status', arguments: { domain: 'shop.example', check: true } }
  const no = refuse('conflict', 'shop.example is not verified.', { fix })
  const gate = senderGate(no)
  assert.deepEqual([gate.result, gate.fix], ['block', fix])
  assert.deepEqual(refuseBlocked([gate])?.details.fix, fix)
  assert.equal(senderGate(verified).result, 'pass')
})

test('missing DNS records for bulk mail block; a missing postal address is left to its own gate', () => {
  const dns = refuse('conflict', 'Marketing waits for DNS records: TXT _dmarc.shop.example.')
  assert.equal(senderGate({ ...verified, marketing: dns }).result, 'block')
  const postal = refuse('conflict', 'No address.', { data: { lacks: 'postal_address' } })
  assert.equal(senderGate({ ...verified, marketing: postal }).result, 'pass')
})

const mail = (html: string): Preview => ({ data: 'sample', subject: 'News', html, text: 'News' })

test('an unsubscribe link to localhost blocks until BASE_URL is public', async () => {
  const local = createUnsubscribeCheck({ baseUrl: 'http://localhost:8080', isReal: true })
  const gate = await unsubscribeGate(local, [mail('<p>News</p>')], undefined)
  assert.equal(gate.result, 'block')
  assert.match(gate.remedy ?? '', /BASE_URL/)
  const open = createUnsubscribeCheck({ baseUrl: 'https://crier.example', isReal: true })
  assert.equal((await unsubscribeGate(open, [mail('<p>News</p>')], undefined)).result, 'pass')
  const host = await unsubscribeGate(local, [mail('<p>News</p>')], 't.shop.example')
  assert.equal(host.result, 'pass', 'the sender domain has an address of its own for links')
  const toy = createUnsubscribeCheck({ baseUrl: 'http://localhost:8080', isReal: false })
  assert.equal((await unsubscribeGate(toy, [mail('<p>News</p>')], undefined)).result, 'pass')
})

test('an unsubscribe link inside an unclosed comment blocks until the comment is closed', async () => {
  const unsubscribeCheck = createUnsubscribeCheck({
    baseUrl: 'https://crier.example',
    isReal: true,
  })
  const swallowed = await unsubscribeGate(
    unsubscribeCheck,
    [mail('<p>News</p><!-- for later')],
    undefined,
  )
  assert.equal(swallowed.result, 'block')
  assert.match(swallowed.evidence, /swallowed/)
  const closed = await unsubscribeGate(
    unsubscribeCheck,
    [mail('<p>News</p><!-- for later -->')],
    undefined,
  )
  assert.equal(closed.result, 'pass')
})
