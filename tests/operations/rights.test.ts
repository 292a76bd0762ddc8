/** Who may call what: each role and each scope with each operation, from one table. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Id } from 'crier-server/core/ids.ts'
import { roles, scopes } from 'crier-server/core/operation.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { revokeConnection } from 'crier-server/oauth/connections/connections.ts'
import type { GrantOptions } from '../support/clients/grants.ts'
import type { EntryCaller } from '../support/clients/tool-caller.ts'
import { fingerprint } from '../support/postgres/fingerprint.ts'
import { addBelongings, type Belongings } from './support/belongings.ts'
import { lines } from './support/lines.ts'
import { catalog, entryPoints, type OwnTestbed, openTestbed } from './support/testbed.ts'

const names = catalog.map(({ name }) => name)

let testbed: OwnTestbed
let own: Belongings

before(async () => {
  testbed = await openTestbed({ idle: true })
  own = await addBelongings(testbed, 'alpha')
})
after(() => testbed.close())

for (const [how, role] of bothWays(roles)) {
  test(`a user with the role ${role} may do exactly what the table allows, ${how}`, async () => {
    const caller = await callerBy(how, { businesses: [own.id], role })
    const { business_id } = own
    const call = (name: string) => caller.call(name, { business_id, ...lineOf(name).sample(own) })
    const may = (name: string) => roles.indexOf(role) >= roles.indexOf(lineOf(name).role)
    await forbiddenChangeNothing(async () => {
      for (const name of names.filter((candidate) => !may(candidate))) {
        const { status, body } = await call(name)
        const refusedWith = how === 'as a tool' ? 200 : 403
        const wanted = [refusedWith, 'role_required', lineOf(name).role]
        assert.deepEqual([status, body['code'], body['role']], wanted, name)
      }
    })
    for (const name of names.filter(may)) {
      const { kind, body } = await call(name)
      assert.equal(kind, 'answer', `${name}: ${JSON.stringify(body)}`)
    }
  })
}

for (const [how, scope] of bothWays(scopes)) {
  test(`a connection with the scope ${scope} may do exactly what the table allows, ${how}`, async () => {
    const caller = await callerBy(how, { businesses: [own.id], scopes: ['meta:read', scope] })
    const call = (name: string) => caller.call(name, lineOf(name).sample(own))
    const may = (name: string) => ['meta:read', scope].includes(lineOf(name).scope)
    await forbiddenChangeNothing(async () => {
      for (const name of names.filter((candidate) => !may(candidate))) {
        const { status, body, headers } = await call(name)
        const wanted = lineOf(name).scope
        assert.deepEqual([status, body['code'], body['scope']], [403, 'scope_required', wanted])
        assert.match(headers.get('www-authenticate') ?? '', new RegExp(`scope="[^"]*${wanted}`))
      }
    })
    for (const name of names.filter(may)) {
      const { kind, body } = await call(name)
      assert.equal(kind, 'answer', `${name}: ${JSON.stringify(body)}`)
    }
  })
}

for (const how of Object.keys(entryPoints)) {
  test(`a caller whose connection was revoked may call nothing ${how}`, async () => {
    const caller = await callerBy(how, { businesses: [own.id] })
    await caller.get('business.list')
    await endConnections()
    for (const { name } of catalog) {
      const { status, body, headers } = await caller.call(name, lines[name]?.sample(own))
      assert.deepEqual([status, body['code']], [401, 'unauthorized'], name)
      assert.match(headers.get('www-authenticate') ?? '', /error="invalid_token"/)
    }
  })
}

function lineOf(name: string) {
  const line = lines[name]
  assert.ok(line, `${name} has no line in the table`)
  return line
}

/** All of them together: to hash every row after each call was most of the time of this file. */
async function forbiddenChangeNothing(calls: () => Promise<void>): Promise<void> {
  const before = await fingerprint(testbed.db)
  await calls()
  assert.deepEqual(await fingerprint(testbed.db), before)
}

