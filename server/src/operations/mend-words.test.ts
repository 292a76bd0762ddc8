import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuse } from '../core/errors.ts'
import { Type } from '../lib/schema/schema.ts'
import { withMendedWords } from './mend-words.ts'

const input = Type.Object({
  url: Type.String(),
  status: Type.Optional(Type.Enum(['draft', 'published'])),
  events: Type.Optional(
    Type.Array(Type.Enum(['form.submitted', 'message.delivered', 'message.bounced'])),
  ),
})
const fixOf = (given: Record<string, unknown>) =>
  withMendedWords(refuse('invalid_request', 'wrong'), { name: 'webhook.save', input }, given)
    .details.fix

test('words in another spelling are corrected in a fix, which repeats only the fields that change', () => {
  assert.deepEqual(fixOf({ url: 'x', status: 'Draft', events: ['message.bounced'] }), {
    tool: 'webhook.save',
    arguments: { status: 'draft' },
  })
  const events = ['form submitted', 'Message_Delivered', 'form.submitted']
  assert.deepEqual(fixOf({ events }), {
    tool: 'webhook.save',
    arguments: { events: ['form.submitted', 'message.delivered'] },
  })
})

test('no fix is proposed where a word means something else, is no text, or nothing is to be mended', () => {
  const hundred = Array.from({ length: 100 }, () => 'form submitted')
  for (const given of [
    {},
    { status: 'draft' },
    { status: 'publish' },
    { status: '' },
    { status: 1 },
    { events: 'form submitted' },
    { events: ['form submitted', 'weather'] },
    { events: [null] },
    { events: hundred },
    JSON.parse('{"__proto__": "draft", "constructor": ["draft"]}') as Record<string, unknown>,
  ]) {
    assert.equal(fixOf(given), undefined, JSON.stringify(given))
  }
})

test('a fix that the refusal has already is kept', () => {
  const fix = { tool: 'business.list', arguments: {} }
  const refusal = refuse('invalid_request', 'wrong', { fix })
  const kept = withMendedWords(refusal, { name: 'webhook.save', input }, { status: 'Draft' })
  assert.deepEqual(kept.details.fix, fix)
})
