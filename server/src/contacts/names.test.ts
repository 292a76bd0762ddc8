/** First and last names beside the whole name, through the operations that read and write them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { eventsOf } from '../../../tests/support/businesses/contacts.ts'
import type { ToolCaller } from '../../../tests/support/clients/tool-caller.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { contactLimits } from './contact.ts'
import { wholeName } from './plan-saving.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

interface Names {
  name: string | null
  first_name: string | null
  last_name: string | null
}

let people = 0
const newEmail = () => `person${++people}@example.com`

async function save(
  owner: ToolCaller,
  person: object,
): Promise<[string | null, string | null, string | null]> {
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', person)
  const { untrusted } = await owner.get<{ untrusted: Names }>('contact.get', { contact_id })
  return [untrusted.name, untrusted.first_name, untrusted.last_name]
}

test('a whole name is never split, and parts give a whole name', async () => {
  const { owner } = await testbed.someone()
  const email = newEmail()
  assert.deepEqual(await save(owner, { email, name: 'Ana Ruiz' }), ['Ana Ruiz', null, null])
  const parts = { first_name: ' Ana ', last_name: 'Ruiz' }
  assert.deepEqual(await save(owner, { email: newEmail(), ...parts }), ['Ana Ruiz', 'Ana', 'Ruiz'])
  assert.deepEqual(await save(owner, { email: newEmail(), last_name: 'Ruiz' }), [
    'Ruiz',
    null,
    'Ruiz',
  ])
})

test('a whole name that was given stays, and one that was made of parts follows them', async () => {
  const { owner } = await testbed.someone()
  const withName = newEmail()
  await save(owner, { email: withName, name: 'Dr. A. Ruiz', first_name: 'Ana', last_name: 'Ruiz' })
  assert.deepEqual(await save(owner, { email: withName, first_name: 'Anna' }), [
    'Dr. A. Ruiz',
    'Anna',
    'Ruiz',
  ])
  const withParts = newEmail()
  await save(owner, { email: withParts, first_name: 'Ana' })
  assert.deepEqual(await save(owner, { email: withParts, last_name: 'Ruiz' }), [
    'Ana Ruiz',
    'Ana',
    'Ruiz',
  ])
  assert.deepEqual(await save(owner, { email: withParts, name: 'Anita' }), ['Anita', 'Ana', 'Ruiz'])
  assert.deepEqual(await save(owner, { email: withParts, tags: ['a'] }), ['Anita', 'Ana', 'Ruiz'])
})

test('the order of the parts is that of the contact’s language, else of the business’s', async () => {
  const { owner, businessId } = await testbed.someone()
  const nagy = { first_name: 'Anna', last_name: 'Nagy' }
  assert.equal((await save(owner, { email: newEmail(), ...nagy, language: 'hu' }))[0], 'Nagy Anna')
  const hungarian = newEmail()
  await save(owner, { email: hungarian, language: 'hu-HU' })
  assert.equal((await save(owner, { email: hungarian, ...nagy }))[0], 'Nagy Anna')
  assert.equal((await save(owner, { email: newEmail(), ...nagy }))[0], 'Anna Nagy')
  await setBusiness(testbed.db, businessId, { key: 'language', value: 'hu', now: new Date() })
  assert.equal((await save(owner, { email: newEmail(), ...nagy }))[0], 'Nagy Anna')
  assert.equal((await save(owner, { email: newEmail(), ...nagy, language: 'de' }))[0], 'Anna Nagy')
})

test('names in Chinese, Japanese and Korean letters have no space between them', () => {
  assert.equal(wholeName('太郎', '山田', 'ja'), '山田太郎')
  assert.equal(wholeName('Taro', 'Yamada', 'ja-JP'), 'Yamada Taro')
  assert.equal(wholeName('민수', '김', 'ko'), '김민수')
  assert.equal(wholeName(null, '山田', 'ja'), '山田')
  assert.equal(wholeName('', null, 'en'), null)
})

test('a part takes 99 characters in one line, so that both fit into a name', async () => {
  const { owner } = await testbed.someone()
  const longest = 'n'.repeat(contactLimits.namePartLength)
  const [whole] = await save(owner, { email: newEmail(), first_name: longest, last_name: longest })
  assert.ok(whole && whole.length <= contactLimits.nameLength)
  for (const field of ['first_name', 'last_name']) {
    const { body } = await owner.call('contact.upsert', {
      email: newEmail(),
      [field]: `${longest}n`,
    })
    assert.deepEqual([body['code'], body['field']], ['invalid_request', field])
  }
})

test('a search finds the beginning of either part, and filters compare them', async () => {
  const { owner } = await testbed.someone()
  const email = newEmail()
  await save(owner, { email, name: 'Dr. A.', first_name: 'Annabelle', last_name: 'Quist' })
  await save(owner, { email: newEmail(), name: 'Other' })
  const found = async (input: object) =>
    (await owner.get<{ contacts: { email: string }[] }>('contact.list', input)).contacts.map(
      (contact) => contact.email,
    )
  for (const search of ['annab', 'QUI']) assert.deepEqual(await found({ q: search }), [email])
  for (const filter of [
    { field: 'first_name', op: 'is', value: 'annabelle' },
    { field: 'last_name', op: 'starts_with', value: 'Qu' },
    { field: 'last_name', op: 'exists' },
  ]) {
    assert.deepEqual(await found({ filter }), [email], JSON.stringify(filter))
  }
})

test('a change of a part is told in the event, and merging fills in missing parts', async () => {
  const { owner, businessId } = await testbed.someone()
  const email = newEmail()
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email,
    first_name: 'Ana',
  })
  await owner.get('contact.upsert', { email, last_name: 'Ruiz' })
  const updates = (await eventsOf(testbed.db, businessId)).filter(
    ({ type }) => type === 'contact.updated',
  )
  assert.deepEqual(
    updates.map(({ data }) => [data['changed'], data['first_name'], data['last_name']]),
    [[['name', 'last_name'], 'Ana', 'Ruiz']],
  )

  const other = await owner.get<{ contact_id: string }>('contact.upsert', { phone: '+33612345678' })
  await owner.get('contact.merge', {
    contact_id: other.contact_id,
    other_contact_id: contact_id,
  })
  const { untrusted } = await owner.get<{ untrusted: Names }>('contact.get', {
    contact_id: other.contact_id,
  })
  assert.deepEqual(
    [untrusted.name, untrusted.first_name, untrusted.last_name],
    ['Ana Ruiz', 'Ana', 'Ruiz'],
  )
})

test('a form’s fields with the keys first_name and last_name fill in the parts', async () => {
  const { owner } = await testbed.someone()
  const { form_id } = await owner.get<{ form_id: string }>('form.save', {
    name: 'News',
    status: 'published',
    fields: [
      { key: 'email', label: 'Email', type: 'email', required: true },
      { key: 'first_name', label: 'First name', type: 'text' },
      { key: 'last_name', label: 'Last name', type: 'text' },
    ],
  })
  const fields = { email: newEmail(), first_name: 'Ana', last_name: 'Ruiz' }
  const { contact_id } = await owner.get<{ contact_id: string }>('form.submit', { form_id, fields })
  const { untrusted } = await owner.get<{ untrusted: Names & { attributes: object } }>(
    'contact.get',
    { contact_id },
  )
  assert.deepEqual(untrusted, {
    name: 'Ana Ruiz',
    first_name: 'Ana',
    last_name: 'Ruiz',
    attributes: {},
  })
  const long = { ...fields, first_name: 'n'.repeat(contactLimits.namePartLength + 1) }
  const { body } = await owner.call('form.submit', { form_id, fields: long })
  assert.equal(body['field'], 'fields.first_name')
})

interface Previewed {
  untrusted: { html: string }
}

test('a template greets by first name, and by what the contact has', async () => {
  const { owner } = await testbed.someone()
  const { untrusted } = await owner.get<Previewed>('template.preview', {
    html: '<p>Hi {{ contact.first_name | default: "you" }} {{ contact.last_name }}</p>',
    subject: 'Hi',
    data: 'sample',
  })
  assert.match(untrusted.html, /Hi Ana Ruiz/)
  const { contact_id } = await owner.get<{ contact_id: string }>('contact.upsert', {
    email: newEmail(),
    name: 'Bo Li',
  })
  const own = await owner.get<Previewed>('template.preview', {
    html: '<p>Hi {{ contact.first_name | default: "you" }}</p>',
    subject: 'Hi',
    contact_id,
  })
  assert.match(own.untrusted.html, /Hi you/)
})
