import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDesign } from './design.ts'
import { type FormDesign, type FormField, fieldTypes, formLimits } from './form.ts'
import { pageLimits } from './form-page.ts'

const email: FormField = { key: 'email', label: 'Email', type: 'email', required: true }

function check(fields: FormField[], changes: Partial<FormDesign> = {}) {
  const refusal = checkDesign({
    name: 'Join',
    status: 'draft',
    tags: [],
    page: {},
    doubleOptIn: true,
    fields,
    ...changes,
  })
  return refusal && { field: refusal.details.field, message: refusal.message }
}

function choice(options: string[], type: FormField['type'] = 'select'): FormField {
  return { key: 'choice', label: 'Choose', type, options }
}

function consent(changes: Partial<FormField> = {}): FormField {
  return { key: 'news', label: 'Send me news.', type: 'consent', ...changes }
}

test('a form with every type of field is valid', () => {
  const fields = fieldTypes.map((type): FormField => {
    const options = ['select', 'radio', 'several-of', 'topics'].includes(type) && {
      options: ['One', 'Two'],
    }
    return { key: `f-${type}`, label: type, type, required: true, ...options }
  })
  assert.equal(check(fields, { status: 'published' }), undefined)
})

test('publishing requires a required field that identifies the person; a draft does not', () => {
  const optional = { ...email, required: false }
  const phone: FormField = { ...optional, key: 'phone', type: 'phone' }
  assert.equal(check([optional, phone]), undefined)
  assert.equal(check([], { status: 'archived' }), undefined)
  for (const fields of [[], [optional, phone], [{ ...email, type: 'text' as const }]]) {
    const refused = check(fields, { status: 'published' })
    assert.equal(refused?.field, 'fields')
    assert.match(refused.message, /required field of type email or phone/)
  }
  assert.equal(check([email], { status: 'published' }), undefined)
  assert.equal(check([{ ...phone, required: true }], { status: 'published' }), undefined)
})

test('two fields with the same key are refused at the second one', () => {
  const refused = check([email, choice(['a']), { ...email, label: 'Again' }])
  assert.equal(refused?.field, 'fields[2].key')
  assert.match(refused.message, /fields\[0\]/)
})

test('names of inherited object properties are valid keys', () => {
  const keys = ['constructor', 'toString', 'hasOwnProperty']
  assert.equal(check(keys.map((key) => ({ key, label: key, type: 'text' }))), undefined)
})

test('options are required for choice fields, and refused for other fields', () => {
  for (const type of ['select', 'radio', 'several-of', 'topics'] as const) {
    assert.equal(check([{ key: 'c', label: 'C', type }])?.field, 'fields[0].options', type)
  }
  for (const type of fieldTypes.filter(
    (fieldType) => !/select|radio|several|topics/.test(fieldType),
  )) {
    assert.equal(check([email, choice(['a'], type)])?.field, 'fields[1].options', type)
  }
})

test('an option is a single line without surrounding spaces, and unique', () => {
  for (const wrong of [' a', 'a ', ' ', 'a\nb', 'a\u2028b', 'a\tb']) {
    assert.equal(check([choice(['fine', wrong])])?.field, 'fields[0].options[1]', wrong)
  }
  assert.equal(check([choice(['a', 'b', 'a'])])?.field, 'fields[0].options[2]')
  assert.equal(check([choice(['a, b', 'Öl & Salz'])]), undefined)
})

test('an option of a several-of field cannot contain a comma', () => {
  assert.equal(check([choice(['a', 'b,c'], 'several-of')])?.field, 'fields[0].options[1]')
})

test('a label may have several lines, and cannot be blank', () => {
  assert.equal(check([{ ...email, label: 'Your address\n(no spam)' }]), undefined)
  for (const label of [' ', '\n', 'a\tb', 'a\u0007']) {
    assert.equal(check([{ ...email, label }])?.field, 'fields[0].label', JSON.stringify(label))
  }
})

test('a consent field requires the address field of its channel', () => {
  assert.equal(check([consent()])?.field, 'fields[0].channel')
  assert.equal(check([email, consent({ channel: 'sms' })])?.field, 'fields[1].channel')
  assert.equal(check([consent(), email]), undefined)
  const phone: FormField = { key: 'mobile', label: 'Mobile', type: 'phone' }
  assert.equal(check([consent(), phone]), undefined)
  assert.equal(check([phone, consent({ channel: 'email' })])?.field, 'fields[1].channel')
})

test('a form has at most one consent field for each channel', () => {
  const phone: FormField = { key: 'mobile', label: 'Mobile', type: 'phone' }
  const sms = consent({ key: 'texts', channel: 'sms' })
  assert.equal(check([email, phone, consent(), sms]), undefined)
  const refused = check([email, phone, consent(), sms, consent({ key: 'more' })])
  assert.equal(refused?.field, 'fields[4].channel')
})

test('a channel is refused on fields other than consent', () => {
  assert.equal(check([{ ...email, channel: 'email' }])?.field, 'fields[0].channel')
})

test('form names and tags are single lines', () => {
  assert.equal(check([], { name: ' Join' })?.field, 'name')
  assert.equal(check([], { name: 'Join\nus' })?.field, 'name')
  assert.equal(check([], { tags: ['fine', 'not fine '] })?.field, 'tags[1]')
})

test('the total size of all fields is limited exactly in bytes', () => {
  const filled = (length: number): FormField[] => [{ ...email, label: 'x'.repeat(length) }]
  const bare = Buffer.byteLength(JSON.stringify(filled(0)))
  const room = formLimits.definitionBytes - bare
  assert.equal(check(filled(room)), undefined)
  const refused = check(filled(room + 1))
  assert.equal(refused?.field, 'fields')
  assert.match(refused.message, new RegExp(`${formLimits.definitionBytes + 1} bytes`))
})

test('the total size of the texts of a page is limited exactly in bytes', () => {
  const filled = (length: number) => ({ intro: 'x'.repeat(length) })
  const room = pageLimits.bytes - Buffer.byteLength(JSON.stringify(filled(0)))
  assert.equal(check([email], { page: filled(room) }), undefined)
  const refused = check([email], { page: filled(room + 1) })
  assert.equal(refused?.field, 'page')
  assert.match(refused.message, new RegExp(`${pageLimits.bytes + 1} bytes`))
})
