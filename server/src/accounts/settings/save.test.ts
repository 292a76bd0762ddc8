import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { emailField } from '../../../../tests/support/businesses/forms.ts'
import { archiveLimits } from '../../config/archive.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { minutes } from '../../lib/time/clock.ts'
import { setBusiness } from './settings.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

async function owned() {
  const one = await testbed.newBusiness()
  const business_id = formatId('business', one)
  const grant = { businesses: [one] }
  const [app, rest] = [await testbed.appCaller(grant), await testbed.restCaller(grant)]
  const settings = async () => (await app.call('business.get', { business_id })).body
  return { one, business_id, app, rest, settings }
}

test('an owner’s connection can set every setting that a deploy needs', async () => {
  const { rest, settings } = await owned()
  await testbed.db.run(sql`update businesses set postal_address = null`)
  assert.deepEqual(
    ((await settings())['missing'] as { what: string }[]).map(({ what }) => what),
    ['postal_address'],
  )
  const wanted = {
    name: 'Fennoway Yoga',
    postal_address: '1 High St\nLeeds',
    sender: { name: "Ana's Shop", email: 'hello@shop.example' },
    reply_to: 'ana@shop.example',
    sms_sender: '+33612345678',
    sms_help: 'Call us.',
    time_zone: 'Europe/Paris',
    language: 'pt-BR',
    track_opens: false,
    track_clicks: false,
    tracking: 'agreed',
    attribution_days: 30,
    deploy_limit: 10,
    two_people: true,
    colour: '#4338ca',
  }
  const { status, body } = await rest.call('business.save', wanted)
  assert.equal(status, 200, JSON.stringify(body))
  const shown = await settings()
  for (const [key, value] of Object.entries(wanted)) assert.deepEqual(shown[key], value, key)
  assert.deepEqual([shown['missing'], body['warnings']], [[], []])
  const cleared = { postal_address: null, sender: null, reply_to: null, colour: null }
  await rest.call('business.save', cleared)
  const after = await settings()
  for (const key of Object.keys(cleared)) assert.equal(after[key], null, key)
  assert.equal(after['name'], 'Fennoway Yoga', 'what is left out stays')
})

test('a token cannot loosen the deploy limit or the two-person rule; an owner in the app can', async () => {
  const { rest, app, settings, business_id } = await owned()
  const guards = async () => {
    const { deploy_limit, two_people } = await settings()
    return [deploy_limit, two_people]
  }
  await rest.call('business.save', { deploy_limit: 50, two_people: true })
  assert.deepEqual(await guards(), [50, true])
  for (const [field, value] of [
    ['deploy_limit', 51],
    ['deploy_limit', null],
    ['two_people', false],
  ] as const) {
    const refused = await rest.call('business.save', { name: 'Taken over', [field]: value })
    assert.deepEqual(
      [refused.status, refused.body['code'], refused.body['field']],
      [403, 'role_required', field],
    )
    const url = `${testbed.service.config.appUrl}/b/${business_id}/settings`
    assert.deepEqual(refused.body['fix'], { url })
  }
  assert.deepEqual(await guards(), [50, true])
  assert.notEqual((await settings())['name'], 'Taken over', 'all of it or nothing')
  assert.equal((await rest.call('business.save', { deploy_limit: 50 })).status, 200)
  assert.equal((await rest.call('business.save', { deploy_limit: 0 })).status, 200)
  const signedIn = (ago: number) =>
    testbed.db.run(sql`
      update sessions set created_at = ${new Date(Date.now() - ago)} where user_id = ${app.userId}
    `)
  await signedIn(minutes(15))
  const late = await app.call('business.save', { deploy_limit: null })
  assert.deepEqual([late.status, late.body['code']], [401, 'unauthorized'])
  assert.equal((await app.call('business.save', { name: 'North', deploy_limit: 0 })).status, 200)
  await signedIn(minutes(14))
  await app.call('business.save', { deploy_limit: null, two_people: false })
  assert.deepEqual(await guards(), [null, false])
})

test('two people are asked for of campaigns that wait: without a limit all wait, and none can be lifted', async () => {
  const { one, rest, app, settings } = await owned()
  const rules = async () => {
    const { deploy_limit, two_people } = await settings()
    return [deploy_limit, two_people]
  }
  await app.call('business.save', { deploy_limit: null })
  await rest.call('business.save', { two_people: true })
  assert.deepEqual(await rules(), [0, true])
  for (const change of [{ deploy_limit: null }, { two_people: true, deploy_limit: null }]) {
    const { status, body } = await app.call('business.save', change)
    assert.deepEqual(
      [status, body['code'], body['field']],
      [400, 'invalid_request', 'deploy_limit'],
    )
  }
  assert.deepEqual(await rules(), [0, true])
  // As an earlier version could leave it.
  await testbed.db.run(sql`update businesses set deploy_limit = null where id = ${one}`)
  const { body } = await app.call('business.save', { name: 'Fennoway Yoga' })
  assert.match(JSON.stringify(body['warnings']), /No campaign waits for the second person/)
  await app.call('business.save', { deploy_limit: 500 })
  assert.deepEqual(await rules(), [500, true])
  await app.call('business.save', { two_people: false, deploy_limit: null })
  assert.deepEqual(await rules(), [null, false])
})

