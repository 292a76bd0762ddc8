import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeDeliver } from './deliver.ts'
import { tag, writeFields, writeTag } from './fields.ts'
import { nameId } from './provider-id.ts'
import { readReceipt } from './receipt.ts'

const none = new Map<number, Buffer>()
const receiptIn = (text: string, tags = none) => {
  const receipt = readReceipt(text, tags)
  return receipt && [receipt.providerId, receipt.state, receipt.final, receipt.code]
}

test('the spellings of a receipt that SMSCs use are read', () => {
  const example =
    'id:1234567890 sub:001 dlvrd:001 submit date:2611201200 done date:2611201201 stat:DELIVRD err:000 text:Hello'
  assert.deepEqual(receiptIn(example), ['1234567890', 'delivered', true, '000'])
  assert.deepEqual(receiptIn('ID: a-1 Stat: Expired Err: 0x1f'), ['a-1', 'expired', true, '0x1f'])
  assert.deepEqual(receiptIn('id:9 stat:UNDELIVERABLE'), ['9', 'failed', true, undefined])
  assert.deepEqual(receiptIn('id:9 stat:ENROUTE err:000'), ['9', 'accepted', false, '000'])
})

test('a text without an id or a known state is not a receipt', () => {
  for (const text of ['', 'id:', 'stat:DELIVRD', 'id:1', 'id:1 stat:WHATEVER', 'Hello']) {
    assert.equal(receiptIn(text), undefined, text)
  }
})

test('a receipt’s own fields take precedence over its text', () => {
  const tags = new Map([
    [tag.receiptedMessageId as number, Buffer.from('4f1\0')],
    [tag.messageState, Buffer.from([5])],
    [tag.networkErrorCode, Buffer.from([3, 0, 27])],
  ])
  assert.deepEqual(receiptIn('', tags), ['4f1', 'failed', true, '27'])
  assert.deepEqual(receiptIn('id:other stat:DELIVRD err:000', tags), ['4f1', 'failed', true, '000'])
  tags.set(tag.messageState, Buffer.from([99]))
  assert.equal(receiptIn('', tags), undefined)
})

test('a receipt does not store the text that it quotes', () => {
  const words = readReceipt('id:1 stat:DELIVRD err:000 Text:a secret', none)?.words
  assert.equal(words, 'id:1 stat:DELIVRD err:000')
})

const deliver = (esmClass: number, text: string, ...tags: Buffer[]) =>
  decodeDeliver(
    writeFields(
      writeFields('', 1, 1, '33612345678', 1, 1, '12345'),
      writeFields(esmClass, 0, 0, '', '', 0, 0, 0, 0),
      text.length,
      Buffer.from(text),
      ...tags,
    ),
  )

test('a receipt is recognised by its type, or by its fields where the type is missing', () => {
  assert.equal(deliver(0x04, 'id:1 stat:DELIVRD').kind, 'receipt')
  assert.equal(deliver(0x00, 'id:1 stat:DELIVRD').kind, 'text')
  const id = writeTag(tag.receiptedMessageId, Buffer.from('1\0'))
  const state = writeTag(tag.messageState, Buffer.from([2]))
  assert.equal(deliver(0x00, '', id, state).kind, 'receipt')
  assert.equal(deliver(0x00, 'Hi', id).kind, 'text')
})

test('an intermediate notification and an acknowledgement by a phone are neither text nor receipt', () => {
  assert.equal(deliver(0x20, 'id:1 stat:UNDELIV').kind, 'other')
  assert.equal(deliver(0x08, 'id:1 stat:DELIVRD').kind, 'other')
})

test('a hexadecimal message id equals the same number in decimal, with or without leading zeros', () => {
  assert.equal(nameId('0000002A', 'hex', 'answer'), '42')
  assert.equal(nameId('0000000042', 'hex', 'receipt'), '42')
  assert.equal(nameId('not-a-number', 'hex', 'answer'), 'not-a-number')
  assert.equal(nameId('2a', 'same', 'answer'), '2a')
})
