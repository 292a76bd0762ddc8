/**
 * A live key never reaches what test mode has, nor a test key what is live: every operation is called
 * with every id, at both entry points, and every list, search and count of the live business is read
 * before and after test mode fills.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from 'crier-server/core/ids.ts'
import type { Operation } from 'crier-server/core/operation.ts'
import { namesInTestMode } from 'crier-server/operations/test-mode.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { newMember } from '../support/clients/grants.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import { type Answer, type EntryCaller, toolCaller } from '../support/clients/tool-caller.ts'
import { eventually } from '../support/time/eventually.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { idPlaces } from './support/id-places.ts'
import { lines } from './support/lines.ts'
import { catalog, type OwnTestbed, openTestbed } from './support/testbed.ts'
import { withValueAt } from './support/with-value.ts'

let testbed: OwnTestbed
let own: Belongings
/** An owner of the live business. */
let reader: EntryCaller
let live: Record<string, EntryCaller>
let trial: Record<string, EntryCaller>
/** A call of each operation that only reads. */
let reads: [name: string, input: object][]
/** What the lists, searches and counts of the live business said before test mode had anything. */
let untouched: Record<string, string>
/** Ids of what test mode has, by prefix. */
const idsOfTrial: Record<string, string> = {}

/** Stands in every text that test mode writes, and nowhere else. */
const word = 'zulu'

before(async () => {
  testbed = await openTestbed({ idle: true, settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
  own = await addBelongings(testbed, 'alpha')
  live = await callersWith(false)
  trial = await callersWith(true)
  reader = await testbed.restCaller({ businesses: [own.id] })
  // What a business lacks is read once in a while.
  await eventually(
    () => reader.get<{ businesses: { missing: string[] }[] }>('business.list'),
    ({ businesses }) => businesses.every(({ missing }) => missing.length === 0),
  )
  reads = catalog
    .filter(({ hints }) => hints.readOnly)
    .map((operation) => {
      const { limit: _limit, ...input } = sampleOf(operation)
      return [operation.name, input]
    })
  untouched = await readAll()
  await fillTestMode()
})
after(() => testbed.close())

async function callersWith(isTest: boolean): Promise<Record<string, EntryCaller>> {
  const userId = await newMember(testbed.db, { businesses: [own.id] })
  const key = { businessId: own.id, isTest, userId }
  const mint = async () => (await newApiKey(testbed.db, key)).secret
  const { gatewayUrl } = testbed.service.config
  return {
    'as a tool': toolCaller(testbed.service.endpoint, mint),
    'over REST': restCaller(gatewayUrl, catalog, mint),
  }
}

const sampleOf = ({ name }: Operation) => lines[name]?.sample(own) ?? {}

/** Searches that would find what test mode writes. */
const searches: [name: string, input: object][] = [
  ['contact.list', { q: word }],
  ['contact.list', { filter: { tag: word } }],
  ['segment.explain', { filter: { field: 'email', op: 'contains', value: word } }],
  ['segment.explain', { filter: { not: { tag: word } } }],
  ['message.list', { subject: word }],
  ['message.list', { metadata: { order: word } }],
  ['campaign.list', { q: word }],
  ['meta.changes', { limit: 500 }],
  ['contact.get_by_email', { email: `${word}@example.com` }],
  ['contact.get_by_external_id', { external_id: `${word}-1` }],
]

/** All that an owner can read of the live business, in lists, counts, reports and usage. */
async function readAll(): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const [name, input] of [...reads, ...searches]) {
    const { text } = await reader.call(name, input)
    answers[`${name} ${JSON.stringify(input)}`] = comparable(text)
  }
  return answers
}

/** Without what differs at each call: the moment, the request, the calls made and the caller itself. */
function comparable(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/(?:req|con)_[0-9a-z]{26}/g, 'ID')
    .replaceAll(/\{[^{}]*"metric":"calls"[^}]*\}/g, 'CALLS')
    .replaceAll(/"(?:calls|checked_at|ms|age_seconds)":\d+/g, 'COUNTED')
}

async function fillTestMode(): Promise<void> {
  const caller = trial['over REST'] as EntryCaller
  const email = `${word}@example.com`
  const keep = (answer: Record<string, unknown>) => {
    for (const value of Object.values(answer)) {
      const [, prefix] = typeof value === 'string' ? (/^([a-z]{3})_\w+$/.exec(value) ?? []) : []
      if (prefix && prefix !== 'bus') idsOfTrial[prefix] ??= String(value)
    }
    return answer
  }
  const make = async (name: string, input: object) =>
    keep(await caller.get<Record<string, unknown>>(name, input))
  const { contact_id } = await make('contact.upsert', {
    email,
    external_id: `${word}-1`,
    name: `${word} name`,
    tags: [word],
    attributes: { note: word },
    consent: { email: { status: 'subscribed', source: word } },
  })
  const { form_id } = await make('form.save', {
    name: `${word} form`,
    status: 'published',
    fields: [{ key: 'email', label: word, type: 'email', required: true }],
  })
  await make('form.submit', { form_id, fields: { email } })
  await make('segment.save', { name: `${word} segment`, filter: { tag: word } })
  await make('contact.tag', { filter: { tag: word }, add: [`${word}-too`] })
  await make('contact.track', { events: [{ contact: { contact_id }, event: word }] })
  await make('contact.suppress', { phone: '+41795550199' })
  await make('email.send', {
    to: email,
    subject: `${word} subject`,
    text: word,
    metadata: { order: word },
  })
  await make('sms.send', { to: '+41795550188', text: `${word} text` })
  await make('campaign.generate', {
    channel: 'email',
    name: `${word} campaign`,
    content: { subject: `${word} news`, html: `<p>${word}</p>` },
    audience: { tags: [word] },
  })
  const { webhook_id } = await make('webhook.save', {
    url: `http://127.0.0.1:9/${word}`,
    events: ['message.bounced'],
  })
  await make('webhook.test', { webhook_id })
  const { events } = await caller.get<{ events: Record<string, unknown>[] }>('meta.changes', {})
  for (const event of events) keep({ event_id: event['event_id'] ?? event['id'] })
  const { submissions } = await caller.get<{ submissions: Record<string, unknown>[] }>(
    'submission.list',
    { form_id },
  )
  keep(submissions[0] ?? {})
}

