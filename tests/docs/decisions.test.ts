/** The index of the decisions lists each of them once. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { root, textOf } from './fences.ts'

const folder = 'docs/decisions'
const files = readdirSync(path.join(root, folder)).filter((name) => /^\d{4}-.+\.md$/.test(name))

test('the index of decisions has one line for each decision', () => {
  const linked = [...textOf(`${folder}/README.md`).matchAll(/^\| \[\d{4}\]\((\S+)\)/gm)]
  assert.equal(linked.length, files.length)
  assert.deepEqual(new Set(linked.map(([, file]) => file)), new Set(files))
  assert.ok(files.length > 30, 'the decisions were not seen')
})

test('no two decisions have one number, and each begins with its own', () => {
  const numbers = files.map((file) => file.slice(0, 4))
  assert.equal(new Set(numbers).size, numbers.length)
  for (const file of files) {
    assert.ok(textOf(`${folder}/${file}`).startsWith(`# ${file.slice(0, 4)} `), file)
  }
})
