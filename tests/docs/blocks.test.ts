/** The guide on blocks names every field of every type, and its example is valid. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { blockSchemas } from 'crier-server/templates/blocks/block.ts'
import { readBlocks } from 'crier-server/templates/blocks/read.ts'
import { fencesOf } from './fences.ts'

const guide = 'docs/guides/blocks.md'

test('the example of the guide on blocks is accepted', () => {
  const [example] = fencesOf(guide).filter(({ language }) => language === 'json')
  readBlocks(JSON.parse(example?.code ?? '').blocks)
})

test('the guide on blocks has a row for each type with all of its fields', () => {
  const rows = readFileSync(guide, 'utf8').split('\n')
  for (const [type, { properties }] of Object.entries(blockSchemas)) {
    const row = rows.find((line) => line.startsWith(`| \`${type}\``)) ?? ''
    for (const field of Object.keys(properties).filter((text) => text !== 'type')) {
      assert.match(row, new RegExp(`\`${field}\\b`), `${type} has no ${field} in the guide`)
    }
  }
})
