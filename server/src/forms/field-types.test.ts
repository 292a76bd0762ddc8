import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnswerValue, acceptedValues, answerLengths, readAnswer } from './answers.ts'
import { type FieldType, type FormField, fieldTypes } from './form.ts'

const options = ['Red', 'Green', 'Light blue']

function field(type: FieldType, changes: Partial<FormField> = {}): FormField {
  const hasOptions = ['select', 'radio', 'several-of', 'topics'].includes(type)
  return { key: 'answer', label: 'Answer', type, ...(hasOptions && { options }), ...changes }
}

interface Cases {
  /** Typed values, and the answers that they mean. */
  fits: [string, AnswerValue][]
  refused: string[]
}

const same = (...texts: string[]): [string, string][] => texts.map((text) => [text, text])
const line = 'x'.repeat(answerLengths.line)
const long = 'x'.repeat(answerLengths.textarea)
const url = `https://example.com/${'x'.repeat(answerLengths.url - 20)}`

const oneLine: Cases = {
  fits: [...same('Ada Lovelace', '<b>&"', '☃ 𝄞', '0', line), [' around ', 'around']],
  refused: [`${line}x`, 'two\nlines', 'two\r\nlines', 'a\u2028b', 'bell\u0007', 'a\tb', 'a\0b'],
}
const choice: Cases = {
  fits: [...same(...options), [' Red ', 'Red']],
  refused: ['red', 'Blue', 'Red, Green', 'Re', 'toString'],
}
const yesOrNo: Cases = {
  fits: [
    ...['true', 'TRUE', 'on', 'Yes', '1'].map((text): [string, boolean] => [text, true]),
    ...['false', 'Off', 'no', '0'].map((text): [string, boolean] => [text, false]),
  ],
  refused: ['maybe', '2', 'truee', 'null', 'y'],
}

const cases: Record<FieldType, Cases> = {
  text: oneLine,
  hidden: oneLine,
  textarea: {
    fits: [...same('one\r\ntwo\n\tthree', long), ['\nwithin\n', 'within']],
    refused: [`${long}x`, 'bell\u0007', 'a\0b'],
  },
  email: {
    fits: [
      ['ada@example.com', 'ada@example.com'],
      [' Ada@EXAMPLE.com ', 'ada@example.com'],
    ],
    refused: ['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example.com, b@example.com'],
  },
  phone: {
    fits: [
      ['+33123456789', '+33123456789'],
      ['+33 1 23 45 67 89', '+33123456789'],
      ['+1 (415) 555-2671', '+14155552671'],
    ],
    refused: ['12', 'call me', '+33', '+999123456789', '0123456789'],
  },
  number: {
    fits: [
      ['12', 12],
      ['-3.5', -3.5],
      ['+0', 0],
      ['.5', 0.5],
      ['5.', 5],
      ['1e3', 1000],
      ['007', 7],
    ],
    refused: ['twelve', '1,5', '0x10', '1e999', 'NaN', 'Infinity', '1 2', '--1', '1'.repeat(65)],
  },
  date: {
    fits: same('2026-11-20', '2024-02-29', '1815-12-10'),
    refused: ['2026-02-29', '2026-13-01', '20-11-2026', '2026-11-20T10:00', '2026-1-1', 'today'],
  },
  country: {
    fits: [
      ['FR', 'FR'],
      ['de', 'DE'],
    ],
    refused: ['France', 'XX', 'F', 'FRA', 'EU', 'constructor'],
  },
  rating: {
    fits: [
      ['1', 1],
      ['5', 5],
    ],
    refused: ['0', '6', '2.5', '-1', 'five', '1e9'],
  },
  select: choice,
  radio: choice,
  'several-of': {
    fits: [
      ['Red', ['Red']],
      ['Red, Green', ['Red', 'Green']],
      ['Light blue,Red', ['Red', 'Light blue']],
      ['Green, Green', ['Green']],
    ],
    refused: ['Blue', 'Red, Blue', 'Red,', 'Red Green', '["Red"]'],
  },
  topics: {
    fits: [['Red, Green', ['Red', 'Green']]],
    refused: ['Blue', 'Red,'],
  },
  boolean: yesOrNo,
  consent: yesOrNo,
  url: {
    fits: same('https://example.com', 'http://localhost:8080/a?b=c#d', 'HTTPS://EXAMPLE.COM/', url),
    refused: [
      'example.com',
      'javascript:alert(1)',
      'ftp://example.com',
      'https://',
      'https://a b.example',
      'https://example.com/\u0007',
      'https://[::1',
      `${url}x`,
    ],
  },
}

for (const type of fieldTypes) {
  const { fits, refused } = cases[type]
  test(`the field type ${type} accepts valid answers and parses them`, () => {
    for (const [text, value] of fits) assert.deepEqual(readAnswer(field(type), text), value, text)
  })

  test(`the field type ${type} refuses invalid answers, and says what is valid`, () => {
    for (const text of refused) {
      assert.equal(readAnswer(field(type), text), undefined, JSON.stringify(text))
    }
    assert.ok(acceptedValues(field(type)).length > 5)
  })
}

test('a name answer has the same maximum length as a contact’s name', () => {
  const name = field('text', { key: 'name' })
  assert.equal(readAnswer(name, 'x'.repeat(200)), 'x'.repeat(200))
  assert.equal(readAnswer(name, 'x'.repeat(201)), undefined)
  assert.match(acceptedValues(name), /200/)
})

test('a required consent is not satisfied by a no', () => {
  assert.equal(readAnswer(field('consent', { required: true }), 'false'), undefined)
  assert.equal(readAnswer(field('consent', { required: true }), 'true'), true)
  assert.equal(readAnswer(field('boolean', { required: true }), 'false'), false)
})

test('a refusal lists the options of the field, and shortens a long list', () => {
  assert.equal(acceptedValues(field('select')), 'one of Red, Green, Light blue')
  const many = Array.from({ length: 25 }, (_, i) => `o${i}`)
  const text = acceptedValues(field('radio', { options: many }))
  assert.ok(text.endsWith('o18, o19 and 5 more'), text)
})
