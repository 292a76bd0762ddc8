/** The guide on blocks names every field of every type, and its example is valid. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { blockSchemas } from 'crier-server/templates/blocks/block.ts'
import { readBlocks } from 'crier-server/templates/blocks/read.ts'
import { fencesOf } from './fences.ts'

const guide = 'docs/guides/blocks.md'

test('the examples of the guide on blocks are accepted', () => {
  const examples = fencesOf(guide).filter(({ language }) => language === 'json')
  assert.equal(examples.length, 4)
  for (const { code } of examples) readBlocks(JSON.parse(code).blocks)
})

/** What one paragraph says of all types, with the types that do not take it. */
const ofAll: Record<string, string[]> = {
  background: ['view_link', 'mjml'],
  padding: ['view_link', 'mjml', 'spacer'],
  show_if: [],
}

test('the guide on blocks has a row for each type with all of its fields', () => {
  const text = readFileSync(guide, 'utf8')
  const rows = text.split('\n')
  for (const [type, { properties }] of Object.entries(blockSchemas)) {
    const row = rows.find((line) => line.startsWith(`| \`${type}\``)) ?? ''
    for (const field of Object.keys(properties).filter((name) => name !== 'type')) {
      if (field in ofAll) continue
      assert.match(row, new RegExp(`\`${field}\\b`), `${type} has no ${field} in the guide`)
    }
    for (const [field, without] of Object.entries(ofAll)) {
      assert.equal(field in properties, !without.includes(type), `${field} of ${type}`)
    }
  }
  assert.match(
    text,
    /Each type but `view_link` and `mjml` takes `background`, [\s\S]{1,60} each of these but `spacer` also\n`padding`/,
  )
})
