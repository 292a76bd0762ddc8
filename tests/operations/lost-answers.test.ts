/**
 * Two calls with one key have one effect and one answer: at the same time, at whichever nodes, and
 * after the first one's answer was lost to a kill -9.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatId, newId } from 'crier-server/core/ids.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { placeEvents } from '../support/businesses/fan-out.ts'
import type { Answer, ToolCaller } from '../support/clients/tool-caller.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { freshCampaign } from './support/campaigns.ts'
import { cuttingProxy } from './support/cutting-proxy.ts'
import { openKillableTestbed } from './support/killable-testbed.ts'
import { lines } from './support/lines.ts'
import { type SecondNode, startSecondNode } from './support/second-node.ts'
import { type OwnTestbed, openTestbed, writingOperations } from './support/testbed.ts'

let testbed: OwnTestbed
let second: SecondNode
/** Two equal businesses: each operation is called once in the first, and eight times in the second. */
let single: Belongings
let own: Belongings

before(async () => {
  testbed = await openTestbed({ idle: true })
  second = await startSecondNode(testbed.service, { idle: true })
  single = await addBelongings(testbed, 'alpha')
  own = await addBelongings(testbed, 'alpha', { campaigns: 170 })
})
after(async () => {
  await second.close()
  await testbed.close()
})

/** Samples by belongings, made once, because some samples use up a thing. */
const known = new WeakMap<Belongings, Map<string, object>>()

function keyed(name: string, own: Belongings): object {
  const calls = known.get(own) ?? new Map<string, object>()
  known.set(own, calls)
  const call = calls.get(name) ?? {
    ...lines[name]?.sample(own),
    idempotency_key: `key of ${name}`,
  }
  calls.set(name, call)
  return call
}

for (const { name } of writingOperations) {
  test(`${name} called twice at once with one idempotency key has one effect and one response`, async () => {
    const [alone] = await callersIn(single)
    const callers = await callersIn(own)
    const before = { single: await rowsOf(single), own: await rowsOf(own) }
    await alone.get(name, keyed(name, single))
    const answers = await Promise.all(
      [...callers, ...callers, ...callers, ...callers].map((caller) =>
        caller.call(name, keyed(name, own)),
      ),
    )

    const [first] = answers
    assert.equal(first?.kind, 'answer', first?.text)
    for (const { text } of answers) assert.equal(text, first?.text)
    await placeEvents({ db: testbed.db, clock: systemClock })
    const grown = {
      single: growth(before.single, await rowsOf(single)),
      own: growth(before.own, await rowsOf(own)),
    }
    assert.deepEqual(grown.own, grown.single)
    for (const caller of callers) await assertTaken(caller, name, own)
  })
}

test('after kill -9 between commit and response, the second call gets the lost response', async () => {
  const killable = await openKillableTestbed()
  try {
    const own = await addBelongings(killable, 'alpha', { campaigns: 170 })
    const grant = { businesses: [own.id] }
    const caller = await killable.caller(grant)
    const before = await fingerprint(killable.db, own.id)
    const proxy = await cuttingProxy(killable.port)
    const unlucky = await killable.caller(grant, killable.endpointAt(proxy.port))
    const lost = writingOperations.map(({ name }) =>
      assert.rejects(unlucky.call(name, keyed(name, own)), `${name} was answered`),
    )
    const kept = await proxy.kept(writingOperations.length)
    await killable.kill()
    await proxy.close()
    await Promise.all(lost)
    const made = await fingerprint(killable.db, own.id)
    assert.notDeepEqual(made, before, 'they were made')

    await killable.startAgain()
    const again: Answer[] = []
    for (const { name } of writingOperations) again.push(await caller.call(name, keyed(name, own)))
    const stored = (texts: string[]) => texts.map(withoutPreview).toSorted()
    assert.deepEqual(stored(again.map(({ text }) => text)), stored(kept))
    for (const { kind, text } of again) assert.equal(kind, 'answer', text)
    for (const { name } of writingOperations) await assertTaken(caller, name, own)
    assert.deepEqual(await fingerprint(killable.db, own.id), made, 'and not made twice')
  } finally {
    await killable.close()
  }
})

/**
 * Without the people whom a segment selects at this moment: all calls change them here at once, and no
 * address is stored with an answer.
 */
function withoutPreview(text: string): string {
  const { result, ...call } = JSON.parse(text) as { result: { structuredContent: object } }
  const { preview: _preview, ...content } = result.structuredContent as { preview?: object }
  return JSON.stringify({ ...call, content })
}

/** One caller at each node. */
function callersIn({ id }: Belongings): Promise<[ToolCaller, ToolCaller]> {
  const grant = { businesses: [id] }
  return Promise.all([testbed.caller(grant), testbed.caller(grant, second.endpoint)])
}

/** Asserts that any other call with the key is refused and changes nothing. */
async function assertTaken(caller: ToolCaller, name: string, own: Belongings): Promise<void> {
  const { webhook_id, doomed_webhook_id } = own
  const other = keyed(name, {
    ...own,
    word: 'another',
    webhook_id: doomed_webhook_id,
    doomed_webhook_id: webhook_id,
    doomed_segment_id: own.segment_id,
    doomed_image_id: own.image_id,
    doomed_template_id: own.template_id,
    feed_id: own.new_feed_id,
    new_feed_id: own.feed_id,
    running_feed_id: own.new_feed_id,
    doomed_feed_id: own.feed_id,
    doomed_sequence_id: own.sequence_id,
    new_sequence_id: own.stopping_sequence_id,
    running_sequence_id: own.stopping_sequence_id,
    stopping_sequence_id: own.running_sequence_id,
    contact_id: own.merging_contact_id,
    doomed_contact_id: formatId('contact', newId('contact')),
    merging_contact_id: own.contact_id,
    removal_id: own.due_removal_id,
    doomed_batch_id: own.batch_id,
    import_id: own.undone_import_id,
    undone_import_id: own.import_id,
    paused_import_id: own.cancelled_import_id,
    cancelled_import_id: own.paused_import_id,
    reply_id: formatId('reply', newId('reply')),
    scheduled_message_id: formatId('message', newId('message')),
    campaign_id: freshCampaign(own.business_id, 'draft'),
  })
  assert.notDeepEqual(other, keyed(name, own))
  const { kind, body, text } = await caller.call(name, other)
  assert.deepEqual([kind, body['code'], body['field']], ['refusal', 'conflict', 'idempotency_key'])
  assert.match(text, /was used for another call/)
}

/** The number of the business's rows in each table. */
async function rowsOf({ id }: Belongings): Promise<Record<string, number>> {
  const figures = Object.entries(await fingerprint(testbed.db, id))
  return Object.fromEntries(figures.map(([table, figure]) => [table, Number.parseInt(figure, 10)]))
}

function growth(before: Record<string, number>, after: Record<string, number>) {
  const tables = Object.entries(after)
  return Object.fromEntries(tables.map(([table, rows]) => [table, rows - (before[table] ?? 0)]))
}
