/**
 * Things of another business are answered like missing ones. The catalogue is walked, so that a new
 * operation is covered, or fails because it has no line.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from 'crier-server/core/ids.ts'
import type { Operation } from 'crier-server/core/operation.ts'
import type { Answer, EntryCaller } from '../support/clients/tool-caller.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { type IdPlace, idPlaces, untypedIds } from './support/id-places.ts'
import { lines } from './support/lines.ts'
import { catalog, entryPoints, type OwnTestbed, openTestbed } from './support/testbed.ts'
import { withValueAt } from './support/with-value.ts'

let testbed: OwnTestbed
let own: Belongings
let others: Belongings
/** Each may call everything in their own business, and nothing in the other. */
let callers: Record<string, EntryCaller>

test('a person of several businesses names a campaign alone, in each operation that takes one', () => {
  const alone = catalog
    .filter(({ reach, input }) => reach === 'business' && 'campaign_id' in input.properties)
    .filter(({ locate }) => locate?.['campaign_id'] === undefined)
  assert.deepEqual(
    alone.map(({ name }) => name),
    [],
  )
})

before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha')
  others = await addBelongings(testbed, 'bravo')
  const [a, b] = [own.id, others.id]
  const grants = {
    'a stranger': { businesses: [a] },
    'one who was a member': { businesses: [a, b], memberOf: [a] },
    'a member who granted only their other business': { businesses: [a], memberOf: [a, b] },
  }
  callers = {}
  for (const [how, enter] of Object.entries(entryPoints)) {
    for (const [who, grant] of Object.entries(grants)) {
      callers[`${who}, ${how}`] = await enter(testbed, grant)
    }
  }
})
after(() => testbed.close())

test('every operation has a line in the table, and every line has an operation', () => {
  const names = catalog.map(({ name }) => name).toSorted()
  assert.deepEqual(names, Object.keys(lines).toSorted())
})

test('every field that takes an id declares which kind of id it takes', () => {
  for (const { name, input } of catalog) assert.deepEqual(untypedIds(input), [], name)
  const hidden = { properties: { list_ids: { items: { type: 'string' } } } }
  assert.deepEqual(untypedIds({ properties: { some: hidden } }), ['some.list_ids'])
})

for (const operation of catalog) {
  test(`${operation.name} treats another business’s ids like ids that do not exist`, async () => {
    const before = await fingerprint(testbed.db, others.id)
    for (const [who, caller] of Object.entries(callers)) {
      const fine = await caller.call(operation.name, sampleOf(operation))
      assert.equal(fine.kind, 'answer', `${who}, with their own ids: ${fine.text}`)
      assertNothingOfTheOthers(fine, who)
      for (const place of idPlaces(operation.input)) {
        await assertAlike(caller, operation, place, who)
      }
    }
    assert.deepEqual(await fingerprint(testbed.db, others.id), before)
  })
}

for (const operation of catalog.filter(({ input }) => 'cursor' in input.properties)) {
  test(`${operation.name} shows nothing of another business when given its cursors`, async () => {
    const owner = await testbed.caller({ businesses: [others.id] })
    const theirs = lines[operation.name]?.sample(others)
    // What takes no limit goes on after one of their events.
    const { next_cursor: cursor } = operation.input.properties['limit']
      ? await owner.get<{ next_cursor?: string }>(operation.name, { ...theirs, limit: 1 })
      : { next_cursor: others.event_id }
    assert.ok(cursor, 'addBelongings() makes too few for a second page')
    for (const [who, caller] of Object.entries(callers)) {
      const answer = await caller.call(operation.name, { ...sampleOf(operation), cursor })
      assert.ok(answer.status < 500)
      assertNothingOfTheOthers(answer, who)
    }
  })
}

test('an idempotency key used by another business is as free as an unused one', async () => {
  const idempotency_key = 'a key that both chose'
  const input = { email: 'key@example.com', idempotency_key }
  const owner = await testbed.caller({ businesses: [others.id] })
  const theirs = await owner.get<{ contact_id: string }>('contact.upsert', input)
  for (const caller of Object.values(callers)) {
    const ours = await caller.get<{ contact_id: string }>('contact.upsert', input)
    assert.notEqual(ours.contact_id, theirs.contact_id)
  }
  const answer = await callers['a stranger, as a tool']?.call('contact.upsert', {
    ...input,
    name: 'Other',
  })
  assert.equal(answer?.body['code'], 'conflict', 'within the business it is taken')
})

const sampleOf = ({ name }: Operation) => lines[name]?.sample(own) ?? {}

/** Asserts equal answers for the other business's id and a missing one, in the same call. */
async function assertAlike(
  caller: EntryCaller,
  operation: Operation,
  { path, prefix }: IdPlace,
  who: string,
): Promise<void> {
  const theirs = Object.values(others).find((value) => value.startsWith(`${prefix}_`))
  assert.ok(theirs, `addBelongings() makes nothing with an id ${prefix}_…`)
  const nothings = prefix + idOfNothing()
  const sample = sampleOf(operation)
  const [one, other] = await Promise.all(
    [theirs, nothings].map(async (id) => {
      const input = withValueAt(sample, path, id) as object
      return seen(await caller.call(operation.name, input), id)
    }),
  )
  assert.deepEqual(one, other, `${who}, ${path.join('.')}`)
  // Calls with many ids report unknown ones singly, and do not refuse the rest.
  assert.match(JSON.stringify(one), /not_found|not_unknown/, `${who}, ${path.join('.')}`)
}

/** `_` and 26 characters, as in the id of a thing made now. */
function idOfNothing(): string {
  const { business_id } = own
  const tail = newId('request')
    .replaceAll(/[^0-9a-h]/g, '')
    .slice(-12)
  return business_id.slice(3, -12) + tail
}

/** The answer as it was sent, without the requested id and the request's own id. */
function seen({ status, headers, text }: Answer, id: string): object {
  const own = new Set(['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'])
  const kept = [...headers].filter(([name]) => !own.has(name))
  const plain = text.replaceAll(id, 'ID').replaceAll(/req_[0-9a-z]{26}/g, 'REQUEST')
  return { status, headers: Object.fromEntries(kept), text: plain }
}

function assertNothingOfTheOthers({ text }: Answer, who: string): void {
  const { word, business_id, form_id, contact_id, submission_id, webhook_id, template_id } = others
  for (const trace of [
    word,
    business_id,
    form_id,
    contact_id,
    submission_id,
    webhook_id,
    template_id,
  ]) {
    assert.ok(!text.includes(trace), `${who} was shown ${trace}: ${text}`)
  }
}