async function endConnections(): Promise<void> {
  const connections = await testbed.db.all<{ id: Id<'connection'> }>(
    sql`select id from connections`,
  )
  for (const { id } of connections) {
    await revokeConnection(testbed.db, { connectionId: id, by: 'user', now: new Date() })
  }
}

function bothWays<T>(values: readonly T[]): [how: string, value: T][] {
  return Object.keys(entryPoints).flatMap((how) => values.map((value): [string, T] => [how, value]))
}

async function callerBy(how: string, grant: GrantOptions): Promise<EntryCaller> {
  const enter = entryPoints[how]
  assert.ok(enter)
  return enter(testbed, grant)
}

/** Letters and digits that occur nowhere else. */
const planted = Array.from({ length: 200 }, (_, i) => {
  const letters = [i % 26, (i * 7) % 26, Math.floor(i / 26), 19, 25].map((n) =>
    String.fromCharCode(97 + n),
  )
  return { local: `k${letters.join('')}vq`, digits: String(70_400_000 + i * 37) }
})
const emailOf = ({ local }: { local: string }) => `${local}@hidden.example`
const phoneOf = ({ digits }: { digits: string }) => `+417${digits}`

/** Puts 200 addresses and numbers into every field that takes a text about a person. */
async function plant(owner: EntryCaller): Promise<void> {
  const { form_id } = own
  const contacts = planted.map((each, i) => ({
    email: emailOf(each),
    phone: phoneOf(each),
    name: `Write to ${emailOf(each)}`,
    attributes: { note: `call ${phoneOf(each)}`, mail: emailOf(each), [emailOf(each)]: i },
    tags: [own.word],
    consent: { email: { status: 'subscribed', source: emailOf(each), text: phoneOf(each) } },
  }))
  // A field of its own for each address would be more fields than a business may have.
  const some = contacts.map((contact, i) => {
    const { mail, note } = contact.attributes
    return i < 20 ? contact : { ...contact, attributes: { mail, note } }
  })
  await owner.get('contact.import', { contacts: some })
  for (const each of planted.slice(0, 5)) {
    const [email, phone] = [emailOf(each), phoneOf(each)]
    const source_url = `https://shop.example/?to=${encodeURIComponent(email)}`
    await owner.get('form.submit', { form_id, fields: { email, message: phone }, source_url })
    const contact = { email }
    const properties = { mail: email, phone }
    await owner.get('contact.track', { events: [{ contact, event: own.word, properties }] })
    await owner.get('contact.suppress', { phone })
    const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', contact)
    await owner.get('note.add', { contact_id, text: `Prefers ${email}, not ${phone}` })
    await owner.get('email.send', { to: email, subject: `For ${email}`, text: phone })
  }
}

test('no stored address or number reaches a masked connection, by any operation', async () => {
  const owner = await testbed.caller({ businesses: [own.id] })
  await plant(owner)
  const { userId } = await testbed.appCaller({ businesses: [own.id] })
  const masked = await testbed.caller({ businesses: [own.id], userId, seesMasked: true })
  const secrets = new RegExp(planted.flatMap(({ local, digits }) => [local, digits]).join('|'))
  const calls = catalog.flatMap((operation) => {
    const sample = lineOf(operation.name).sample(own)
    const { limit: _limit, ...plain } = sample as { limit?: number }
    const whole = 'limit' in operation.input.properties ? [{ ...plain, limit: 200 }] : []
    return [plain, ...whole].map((input) => ({ name: operation.name, input }))
  })
  const { contacts } = await owner.get<{ contacts: { contact_id: string }[] }>('contact.list', {
    q: planted[3]?.local,
  })
  const contact_id = contacts[0]?.contact_id
  const more = [
    { name: 'contact.get', input: { contact_id } },
    { name: 'contact.list', input: { q: 'Write to' } },
    {
      name: 'template.preview',
      input: {
        subject: '{{ contact.email | upcase }}',
        text:
          '{% if contact.email contains "' +
          planted[3]?.local +
          '" %}' +
          planted[4]?.digits +
          '{% endif %}{{ contact.phone | split: "" | reverse | join: "-" }}',
        contact_id,
      },
    },
    { name: 'message.list', input: { contact_id } },
    { name: 'segment.explain', input: { filter: { tag: own.word }, contact_id } },
    { name: 'campaign.why', input: { campaign_id: own.campaign_id, contact_id } },
    { name: 'contact.upsert', input: { contact_id } },
  ]
  for (const { name, input } of [...calls, ...more]) {
    const { text } = await masked.call(name, input)
    // What the call itself holds may be repeated.
    if (secrets.test(JSON.stringify(input))) continue
    assert.doesNotMatch(text, secrets, name)
  }
  const { body } = await masked.call('contact.get', { contact_id })
  assert.match(JSON.stringify(body), /k…@hidden\.example.*\+41…\d\d/)
})