const kindsOfTrial = ['con', 'frm', 'sub', 'seg', 'tgg', 'msg', 'cmp', 'whk', 'evt']

test('test mode has something of each kind that it can make', () => {
  for (const prefix of kindsOfTrial) assert.ok(idsOfTrial[prefix], prefix)
})

test('no list, search, count, report or usage of the live business shows what test mode has', async () => {
  const now = await readAll()
  assert.ok(Object.keys(now).length > 50)
  for (const [read, text] of Object.entries(now)) {
    assert.equal(text, untouched[read], read)
  }
})

for (const operation of catalog) {
  test(`${operation.name} with a live key treats ids of test mode like ids that do not exist`, async () => {
    for (const [how, caller] of Object.entries(live)) {
      for (const { path, prefix } of idPlaces(operation.input)) {
        const theirs = idsOfTrial[prefix]
        if (theirs === undefined) continue
        await assertAlike(caller, operation, { path, prefix, theirs, how })
      }
    }
  })
}

/** Read from the live business by design. */
const shared = new Set(['tpl', 'bus', 'img'])

for (const operation of catalog.filter(({ name }) => namesInTestMode.includes(name))) {
  test(`${operation.name} with a test key treats live ids like ids that do not exist`, async () => {
    for (const [how, caller] of Object.entries(trial)) {
      for (const { path, prefix } of idPlaces(operation.input)) {
        if (shared.has(prefix)) continue
        const sample = JSON.stringify(sampleOf(operation))
        const all = Object.values(own).filter((value) => value.startsWith(`${prefix}_`))
        const theirs = all.find((value) => !sample.includes(value)) ?? all[0]
        assert.ok(theirs, `addBelongings() makes nothing with an id ${prefix}_…`)
        await assertAlike(caller, operation, { path, prefix, theirs, how })
      }
    }
  })
}

test('every other operation refuses a test key in plain words, whatever it is given, and writes nothing', async () => {
  const others = catalog.filter(({ name }) => !namesInTestMode.includes(name))
  assert.ok(others.length > 50)
  for (const [how, caller] of Object.entries(trial)) {
    for (const operation of others) {
      for (const input of [sampleOf(operation), {}]) {
        const { kind, body } = await caller.call(operation.name, input)
        const reason = [kind, body['code'], body['test']]
        assert.deepEqual(reason, ['refusal', 'role_required', true], `${operation.name} ${how}`)
        assert.match(String(body['message']), /is not part of test mode, and this is a test key/)
      }
    }
  }
  const now = await readAll()
  for (const [read, text] of Object.entries(now)) assert.equal(text, untouched[read], read)
})

test('lists of test mode hold what it has, and nothing that is live', async () => {
  for (const [how, caller] of Object.entries(trial)) {
    for (const [name, field] of [
      ['contact.list', 'contacts'],
      ['form.list', 'forms'],
      ['segment.list', 'segments'],
      ['message.list', 'messages'],
      ['campaign.list', 'campaigns'],
      ['webhook.list', 'webhooks'],
    ] as const) {
      const answer = await caller.get<Record<string, object[]>>(name, {})
      assert.ok((answer[field]?.length ?? 0) > 0, `${name} ${how}`)
      assert.ok(!JSON.stringify(answer).includes(own.word), `${name} ${how}`)
    }
  }
})

interface Foreign {
  path: (string | number)[]
  prefix: string
  theirs: string
  how: string
}

/** Asserts equal answers for the other side's id and for one that nothing has, in the same call. */
async function assertAlike(
  caller: EntryCaller,
  operation: Operation,
  { path, prefix, theirs, how }: Foreign,
): Promise<void> {
  const tail = newId('request').replaceAll(/[^0-9a-h]/g, '')
  const nothings = prefix + own.business_id.slice(3, -12) + tail.slice(-12)
  const sample = sampleOf(operation)
  const answers: object[] = []
  for (const id of [theirs, nothings]) {
    const input = withValueAt(sample, path, id) as object
    answers.push(seen(await caller.call(operation.name, input), id))
  }
  assert.deepEqual(answers[0], answers[1], `${operation.name} ${how}, ${path.join('.')}`)
}

function seen({ status, text }: Answer, id: string): object {
  return { status, text: comparable(text).replaceAll(id, 'ID') }
}
