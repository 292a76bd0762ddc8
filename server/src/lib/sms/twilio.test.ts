import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTwilioCall, parseTwilioInbound, parseTwilioReceipt } from './twilio.ts'

const noon = new Date('2026-11-20T12:00:00Z')

// The example in Twilio's own documentation and libraries.
const example = {
  url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
  form: new URLSearchParams({
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  }),
  signature: 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
  token: '12345',
}

test('the signature of Twilio’s published example is valid', () => {
  assert.equal(isTwilioCall(example), true)
})

test('a repeated form field is signed once with each of its values', () => {
  const form = new URLSearchParams('Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234')
  assert.equal(isTwilioCall({ ...example, form, signature: 'IK+Dwps556ElfBT0I3Rgjkr1wJU=' }), true)
})

test('a signature is valid for the URL with or without its port', () => {
  const { url, ...rest } = example
  const withPort = url.replace('.com/', '.com:443/')
  assert.equal(isTwilioCall({ ...rest, url: withPort }), true)
})

test('a signature is invalid for anything other than what was signed', () => {
  const { form, url } = example
  const changed = new URLSearchParams(form)
  changed.set('Digits', '1235')
  const more = new URLSearchParams(form)
  more.append('Digits', '5')
  for (const other of [
    { form: changed },
    { form: more },
    { url: `${url}3` },
    { url: 'mycompany.com' },
    { token: '12346' },
    { signature: '' },
    { signature: 'AAAA' },
    { signature: '!' },
  ]) {
    assert.equal(isTwilioCall({ ...example, ...other }), false, JSON.stringify(other))
  }
})

test('a receipt has the state, the error code and whether the state is final', () => {
  const receipt = (fields: Record<string, string>) =>
    parseTwilioReceipt(new URLSearchParams({ MessageSid: 'SM1', ...fields }), noon)
  assert.deepEqual(receipt({ MessageStatus: 'delivered' }), {
    providerId: 'SM1',
    state: 'delivered',
    final: true,
    at: noon,
    identity: 'SM1:delivered',
  })
  const gone = receipt({ MessageStatus: 'undelivered', ErrorCode: '30005' })
  assert.deepEqual([gone?.state, gone?.code, gone?.final], ['failed', '30005', true])
  assert.equal(receipt({ MessageStatus: 'failed', ErrorCode: '30007' })?.state, 'rejected')
  assert.equal(receipt({ MessageStatus: 'sent' })?.final, false)
  assert.equal(receipt({ MessageStatus: 'queued' }), undefined)
  assert.equal(parseTwilioReceipt(new URLSearchParams(), noon), undefined)
})

test('a text from a person is read, and any other message is ignored', () => {
  const fields = { MessageSid: 'SM2', From: '+33612345678', To: '12345', Body: 'STOP' }
  const text = parseTwilioInbound(new URLSearchParams(fields), noon)
  assert.deepEqual(text, {
    providerId: 'SM2',
    from: '+33612345678',
    to: '12345',
    body: 'STOP',
    at: noon,
  })
  const keyword = (OptOutType: string) =>
    parseTwilioInbound(new URLSearchParams({ ...fields, OptOutType }), noon)?.keyword
  assert.deepEqual(['STOP', 'START', 'HELP', 'stop', '', 'constructor'].map(keyword), [
    'stop',
    'start',
    'help',
    'stop',
    undefined,
    undefined,
  ])
  const whatsapp = { ...fields, From: 'whatsapp:+33612345678' }
  assert.equal(parseTwilioInbound(new URLSearchParams(whatsapp), noon), undefined)
  const { Body: _, ...without } = fields
  assert.equal(parseTwilioInbound(new URLSearchParams(without), noon), undefined)
})
