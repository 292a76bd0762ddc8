import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../../tests/support/cpu-time.ts'
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

test('links and the tone are told to the writer, not to the readers', () => {
  for (const [text, goal, tone] of cases) {
    const asides = asidesOf(text)
    assert.deepEqual([asides.goal.trim(), asides.tone], [goal, tone], text)
  }
})

test('a URL loses what ends the sentence', () => {
  assert.deepEqual(asidesOf(`See ${menu}, or (${menu}?a=1).`).links, [menu, `${menu}?a=1`])
})

test('a long goal takes no long look', () => {
  const started = cpuMs()
  asidesOf('a and '.repeat(2_000))
  asidesOf(', the link: '.repeat(2_000))
  assert.ok(cpuMs() - started < 1_000)
})
