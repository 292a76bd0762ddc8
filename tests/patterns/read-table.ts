/** The patterns of the shipped code, and the table that says whose text comes to each. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { findPatterns } from './find-patterns.ts'

const table = path.join(import.meta.dirname, 'table.txt')

/** By file and pattern, the first word of the row. */
function readTable(): Map<string, string> {
  const rows = new Map<string, string>()
  let file = ''
  for (const line of readFileSync(table, 'utf8').split('\n')) {
    if (line === '') continue
    if (!line.startsWith('  ')) {
      file = line
      continue
    }
    const end = line.indexOf(' ', 2)
    const key = `${file}\n${line.slice(end + 1)}`
    assert.ok(!rows.has(key), `table.txt has a row twice, below ${file}: ${line}`)
    rows.set(key, line.slice(2, end))
  }
  return rows
}

export const rows = readTable()
export const found = findPatterns().map((one) => ({ ...one, key: `${one.file}\n${one.spelled}` }))
