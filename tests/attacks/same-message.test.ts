/**
 * An assistant sends one offer to many people as `transactional`, by every way that it has. It ends
 * at 50 people, until a person raises its limit or marks the template.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { orderedOf } from 'crier-server/usage/connection-limit.ts'
import { catalog, type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { restCaller } from '../support/clients/rest-caller.ts'
import type { EntryCaller } from '../support/clients/tool-caller.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

const names = ['Ana', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fleur', 'Gus', 'Hana', 'Ivo', 'Jule']
const nameOf = (n: number) => names[n % names.length] ?? ''
const addressOf = (n: number) => `${nameOf(n).toLowerCase()}.${n}@example.com`
const mostPeople = 50

async function scene(transactionalPerDay = 100) {
  const businessId = await testbed.newBusiness()
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const grant = { businesses: [businessId], userId: owner.userId, transactionalPerDay }
  const assistant = await testbed.caller(grant)
  const [row] = await testbed.db.all<{ id: Id<'connection'> }>(sql`
    select id from connections where user_id = ${owner.userId} and client_id is not null
  `)
  assert.ok(row)
  const connection_id = formatId('connection', row.id)
  const limit = (perDay: number | null) =>
    owner.get('connection.save', { connection_id, transactional_per_day: perDay })
  const used = async () => {
    const asked = { connections: [row.id], now: new Date() }
    return (await orderedOf(testbed.db, businessId, asked)).get(row.id)?.transactional
  }
  return { businessId, owner, assistant, limit, used }
}

/** The offer to one person: another number, and their own name. */
const inText = (n: number) => ({
  to: `${nameOf(n)} <${addressOf(n)}>`,
  subject: `${20 + (n % 9)} % off, ${nameOf(n)}`,
  text: `Hello ${nameOf(n)}, everything costs ${20 + (n % 9)} % less with the code S${n}X.`,
})
const inHtml = (n: number) => {
  const { text, ...mail } = inText(n)
  return { ...mail, html: `<p id="p${n}">${text}</p><!-- ${n} -->` }
}
const filledIn = (n: number) => ({
  ...inText(n),
  subject: '20 % off',
  text: 'Hello {{ first_name }}, everything costs {{ n }} % less.',
  variables: { first_name: nameOf(n), n },
})
const offer = {
  name: 'Offer',
  subject: '20 % off',
  html: '<p>Hello, everything costs 20 % less with the code S1X.</p>',
}

type Sent = 'taken' | Record<string, unknown>

async function send(caller: EntryCaller, mail: object): Promise<Sent> {
  const { kind, body } = await caller.call('email.send', mail)
  return kind === 'answer' ? 'taken' : body
}

async function inBatch(caller: EntryCaller, messages: object[]) {
  const { results } = await caller.get<{ results: { error?: Record<string, unknown> }[] }>(
    'email.send_batch',
    { messages },
  )
  return results.map(({ error }): Sent => error ?? 'taken')
}

const taken = (all: readonly Sent[]) => all.filter((one) => one === 'taken').length
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

test('82 mails "20 % off" by single calls, batches, HTML and a template reach 50 people', async () => {
  const { businessId, owner, assistant, used } = await scene()
  const { template_id } = await assistant.get<{ template_id: string }>('template.save', offer)
  const all: Sent[] = []
  for (const n of numbers(0, 20)) all.push(await send(assistant, n % 2 ? inText(n) : inHtml(n)))
  all.push(...(await inBatch(assistant, numbers(20, 40).map(inHtml))))
  for (const n of numbers(40, 49)) {
    all.push(await send(assistant, { to: addressOf(n), template_id }))
  }
  assert.deepEqual([all.length, taken(all)], [49, 49])
  // The whole batch is judged: one more person has room, nine have not.
  const edge = await inBatch(assistant, numbers(49, 59).map(inText))
  assert.deepEqual(
    edge.map((one) => one === 'taken'),
    [true, ...Array(9).fill(false)],
  )
  const rest = await Promise.all([
    ...numbers(59, 70).map((n) => send(assistant, inText(n))),
    ...numbers(70, 82).map((n) => send(assistant, { to: addressOf(n), template_id })),
  ])
  assert.equal(taken(rest), 0)
  assert.equal(await used(), mostPeople, 'what was refused counts nowhere')
  const refused = rest[0] as Record<string, unknown>
  assert.deepEqual(
    [refused['code'], refused['reason'], refused['people_per_message'], refused['people_used']],
    ['conflict', 'same_message_limit', 50, 50],
  )
  const fix = refused['fix'] as { tool: string; arguments: { content: { subject: string } } }
  assert.match(fix.tool, /campaign\.generate$/)
  assert.equal(fix.arguments.content.subject, inText(59).subject)
  assert.equal((await assistant.call('campaign.generate', fix.arguments)).kind, 'answer')
  const frees = Date.parse(String(refused['frees_at'])) - Date.now()
  assert.ok(frees > 23 * 3_600_000 && frees < 25 * 3_600_000)
  const { appUrl } = testbed.service.config
  const page = `${appUrl}/b/${formatId('business', businessId)}/templates/${template_id}`
  assert.match(String((rest.at(-1) as Record<string, unknown>)['message']), new RegExp(page))
  // Who has the message may get it again, and another message goes to anybody.
  assert.equal(await send(assistant, inText(3)), 'taken')
  const receipt = { to: addressOf(60), subject: 'Receipt', text: 'Thank you for your order.' }
  assert.equal(await send(assistant, receipt), 'taken')
  const { secret } = await newApiKey(testbed.db, { businessId, transactionalPerDay: 1_000 })
  const key = restCaller(testbed.service.config.gatewayUrl, catalog, async () => secret)
  assert.equal(taken(await inBatch(key, numbers(0, 60).map(inText))), 60, 'a key is not judged')
  assert.equal(taken(await inBatch(owner, numbers(0, 60).map(inText))), 60, 'nor is a person')
})