test('two people cannot be asked for where one alone may approve, in no way', async () => {
  const businessId = await testbed.newBusiness()
  const rest = await testbed.restCaller({ businesses: [businessId] })
  const refused = await rest.call('business.save', { name: 'Alone', two_people: true })
  assert.deepEqual(
    [refused.status, refused.body['code'], refused.body['field']],
    [409, 'conflict', 'two_people'],
  )
  const now = new Date()
  const setting = { key: 'two_people', value: 'yes', now }
  assert.ok(
    isRefusal(await orRefusal(() => setBusiness(testbed.db, businessId, setting))),
    'nor in a shell',
  )
  await testbed.appCaller({ businesses: [businessId], role: 'editor' })
  assert.equal((await rest.call('business.save', { two_people: true })).status, 409)
  await testbed.appCaller({ businesses: [businessId], role: 'approver' })
  assert.equal((await rest.call('business.save', { two_people: true })).status, 200)
})

test('retention is 1 to 120 months for each kind; an omitted kind is unchanged, and null keeps all data', async () => {
  const { app, settings } = await owned()
  const kinds = ['messages', 'evidence', 'submissions', 'contacts', 'history', 'events'] as const
  const keptForGood = Object.fromEntries(kinds.map((kind) => [kind, null]))
  assert.deepEqual((await settings())['retention'], keptForGood)
  for (const months of [0, 121, 1.5, '6']) {
    const refused = await app.call('business.save', { retention: { messages: months } })
    assert.equal(refused.status, 400, String(months))
    assert.match(String(refused.body['field']), /^retention/)
  }
  for (const kind of ['history', 'events']) {
    const refused = await app.call('business.save', { retention: { [kind]: 5 } })
    assert.deepEqual([refused.status, refused.body['field']], [400, `retention.${kind}`])
  }
  const unknown = await app.call('business.save', { retention: { everything: 6 } })
  assert.equal(unknown.status, 400)
  await app.call('business.save', { retention: { messages: 1, contacts: 120 } })
  await app.call('business.save', { retention: { evidence: 12, messages: null, history: 6 } })
  assert.deepEqual((await settings())['retention'], {
    ...keptForGood,
    evidence: 12,
    contacts: 120,
    history: 6,
  })
})

test('a token can lengthen a retention period but not shorten it, since that deletes data', async () => {
  const { app, rest, settings, business_id } = await owned()
  const refused = await rest.call('business.save', { retention: { contacts: 24 } })
  assert.deepEqual(
    [refused.status, refused.body['code'], refused.body['field']],
    [403, 'role_required', 'retention'],
  )
  const url = `${testbed.service.config.appUrl}/b/${business_id}/settings`
  assert.deepEqual(refused.body['fix'], { url })
  await app.call('business.save', { retention: { contacts: 24 } })
  assert.equal((await rest.call('business.save', { retention: { contacts: 23 } })).status, 403)
  assert.equal((await rest.call('business.save', { retention: { contacts: 36 } })).status, 200)
  assert.equal((await rest.call('business.save', { retention: { contacts: null } })).status, 200)
  assert.equal(((await settings())['retention'] as { contacts: null }).contacts, null)
})

test('an invalid setting is refused at its field, and no setting is changed', async () => {
  const { app, settings } = await owned()
  const before = await settings()
  for (const [field, value] of [
    ['name', ' '],
    ['postal_address', 'x'.repeat(501)],
    ['postal_address', 'a\n'.repeat(9)],
    ['postal_address', 'High St\u0007'],
    ['postal_address', 'High St\u202e'],
    ['postal_address', '<street, postcode and town, country>'],
    ['sender', { email: 'nobody' }],
    ['sender', { email: 'ana@localhost' }],
    ['sender.name', { name: 'Ana <x@y.example>', email: 'ana@shop.example' }],
    ['reply_to', 'Ana'],
    ['sms_sender', 'twelve chars'],
    ['time_zone', '+02:00'],
    ['language', 'english please'],
    ['colour', 'blue'],
    ['deploy_limit', -1],
    ['deploy_limit', 100_000_001],
  ] as const) {
    const [key = ''] = field.split('.')
    const { status, body } = await app.call('business.save', { language: 'fr', [key]: value })
    assert.deepEqual([status, body['field']], [400, field], JSON.stringify(value))
  }
  assert.equal((await app.call('business.save', {})).status, 400)
  assert.deepEqual(await settings(), before)
})

