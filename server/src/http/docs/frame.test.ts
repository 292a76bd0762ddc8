import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from '../../reference/blocks.ts'
import { framed, landing, resultsPage } from './frame.ts'

const page: Page = {
  path: 'help/a',
  title: 'A & B',
  about: 'About.',
  blocks: [
    { kind: 'heading', text: 'One' },
    { kind: 'heading', text: 'Within', within: true },
    { kind: 'heading', text: 'Two' },
  ],
}
const owners = { title: 'For owners', about: 'Own.', chapters: [{ title: 'First', pages: [page] }] }
const operators = {
  title: 'For operators',
  about: 'Run.',
  chapters: [{ title: 'Set up', pages: [{ ...page, path: 'operate' }] }],
}

test('a page shows its shelf, itself in the list, and its main headings', () => {
  const text = framed(page, owners, [owners, operators]).toString()
  assert.match(text, /<a href="\/docs\/help\/a" aria-current="true">For owners<\/a>/)
  assert.match(text, /<a href="\/docs\/operate">For operators<\/a>/)
  assert.match(text, /<a href="\/docs\/help\/a" aria-current="page">A &amp; B<\/a>/)
  assert.match(text, /<a href="#one">One<\/a>/)
  assert.doesNotMatch(text, /<a href="#within">/)
})

test('the first page has a door for each shelf, and results show what was asked', () => {
  assert.match(landing([owners, operators]).toString(), /Own\.[\s\S]*Run\./)
  const none = resultsPage('"><b>', [], [owners]).toString()
  assert.match(none, /Nothing matches “&quot;&gt;&lt;b&gt;”/)
  assert.match(none, /value="&quot;&gt;&lt;b&gt;"/)
})
