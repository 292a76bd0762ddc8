/** Two versions of a template compared as a reader of the mail sees them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  paragraphsOf,
  versionDifference,
  wordDifference,
} from '../../web/src/pages/templates/version-difference.ts'
import type { Block } from '../../web/src/parts/blocks/model.ts'

const same = (text: string) => text
const difference = (before: Block[], after: Block[]) =>
  versionDifference({ blocks: before }, { blocks: after }, same)

test('blocks that are added, removed, moved and changed are told apart', () => {
  const [title, words, button, quote]: Block[] = [
    { type: 'heading', text: 'Autumn' },
    { type: 'text', text: 'Two new roasts are here' },
    { type: 'button', text: 'Look', url: 'https://example.com' },
    { type: 'quote', text: 'Good' },
  ] as [Block, Block, Block, Block]
  assert.deepEqual(difference([title, words], [title, words]), [])
  assert.deepEqual(difference([title], [title, words]), [
    { kind: 'added', part: 'text', words: [{ text: words.text, side: 'new' }], settings: [] },
  ])
  assert.deepEqual(difference([title, words, button], [title, button]), [
    { kind: 'removed', part: 'text', words: [{ text: words.text, side: 'old' }], settings: [] },
  ])
  assert.deepEqual(difference([title, words, button], [words, button, title]), [
    { kind: 'moved', part: 'heading', words: [{ text: 'Autumn', side: 'both' }], settings: [] },
  ])
  const other = { ...words, text: 'Three new roasts are here', align: 'center' }
  assert.deepEqual(difference([title, words, quote], [title, other, quote]), [
    {
      kind: 'changed',
      part: 'text',
      words: [
        { text: 'Two ', side: 'old' },
        { text: 'Three ', side: 'new' },
        { text: 'new roasts are here', side: 'both' },
      ],
      settings: ['align'],
    },
  ])
  const elsewhere = { ...button, url: 'https://example.com/new' }
  assert.deepEqual(difference([button], [elsewhere]), [
    { kind: 'changed', part: 'button', words: [], settings: ['url'] },
  ])
})

test('blocks within columns, fields and translations are compared too', () => {
  const columns = (text: string): Block => ({
    type: 'columns',
    columns: [[{ type: 'text', text }], [{ type: 'divider' }]],
  })
  assert.deepEqual(
    difference([columns('a b')], [columns('a c')]).map(({ part, kind }) => [part, kind]),
    [['text', 'changed']],
  )
  const changes = versionDifference(
    { subject: 'Hi you', translations: { de: { subject: 'Hallo' } } },
    { subject: 'Hi there', translations: { de: { subject: 'Hallo du' } } },
    same,
  )
  assert.deepEqual(
    changes.map(({ part, language }) => [part, language]),
    [
      ['subject', undefined],
      ['subject', 'de'],
    ],
  )
})

test('HTML is compared by what a reader sees of it', () => {
  const page = (words: string, style: string) =>
    `<style>${style}</style><table><tr><td>One</td></tr></table><p class="${style}">${words} &amp; more</p><!-- ${style} -->`
  assert.deepEqual(paragraphsOf(page('Two', 'a')), ['One', 'Two & more'])
  const compare = (before: string, after: string) =>
    versionDifference({ html: before }, { html: after }, same)
  assert.deepEqual(compare(page('Two', 'a'), page('Two', 'b')), [])
  assert.equal(compare(page('Two', 'a'), page('Three', 'a')).length, 1)
})

test('texts of any length are compared in time, and no word is lost', () => {
  const long = (word: string) => `${word} `.repeat(4_000)
  const pieces = wordDifference(long('a'), long('b'))
  assert.deepEqual(
    pieces.map(({ side }) => side),
    ['old', 'new'],
  )
  const [before, after] = ['one two  three\nfour', 'one 2 three four five']
  const joined = (side: string) =>
    wordDifference(before, after)
      .filter((piece) => piece.side === 'both' || piece.side === side)
      .map(({ text }) => text.trim())
      .join(' ')
      .split(/\s+/)
  assert.deepEqual(joined('old'), before.split(/\s+/))
  assert.deepEqual(joined('new'), after.split(/\s+/))
})