test('a hard-to-read button colour causes a warning, and so does an SMS sender name that cannot receive STOP', async () => {
  const { app } = await owned()
  const { body } = await app.call('business.save', { colour: '#ffee00', sms_sender: 'Yoga' })
  const [contrast = '', mute = ''] = body['warnings'] as string[]
  assert.match(contrast, /contrast is 1\.2/)
  assert.match(mute, /STOP/)
})

test('an admin cannot change settings, and the response says who can and where', async () => {
  const { one, business_id, settings } = await owned()
  const before = await settings()
  const admin = await testbed.appCaller({ businesses: [one], role: 'admin' })
  const { status, body } = await admin.call('business.save', { name: 'Mine' })
  assert.deepEqual([status, body['code']], [403, 'role_required'])
  assert.deepEqual(await settings(), before)
  await testbed.db.run(sql`update businesses set postal_address = null where id = ${one}`)
  const rest = await testbed.restCaller({ businesses: [one], role: 'admin' })
  const asked = await rest.call('business.get', {})
  const [address] = asked.body['missing'] as { fix: object; remedy: string }[]
  const url = `${testbed.service.config.appUrl}/b/${business_id}/settings`
  assert.deepEqual(address?.fix, { url })
  assert.match(address?.remedy ?? '', /needs the role owner/)
})

test('the audit log records who changed which settings, without personal values', async () => {
  const { one, app } = await owned()
  await app.call('business.save', { reply_to: 'ana@shop.example', deploy_limit: 7 })
  const [told] = await testbed.db.all(sql`
    select action, details, user_id is not null as is_known from audit_entries
    where business_id = ${one} order by id
  `)
  assert.deepEqual(told, {
    action: 'business.save',
    details: { settings: 'reply_to deploy_limit', deploy_limit: 7 },
    is_known: true,
  })
})

test('attribution_days accepts 1 to 90 days and refuses other values', async () => {
  const { rest, settings } = await owned()
  assert.equal((await settings())['attribution_days'], 5)
  for (const attribution_days of [1, 90]) {
    assert.equal((await rest.call('business.save', { attribution_days })).status, 200)
    assert.equal((await settings())['attribution_days'], attribution_days)
  }
  for (const attribution_days of [0, 91, 1.5]) {
    const { status, body } = await rest.call('business.save', { attribution_days })
    assert.deepEqual([status, body['field']], [400, 'attribution_days'])
  }
  const { status, body } = await rest.call('business.save', { tracking: 'some' })
  assert.deepEqual([status, body['field']], [400, 'tracking'])
})

async function newForm(businessId: Id<'business'>): Promise<string> {
  const editor = await testbed.restCaller({ businesses: [businessId] })
  const { body } = await editor.call('form.save', { name: 'Letters', fields: [emailField] })
  return String(body['form_id'])
}

test('the archive takes no form of another business, nor one that does not exist', async () => {
  const { one, rest, app, settings } = await owned()
  const foreign = await newForm(await testbed.newBusiness())
  const own = await newForm(one)
  assert.equal((await rest.call('business.save', { archive: { form_id: own } })).status, 200)
  for (const form_id of [foreign, formatId('form', newId('form'))]) {
    for (const caller of [rest, app]) {
      const { status, body } = await caller.call('business.save', { archive: { form_id } })
      assert.deepEqual([status, body['field']], [400, 'archive.form_id'])
      assert.match(String(body['message']), /no form of this business/)
    }
    const value = JSON.stringify({ form_id })
    const set = await orRefusal(() =>
      setBusiness(testbed.db, one, { key: 'archive', value, now: new Date() }),
    )
    assert.ok(isRefusal(set), 'the operator’s command')
  }
  assert.equal(((await settings())['archive'] as { form_id: string }).form_id, own)
})

test('the archive takes one line of each text and a form’s id, and keeps what is left out', async () => {
  const { one, rest, settings } = await owned()
  const { titleLength, descriptionLength } = archiveLimits
  const form_id = await newForm(one)
  const most = {
    title: 'x'.repeat(titleLength),
    description: 'y'.repeat(descriptionLength),
    form_id,
  }
  await rest.call('business.save', { archive: most })
  const { body } = await rest.call('business.save', { archive: { on: true, title: null } })
  const shown = (await settings())['archive'] as { url: string }
  assert.deepEqual(shown, { ...most, on: true, title: null, url: shown.url })
  assert.deepEqual(body['archive'], shown)
  for (const [wrong, field] of [
    [{ title: `${most.title}x` }, 'archive.title'],
    [{ description: `${most.description}x` }, 'archive.description'],
    [{ title: 'a\u202eb' }, 'archive.title'],
    [{ title: {} }, 'archive.title'],
    [{ form_id: 'con_1' }, 'archive.form_id'],
    [{ on: 'yes' }, 'archive'],
    [{ url: 'https://a.test' }, 'archive'],
  ] as const) {
    const refused = await rest.call('business.save', { archive: wrong })
    assert.deepEqual([refused.status, refused.body['field']], [400, field], JSON.stringify(wrong))
  }
})
