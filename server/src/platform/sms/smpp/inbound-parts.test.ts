import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../../tests/support/eventually.ts'
import type { ReceivedPart } from './deliver.ts'
import { createInboundParts, mostWaiting } from './inbound-parts.ts'

const partOf = (part: number, more: Partial<ReceivedPart> = {}, reference = 1): ReceivedPart => ({
  from: '+33612345678',
  to: '12345',
  body: `${part}`,
  place: { reference, total: 3, part },
  ...more,
})

function joining(waitMs?: number) {
  const handed: string[] = []
  const parts = createInboundParts(async ({ body }) => void handed.push(body), waitMs)
  return { parts, handed }
}

test('a text in one part does not wait', () => {
  const whole = partOf(1, { place: undefined })
  assert.equal(joining().parts.add(whole), whole)
})

test('parts of other people, senders and texts are not mixed', async () => {
  const { parts, handed } = joining()
  parts.add(partOf(1))
  parts.add(partOf(2, { from: '+33612345679' }))
  parts.add(partOf(2, { to: '54321' }))
  parts.add(partOf(2, {}, 2))
  assert.equal(parts.add(partOf(3)), undefined)
  assert.equal(parts.add(partOf(2))?.body, '123')
  await parts.flush()
  assert.deepEqual(handed, ['2', '2', '2'])
})

test('what is not whole in time is handed over as far as it came', async () => {
  const { parts, handed } = joining(20)
  parts.add(partOf(3))
  parts.add(partOf(1))
  await eventually(() => handed.length, Boolean)
  assert.deepEqual(handed, ['13'])
  assert.equal(parts.add(partOf(2)), undefined)
  await parts.flush()
})

test('the oldest goes as it is when too many wait', async () => {
  const { parts, handed } = joining()
  for (let n = 0; n < mostWaiting; n++) parts.add(partOf(1, { body: String(n) }, n))
  assert.deepEqual(handed, [])
  parts.add(partOf(1, { body: 'one more' }, mostWaiting))
  assert.deepEqual(handed, ['0'])
  await parts.flush()
  assert.equal(handed.length, mostWaiting + 1)
})