test('a masked connection finds a person by the whole address alone', async () => {
  const masked = await testbed.caller({ businesses: [own.id], seesMasked: true })
  const [first, second] = planted as [(typeof planted)[0], (typeof planted)[0]]
  const found = async (q: string) =>
    (await masked.get<{ contacts: object[] }>('contact.list', { q })).contacts.length
  assert.equal(await found(emailOf(first)), 1)
  assert.equal(await found(phoneOf(first)), 1)
  for (const length of [1, 3, 5, first.local.length, emailOf(first).length - 1]) {
    assert.equal(await found(emailOf(first).slice(0, length)), 0, `${length} characters`)
  }
  for (const part of ['hidden', '+4170', first.digits, first.local]) {
    assert.equal(await found(part), 0, part)
    const { kind, body } = await masked.call('export.create', { q: part, as_text: true })
    assert.deepEqual([kind, body['field']], ['refusal', 'q'])
  }
  const shape = (value: unknown) => ({ field: 'email', op: 'is', value })
  const filter = { or: [shape(emailOf(first)), shape(emailOf(second))] }
  const { count } = await masked.get<{ count: number }>('segment.explain', { filter })
  assert.equal(count, 2)
  const parts = ['contains', 'starts_with', 'ends_with', 'not_contains', 'in', 'is_not']
  const takers = { 'contact.list': {}, 'segment.save': { name: 'x' }, 'segment.explain': {} }
  for (const field of ['email', 'phone', 'email_domain']) {
    for (const op of parts) {
      for (const [name, input] of Object.entries(takers)) {
        const wish = { ...input, filter: { not: { field, op, value: first.local } } }
        const { kind, body } = await masked.call(name, wish)
        assert.deepEqual([kind, body['sees']], ['refusal', 'masked'], `${name} ${field} ${op}`)
      }
    }
  }
})

test('a connection that may not take data out gets the page where a person does it, at both entry points', async () => {
  const grant = { businesses: [own.id], takesDataOut: false }
  const tool = await testbed.caller(grant)
  const rest = await testbed.restCaller(grant)
  const to = `${own.word}@example.com`
  const mail = { to, subject: 'Hello', text: 'Hello' }
  const foreign = 'drop@grab.example'
  const refused: [string, object][] = [
    ['export.create', { kind: 'contacts' }],
    ['contact.export', { contact_id: own.contact_id }],
    ['domain.remove', { domain: `${own.word}.example` }],
    ['email.send', { ...mail, cc: [foreign] }],
    ['email.send', { ...mail, bcc: [foreign] }],
    ['email.send', { ...mail, reply_to: foreign }],
    ['business.save', { reply_to: foreign }],
  ]
  await forbiddenChangeNothing(async () => {
    for (const [name, input] of refused) {
      for (const caller of [tool, rest]) {
        const { body } = await caller.call(name, input)
        assert.deepEqual([body['code'], body['permission']], ['access_denied', 'takes_data_out'])
        assert.match((body['fix'] as { url: string }).url, new RegExp(`/b/${own.business_id}/`))
      }
    }
  })
  const events = ['usage.threshold']
  const elsewhere = { url: 'https://1.0.0.1/in', events }
  assert.equal((await tool.call('webhook.save', elsewhere)).body['code'], 'access_denied')
  await rest.get('webhook.save', elsewhere)
  await tool.get('webhook.save', { url: 'https://1.0.0.1/other', events })
})
