/** Whatever calls our endpoints, the request is either read or ignored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { parseKannelInbound, parseKannelReceipt } from './kannel.ts'
import { isTwilioCall, parseTwilioInbound, parseTwilioReceipt } from './twilio.ts'

const noon = new Date('2026-11-20T12:00:00Z')
const kannelNames = ['id', 'type', 'answer', 'time', 'from', 'to', 'text']
const twilioNames = [
  'From',
  'To',
  'Body',
  'MessageSid',
  'MessageStatus',
  'ErrorCode',
  'SmsSid',
  'OptOutType',
]
const names = fc.constantFrom(...kannelNames, ...twilioNames)
const values = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('1', '16', '33612345678', '+33612345678', 'delivered', '1e999', '-1'),
)
const queries = fc
  .array(fc.tuple(names, values), { maxLength: 12 })
  .map((fields) => new URLSearchParams(fields))

test('any query or form is parsed as a text, a receipt or nothing', () => {
  fc.assert(
    fc.property(queries, (query) => {
      for (const read of [parseKannelReceipt, parseTwilioReceipt]) {
        const receipt = read(query, noon)
        assert.ok(!receipt || (receipt.providerId !== '' && receipt.at <= noon))
      }
      for (const read of [parseKannelInbound, parseTwilioInbound]) {
        const text = read(query, noon)
        assert.ok(!text || (/^\+\d{3,15}$/.test(text.from) && text.at <= noon))
      }
    }),
    { numRuns: 5000 },
  )
})

test('no made-up URL, form or signature is accepted as signed', () => {
  const words = fc.string({ unit: 'binary', maxLength: 60 })
  const urls = fc.oneof(words, fc.webUrl())
  fc.assert(
    fc.property(urls, queries, words, words, (url, form, signature, token) => {
      assert.equal(isTwilioCall({ url, form, signature, token }), false)
    }),
    { numRuns: 2000 },
  )
})
