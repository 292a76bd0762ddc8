import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseKannelInbound, parseKannelReceipt } from './kannel.ts'

const noon = new Date('2026-11-20T12:00:00Z')
const query = (fields: Record<string, string>) => new URLSearchParams(fields)
const inbound = (fields: Record<string, string>) =>
  parseKannelInbound(query({ from: '33612345678', to: '1', text: 'Hi', ...fields }), noon)

test('a Kannel receipt has the id of its text, the state and the time', () => {
  const time = String(noon.getTime() / 1000 - 60)
  assert.deepEqual(parseKannelReceipt(query({ id: 'a', type: '1', answer: '', time }), noon), {
    providerId: 'a',
    state: 'delivered',
    final: true,
    at: new Date('2026-11-20T11:59:00Z'),
    identity: 'a:1',
  })
})

test('the network’s answer behind an SMPP link refines the state and code of a receipt', () => {
  const answer = 'id:7 sub:001 dlvrd:000 stat:EXPIRED err:034 text:'
  const receipt = parseKannelReceipt(query({ id: 'a', type: '2', answer }), noon)
  assert.deepEqual([receipt?.state, receipt?.code, receipt?.words], ['expired', '034', answer])
  assert.equal(parseKannelReceipt(query({ id: 'a', type: '16' }), noon)?.state, 'rejected')
  assert.equal(parseKannelReceipt(query({ id: 'a', type: '8' }), noon)?.final, false)
})

test('a query that is not a receipt gives no receipt', () => {
  assert.equal(parseKannelReceipt(query({ type: '1' }), noon), undefined)
  assert.equal(parseKannelReceipt(query({ id: 'a', type: '3' }), noon), undefined)
})

test('the sender’s number gets its plus, however the network spells it', () => {
  for (const from of ['33612345678', '+33612345678', '0033612345678', ' 33612345678']) {
    assert.equal(inbound({ from })?.from, '+33612345678', from)
  }
  assert.equal(inbound({ from: 'Bank' }), undefined)
})

test('a time that is invalid or in the future is replaced by the current time', () => {
  for (const time of ['', 'soon', '-1', '0', '1e300', '99999999999']) {
    assert.deepEqual(inbound({ time })?.at, noon, time)
  }
})

test('texts without an id get the same id for the same contents', () => {
  const time = '1795000000'
  assert.equal(inbound({ time })?.providerId, inbound({ time })?.providerId)
  assert.notEqual(inbound({ time, text: 'Ho' })?.providerId, inbound({ time })?.providerId)
  assert.equal(inbound({ id: 'kannel-1' })?.providerId, 'kannel-1')
})
