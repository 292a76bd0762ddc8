/** The patterns of the shipped code, and the table of their inputs. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { findPatterns } from './find-patterns.ts'

const table = path.join(import.meta.dirname, 'table.txt')

/** The first word of each row, by file and pattern. */
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
export const found = findPatterns().map((pattern) => ({
  ...pattern,
  key: `${pattern.file}\n${pattern.spelled}`,
}))