test('words filled in by the service are judged before they are filled in', async () => {
  const { assistant } = await scene()
  assert.equal(taken(await inBatch(assistant, numbers(0, 60).map(filledIn))), mostPeople)
})

test('copies count, and calls at once reach no more people than one after the other', async () => {
  const { assistant, used } = await scene()
  const copied = { ...inText(0), cc: [addressOf(1)], bcc: [addressOf(2)] }
  assert.equal(await send(assistant, copied), 'taken')
  const all = await Promise.all(numbers(3, 63).map((n) => send(assistant, inText(n))))
  assert.deepEqual([taken(all), await used()], [mostPeople - 3, mostPeople])
})

test('one text to 50 people, with other digits for each', async () => {
  const { assistant } = await scene()
  const texts = numbers(0, 55).map((n) => ({
    to: `+336123456${String(n).padStart(2, '0')}`,
    text: `${n} % off today`,
  }))
  const { queued, results } = await assistant.get<{
    queued: number
    results: { error?: { message: string } }[]
  }>('sms.send_batch', { messages: texts })
  assert.equal(queued, mostPeople)
  assert.match(String(results.at(-1)?.error?.message), /at most 50 people.*The text is compared/)
})

test('a person raises the limit of the connection, and only above that of a new one', async () => {
  const { assistant, limit } = await scene()
  await inBatch(assistant, numbers(0, mostPeople).map(inText))
  await limit(100)
  assert.notEqual(await send(assistant, inText(50)), 'taken')
  await limit(150)
  assert.equal(taken(await inBatch(assistant, numbers(50, 100).map(inText))), 50)
})

test('a person marks a template, and a change by the assistant takes the mark away', async () => {
  const { businessId, owner, assistant, limit } = await scene()
  const { template_id } = await assistant.get<{ template_id: string }>('template.save', offer)
  const toAll = (from: number, to: number) =>
    inBatch(
      assistant,
      numbers(from, to).map((n) => ({ to: addressOf(n), template_id })),
    )
  assert.equal(taken(await toAll(0, 60)), mostPeople)
  const mark = { template_id, transactional: true, version: 1 }
  const url = testbed.service.config.appUrl
  const rest = await testbed.restCaller({ businesses: [businessId] })
  const byConnection = await rest.call('template.mark', mark)
  assert.deepEqual(
    [byConnection.status, byConnection.body['code'], byConnection.body['fix']],
    [403, 'role_required', { url }],
  )
  assert.equal((await owner.call('template.mark', { ...mark, version: 2 })).status, 409)
  await owner.get('template.mark', mark)
  assert.equal(taken(await toAll(50, 60)), 10)
  const listed = async () => {
    const { templates } = await assistant.get<{ templates: { transactional: boolean }[] }>(
      'template.list',
      { template_id },
    )
    return templates[0]?.transactional
  }
  assert.equal(await listed(), true)
  const named = { template_id, name: 'The offer' }
  await assistant.get('template.save', named)
  assert.equal(await listed(), true, 'its words are those that the person read')
  const { warnings } = await assistant.get<{ warnings: string[] }>('template.save', {
    template_id,
    subject: '30 % off for you',
  })
  assert.match(String(warnings[0]), /marked this template.*it is gone/)
  assert.equal(await listed(), false)
  await limit(100)
  assert.equal(taken(await toAll(60, 65)), 0)
  await owner.get('template.mark', { ...mark, version: 3 })
  await owner.get('template.save', { template_id, subject: 'Our offer' })
  assert.equal(await listed(), true, 'a person changes their own')
})
