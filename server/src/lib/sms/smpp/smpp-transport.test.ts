import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openSmsTransport } from '../../../../../tests/support/sms/sms-transport.ts'
import { startSmsc, withoutSmsc } from '../../../../../tests/support/sms/smsc.ts'
import { eventually } from '../../../../../tests/support/time/eventually.ts'

const skip = withoutSmsc() ?? false

async function peer(t: TestContext, parameters = '') {
  const smsc = await startSmsc()
  t.after(() => smsc.stop())
  const transport = openSmsTransport(smsc.url(parameters))
  t.after(() => transport.close())
  return { smsc, transport }
}

test('a text arrives unchanged, and its receipt carries its id', { skip }, async (t) => {
  const { smsc, transport } = await peer(t)
  await smsc.order('receipts', { stat: 'DELIVRD' })
  const sent = await transport.sendOne({ body: 'é€[1] @ home' })
  assert.ok(sent.result === 'accepted', JSON.stringify(sent))
  assert.deepEqual([sent.segments, sent.words], [1, 'ESME_ROK'])
  const [submit] = await smsc.until('submit', 1)
  assert.equal(submit?.['message'], '051b651b3c311b3e200020686f6d65')
  assert.deepEqual(
    ['data_coding', 'esm_class', 'destination_addr', 'registered_delivery'].map((f) => submit?.[f]),
    [0, 0, '33612345678', 1],
  )
  const [receipt] = await eventually(
    () => transport.receipts,
    ({ length }) => length > 0,
  )
  assert.equal(receipt?.providerId, sent.providerId)
  assert.deepEqual([receipt?.state, receipt?.final, receipt?.code], ['delivered', true, '000'])
  assert.doesNotMatch(receipt?.words ?? '', /secret/)
  assert.equal((await smsc.until('taken', 1))[0]?.['status'], 0)
})

test('receipts report the final state of a text', { skip }, async (t) => {
  const { smsc, transport } = await peer(t)
  for (const stat of ['EXPIRED', 'UNDELIV', 'REJECTD', 'ACCEPTD']) {
    await smsc.order('receipts', { stat, err: '0a1' })
    await transport.sendOne()
  }
  await eventually(
    () => transport.receipts.length,
    (count) => count === 4,
  )
  assert.deepEqual(
    transport.receipts.map(({ state, final, code }) => [state, final, code]),
    [
      ['expired', true, '0a1'],
      ['failed', true, '0a1'],
      ['rejected', true, '0a1'],
      ['accepted', false, '0a1'],
    ],
  )
})

test('hexadecimal ids from the SMSC match decimal ids in its receipts', { skip }, async (t) => {
  const { smsc, transport } = await peer(t, '?ids=hex')
  await smsc.order('receipts', { stat: 'DELIVRD', decimal: true })
  const sent = await Promise.all(Array.from({ length: 12 }, () => transport.sendOne()))
  await eventually(
    () => transport.receipts.length,
    (count) => count === 12,
  )
  assert.deepEqual(
    new Set(transport.receipts.map(({ providerId }) => providerId)),
    new Set(sent.map((entry) => entry.result === 'accepted' && entry.providerId)),
  )
})

test('a long text is sent in parts that a phone joins, and only the last part has a receipt', {
  skip,
}, async (t) => {
  const { smsc, transport } = await peer(t)
  const body = `${'ж'.repeat(66)}👍${'ж'.repeat(70)}`
  const sent = await transport.sendOne({ body })
  assert.equal(sent.result === 'accepted' && sent.segments, 3)
  const parts = await smsc.until('submit', 3)
  const octets = parts.map(({ message }) => Buffer.from(String(message), 'hex'))
  const reference = octets[0]?.[3] ?? -1
  assert.deepEqual(
    octets.map((part) => [...part.subarray(0, 6)]),
    [1, 2, 3].map((part) => [5, 0, 3, reference, 3, part]),
  )
  const texts = octets.map((part) => part.subarray(6).swap16().toString('utf16le'))
  assert.equal(texts.join(''), body)
  assert.ok(parts.every((part) => part['esm_class'] === 0x40 && part['data_coding'] === 8))
  assert.deepEqual(
    parts.map((part) => part['registered_delivery']),
    [0, 0, 1],
  )
})

test('a long text is sent with sar fields where SMS_URL says so', { skip }, async (t) => {
  const { smsc, transport } = await peer(t, '?long=sar')
  await transport.sendOne({ body: 'a'.repeat(161) })
  const parts = await smsc.until('submit', 2)
  assert.deepEqual(
    parts.map((part) => [part['sar_total_segments'], part['sar_segment_seqnum']]),
    [
      ['02', '01'],
      ['02', '02'],
    ],
  )
  assert.equal(parts[0]?.['sar_msg_ref_num'], parts[1]?.['sar_msg_ref_num'])
  assert.ok(parts.every((part) => part['esm_class'] === 0))
})

test('a long text is sent whole in message_payload where SMS_URL says so', { skip }, async (t) => {
  const { smsc, transport } = await peer(t, '?long=payload')
  const sent = await transport.sendOne({ body: 'a'.repeat(400) })
  assert.equal(sent.result === 'accepted' && sent.segments, 3)
  const [submit, more] = await smsc.until('submit', 1)
  assert.equal(more, undefined)
  assert.equal(submit?.['message'], '')
  assert.equal(submit?.['message_payload'], '61'.repeat(400))
})

test('a sender is a phone number, a short number or a name', { skip }, async (t) => {
  const { smsc, transport } = await peer(t, '?from=Crier')
  for (const from of ['+33612345678', '12345', 'Ana & Co', undefined])
    await transport.sendOne({ from })
  assert.deepEqual(
    (await smsc.until('submit', 4)).map((entry) =>
      ['source_addr', 'source_addr_ton', 'source_addr_npi'].map((f) => entry[f]),
    ),
    [
      ['33612345678', 1, 1],
      ['12345', 3, 0],
      ['Ana & Co', 5, 0],
      ['Crier', 5, 0],
    ],
  )
})

test('a refusal says whether the text may be sent again', { skip }, async (t) => {
  const { smsc, transport } = await peer(t)
  await smsc.order('statuses', { next: [0x58, 0x14, 0x0b, 0x0a, 0x45, 0x4ff] })
  const told: unknown[] = []
  for (let n = 0; n < 6; n++) {
    const sent = await transport.sendOne()
    assert.ok(sent.result === 'refused')
    told.push([sent.code.slice(-4), sent.final, sent.kind, sent.slower ?? false])
  }
  assert.deepEqual(told, [
    ['0058', false, 'soft', true],
    ['0014', false, 'soft', true],
    ['000b', true, 'hard', false],
    ['000a', true, 'policy', false],
    ['0045', true, 'unknown', false],
    ['04ff', true, 'unknown', false],
  ])
  assert.equal((await transport.sendOne()).result, 'accepted')
})

test('a throttled part is sent again after a moment, and a refused part leaves the text unclear', {
  skip,
}, async (t) => {
  const { smsc, transport } = await peer(t)
  await smsc.order('statuses', { next: [0, 0x58] })
  assert.equal((await transport.sendOne({ body: 'a'.repeat(200) })).result, 'accepted')
  await smsc.order('statuses', { next: [0, 0x0b] })
  assert.deepEqual(await transport.sendOne({ body: 'a'.repeat(200) }), {
    result: 'unclear',
    fault: 'part 2 of 2 did not follow: 0x0000000b ESME_RINVDSTADR',
  })
})
