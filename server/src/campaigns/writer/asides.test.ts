import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../tests/support/processes/cpu-time.ts'
import { asidesOf } from './asides.ts'

const menu = 'https://example.com/menu'
const cases: [text: string, goal: string, tone?: string][] = [
  [`Announce our spring menu, link ${menu}, friendly tone`, 'Announce our spring menu', 'friendly'],
  [`Announce our spring menu with a link to ${menu}.`, 'Announce our spring menu.'],
  [`Our menu (link: ${menu}) is new`, 'Our menu is new'],
  [
    `Tell them of the sale at the weekend, in a warm and short tone.`,
    'Tell them of the sale at the weekend.',
    'warm and short',
  ],
  ['Poems, and the tone poem evening', 'Poems, and the tone poem evening'],
  ['Announce our spring menu', 'Announce our spring menu'],
]

test('links and the tone in a goal are passed to the writer and removed from the text for readers', () => {
  for (const [text, goal, tone] of cases) {
    const asides = asidesOf(text)
    assert.deepEqual([asides.goal.trim(), asides.tone], [goal, tone], text)
  }
})

test('a URL is read without the punctuation that ends its sentence', () => {
  assert.deepEqual(asidesOf(`See ${menu}, or (${menu}?a=1).`).links, [menu, `${menu}?a=1`])
})

test('a link that its sentence needs stays in the sentence', () => {
  const asides = asidesOf(`Come on Friday at 18:00. Book at ${menu}.`)
  assert.equal(asides.goal, `Come on Friday at 18:00. Book at ${menu}.`)
  assert.deepEqual(asides.links, [menu])
})

test('a time before the word tone is not read as a tone', () => {
  const { goal, tone } = asidesOf('Doors open at 10.30 in a friendly tone')
  assert.deepEqual([goal, tone], ['Doors open at 10.30 in a friendly tone', undefined])
})

test('a goal of any length and repetition is parsed in little CPU time', () => {
  const units = [
    ' ',
    '\n',
    ', ',
    'a and ',
    ', the link: ',
    ' with a link to',
    ' https://',
    ' tone,',
  ]
  const heads = ['', 'x,', ', in the ', `x ${menu}`, '(link: ']
  const started = cpuMs()
  for (const head of heads) {
    for (const unit of units) {
      asidesOf(`${head}${unit.repeat(2_000 / unit.length)}`)
      asidesOf(`${head}${unit.repeat(2_000 / unit.length)}${menu} x`)
      asidesOf(`${head}${unit.repeat(100_000 / unit.length)}${menu}`)
    }
  }
  assert.ok(cpuMs() - started < 2_000, `${cpuMs() - started} ms`)
})
