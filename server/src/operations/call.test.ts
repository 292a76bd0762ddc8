import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { type Operation, operation, type Principal, type Reach } from '../core/operation.ts'
import { createEngine } from '../core/writes/unit-of-work.ts'
import { createVault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { type Clock, systemClock } from '../lib/time/clock.ts'
import { callOperation } from './call.ts'

const hints = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
const common = { title: 'A', summary: 'A', hints, rest: 'GET /v1/a', tier: 'growth' } as const

const echo = operation({
  ...common,
  name: 'a.echo',
  reach: 'business',
  scope: 'forms:read',
  role: 'editor',
  input: { word: Type.String({ maxLength: 3, description: 'One short word.' }) },
  output: Type.Object({ said: Type.String(), in: Type.String() }),
  async run({ business }, { word }) {
    if (word === 'no') throw refuse('conflict', 'No.')
    return { said: word, in: business.name }
  },
})

function reach(changes: Partial<Reach> = {}): Reach {
  return { id: newId('business'), name: 'One', tier: 'scale', role: 'owner', ...changes }
}

function principal(businesses: Reach[], scopes: Principal['scopes'] = new Set(['forms:read'])) {
  return { connectionId: newId('connection'), userId: newId('user'), scopes, businesses }
}

async function call(who: Principal, input: Record<string, unknown>, what: Operation = echo) {
  const counted: Id<'business'>[] = []
  const output = await callOperation(
    {
      db: {} as Database,
      clock: systemClock satisfies Clock,
      engine: createEngine({ db: {} as Database, clock: systemClock }),
      vault: createVault('a secret'),
      counter: { count: (id) => counted.push(id) },
      appUrl: 'https://app.example',
      toolNamed: (name) => (name === 'thing.mend' ? { scope: 'forms:write', role: 'admin' } : what),
    },
    { operation: what, input, principal: who, requestId: 'req_1' },
  )
  return { output: output as Refusal & { said?: string; in?: string }, counted }
}

test('a call runs in the only business within reach and is counted there', async () => {
  const one = reach()
  const { output, counted } = await call(principal([one]), { word: 'hi' })
  assert.deepEqual(output, { said: 'hi', in: 'One' })
  assert.deepEqual(counted, [one.id])
})

test('a refused call is not counted', async () => {
  const { output, counted } = await call(principal([reach()]), { word: 'no' })
  assert.equal(output.code, 'conflict')
  assert.deepEqual(counted, [])
})

test('a call without the scope is refused with its name before anything else is checked', async () => {
  const { output } = await call(principal([], new Set(['meta:read'])), { nonsense: 1 })
  assert.equal(output.code, 'scope_required')
  assert.equal(output.details.data?.['scope'], 'forms:read')
})

test('where several businesses are in reach, a call without business_id is refused with the choices', async () => {
  const two = [reach(), reach({ name: 'Two' })]
  const { output } = await call(principal(two), { word: 'hi' })
  assert.equal(output.code, 'invalid_request')
  assert.equal(output.details.field, 'business_id')
  const choices = output.details.data?.['choices'] as { name: string }[] | undefined
  assert.deepEqual(
    choices?.map((choice) => choice.name),
    ['One', 'Two'],
  )
  const chosen = await call(principal(two), {
    word: 'hi',
    business_id: formatId('business', two[1]?.id ?? newId('business')),
  })
  assert.equal(chosen.output.in, 'Two')
})

test('an id in the arguments determines the business where no business_id is given', async () => {
  const two = [reach(), reach({ name: 'Two' })]
  const asked: string[] = []
  const finding: Operation = {
    ...echo,
    locate: {
      word: async (_db, businesses, id) => {
        asked.push(id)
        assert.deepEqual(businesses, [two[0]?.id, two[1]?.id])
        return id === 'hi' ? two[1]?.id : undefined
      },
    },
  }
  assert.equal((await call(principal(two), { word: 'hi' }, finding)).output.in, 'Two')
  const { output } = await call(principal(two), { word: 'ho' }, finding)
  assert.deepEqual([output.code, output.details.field], ['not_found', 'word'])
  const named = { word: 'ho', business_id: formatId('business', two[0]?.id ?? newId('business')) }
  assert.equal((await call(principal(two), named, finding)).output.in, 'One')
  assert.equal((await call(principal(two.slice(0, 1)), { word: 'ho' }, finding)).output.in, 'One')
  assert.deepEqual(asked, ['hi', 'ho'], 'nobody is asked where the business is known')
})

test('a business out of reach is answered as if it did not exist', async () => {
  const others = formatId('business', newId('business'))
  const { output } = await call(principal([reach()]), { word: 'hi', business_id: others })
  assert.equal(output.code, 'not_found')
  assert.equal(output.details.fix?.tool, 'business.list')
})

test('a call has the role and the tier of the business it acts in', async () => {
  const viewer = await call(principal([reach({ role: 'viewer' })]), { word: 'hi' })
  assert.equal(viewer.output.code, 'role_required')
  const editor = await call(principal([reach({ role: 'editor' })]), { word: 'hi' })
  assert.equal(editor.output.said, 'hi')
  const free = await call(principal([reach({ tier: 'free' })]), { word: 'hi' })
  assert.equal(free.output.code, 'tier_required')
  assert.equal(free.output.details.data?.['tier'], 'growth')
  const growth = await call(principal([reach({ tier: 'growth' })]), { word: 'hi' })
  assert.equal(growth.output.said, 'hi')
})

test('an invalid argument is refused with the field and the expected form', async () => {
  const who = principal([reach()])
  const cases: [Record<string, unknown>, string, RegExp][] = [
    [{}, 'word', /word is missing\. One short word\./],
    [{ word: 'long' }, 'word', /must have at most 3 characters/],
    [{ word: 1 }, 'word', /must be a string\. One short word\./],
    [{ word: ['a'] }, 'word', /must be a string, not a list\./],
    [{ word: { a: 1 } }, 'word', /must be a string, not an object\./],
    [{ word: 'hi', wrod: 1 }, 'wrod', /wrod is not known here\. Known: business_id, word\./],
    [{ word: 'hi', business_id: 'x' }, 'business_id', /does not have the right form/],
    [JSON.parse('{"word":"hi","__proto__":1}'), '__proto__', /not known/],
  ]
  for (const [input, field, message] of cases) {
    const { output } = await call(who, input)
    assert.equal(output.code, 'invalid_request')
    assert.equal(output.details.field, field)
    assert.match(output.message, message)
  }
})

test('an unknown key of a megabyte is not echoed whole in the refusal', async () => {
  const { output } = await call(principal([reach()]), { word: 'hi', ['k'.repeat(1_000_000)]: 1 })
  assert.ok(output.message.length < 300)
})

test('a call is measured under the code of the refusal that it throws, and under internal for an error', async () => {
  const outcomes: string[] = []
  const one = reach()
  const deps = {
    db: {} as Database,
    clock: systemClock satisfies Clock,
    engine: createEngine({ db: {} as Database, clock: systemClock }),
    vault: createVault('a secret'),
    counter: { count: () => assert.fail('it is not counted') },
    appUrl: 'https://app.example',
    toolNamed: () => undefined,
    measure: (_operation: string, outcome: string) => void outcomes.push(outcome),
  }
  const input = { word: 'no' }
  const call = { input, principal: principal([one]), requestId: 'req_1' }
  await callOperation(deps, { ...call, operation: echo })
  const faulty: Operation = { ...echo, run: () => Promise.reject(new Error('a fault')) }
  await assert.rejects(callOperation(deps, { ...call, operation: faulty }), /a fault/)
  assert.deepEqual(outcomes, ['conflict', 'internal'])
})

const broken: Operation = {
  ...echo,
  async run() {
    throw refuse('conflict', 'Broken.', { fix: { tool: 'thing.mend', arguments: { n: 1 } } })
  },
}

test('a suggested fix that the caller may run names the business of the refused call', async () => {
  const one = reach({ role: 'admin' })
  const who = principal([one], new Set(['forms:read', 'forms:write']))
  const { output } = await call(who, { word: 'hi' }, broken)
  const business_id = formatId('business', one.id)
  assert.equal(output.message, 'Broken.')
  assert.deepEqual(output.details.fix, { tool: 'thing.mend', arguments: { business_id, n: 1 } })
})

for (const [lack, role, scopes, said] of [
  ['role', 'editor', ['forms:read', 'forms:write'], /editor, and thing\.mend needs the role admin/],
  ['scope', 'owner', ['forms:read'], /lacks the scope forms:write for thing\.mend/],
] as const) {
  test(`a suggested fix whose ${lack} the caller lacks says who can make the call, and where`, async () => {
    const who = principal([reach({ role })], new Set(scopes))
    const { output } = await call(who, { word: 'hi' }, broken)
    assert.match(output.message, said)
    assert.deepEqual(output.details.fix, { url: 'https://app.example' })
  })
}
