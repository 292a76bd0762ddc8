import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '../core/errors.ts'
import { formatId, newId } from '../core/ids.ts'
import { contactFromAnswers, readAnswers } from './answers.ts'
import type { FormField } from './form.ts'

const id = newId('form')
const email: FormField = { key: 'mail', label: 'Email', type: 'email' }
const phone: FormField = { key: 'mobile', label: 'Phone', type: 'phone' }

function personOf(fields: FormField[], given: Record<string, string>) {
  const answers = readAnswers(fields, given)
  if (isRefusal(answers)) throw answers
  return contactFromAnswers({ id, fields }, answers.values)
}

test('address and name answers become contact fields, and all other answers become attributes', () => {
  const fields: FormField[] = [
    { key: 'name', label: 'Name', type: 'text' },
    email,
    phone,
    { key: 'age', label: 'Age', type: 'number' },
    { key: 'vip', label: 'VIP', type: 'boolean' },
    { key: 'likes', label: 'Likes', type: 'several-of', options: ['Tea', 'Milk'] },
    { key: 'born', label: 'Born', type: 'date' },
    { key: 'utm_source', label: 'Source', type: 'hidden' },
  ]
  const person = personOf(fields, {
    name: ' Ada ',
    mail: 'Ada@Example.com',
    mobile: '+33 1 23 45 67 89',
    age: '36',
    vip: 'no',
    likes: 'Milk, Tea',
    born: '1815-12-10',
    utm_source: 'mail',
  })
  assert.deepEqual(person, {
    email: 'ada@example.com',
    phone: '+33123456789',
    name: 'Ada',
    attributes: { age: 36, vip: false, likes: 'Tea, Milk', born: '1815-12-10', utm_source: 'mail' },
  })
})

test('the first email and first phone field are the contact’s own, and later ones become attributes', () => {
  const friend = { ...email, key: 'friend' }
  const office = { ...phone, key: 'office' }
  const given = {
    mail: 'me@example.com',
    friend: 'You@example.com',
    mobile: '+33123456789',
    office: '+14155552671',
  }
  assert.deepEqual(personOf([email, friend, phone, office], given), {
    email: 'me@example.com',
    phone: '+33123456789',
    attributes: { friend: 'you@example.com', office: '+14155552671' },
  })
})

test('a name field that is not a text field becomes an attribute', () => {
  const fields: FormField[] = [
    email,
    { key: 'name', label: 'Name', type: 'select', options: ['Ada'] },
  ]
  const person = personOf(fields, { mail: 'a@example.com', name: 'Ada' })
  assert.deepEqual(person, { email: 'a@example.com', attributes: { name: 'Ada' } })
})

test('a blank answer changes no contact field', () => {
  const fields: FormField[] = [email, phone, { key: 'age', label: 'Age', type: 'number' }]
  const person = personOf(fields, { mail: 'a@example.com', mobile: '', age: ' ' })
  assert.deepEqual(person, { email: 'a@example.com' })
})

test('consent is recorded with the label agreed to, its channel and its form', () => {
  const fields: FormField[] = [
    email,
    phone,
    { key: 'news', label: 'Send me\nnews.', type: 'consent' },
    { key: 'texts', label: 'Text me.', type: 'consent', channel: 'sms' },
  ]
  const given = { mail: 'a@example.com', mobile: '+33123456789', news: 'on', texts: 'true' }
  const source = `form ${formatId('form', id)}`
  assert.deepEqual(personOf(fields, given).consent, {
    email: { status: 'subscribed', source, text: 'Send me\nnews.', box: 'sent' },
    sms: { status: 'subscribed', source, text: 'Text me.', box: 'sent' },
  })
  const phoneOnly = fields.filter(({ key }) => key === 'mobile' || key === 'news')
  const { consent } = personOf(phoneOnly, { mobile: '+33123456789', news: 'yes' })
  assert.deepEqual(Object.keys(consent ?? {}), ['sms'])
})

test('a consent answer of no does not withdraw an existing consent', () => {
  const fields: FormField[] = [email, { key: 'news', label: 'News?', type: 'consent' }]
  for (const news of ['false', 'no', '']) {
    assert.deepEqual(personOf(fields, { mail: 'a@example.com', news }), { email: 'a@example.com' })
  }
})

test('an attribute from a form can have the name of an inherited object property', () => {
  const fields: FormField[] = [email, { key: 'constructor', label: 'Built by', type: 'text' }]
  const { attributes } = personOf(fields, { mail: 'a@example.com', constructor: 'Bob' })
  assert.deepEqual(Object.entries(attributes ?? {}), [['constructor', 'Bob']])
})
