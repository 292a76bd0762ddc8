/** The table of programs that load the picture, in the page about results, is what the code does. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { isMachine, isReadersProxy } from './visitor.ts'

const page = path.join(import.meta.dirname, '../../../docs/design/campaign-results.md')

test('each program of the table is taken for what the table says', () => {
  const [, table = ''] = readFileSync(page, 'utf8').split('## Who opened a mail')
  const rows = table.split('\n').flatMap((line) => {
    const [, agent, program = '', taken = ''] = line.split('|').map((cell) => cell.trim())
    return agent?.startsWith('`') ? [{ agent: agent.slice(1, -1), program, taken }] : []
  })
  assert.ok(rows.length >= 12, `${rows.length} rows`)
  for (const { agent, program, taken } of rows) {
    const visit = { method: 'GET', address: '192.0.2.1', agent, purpose: undefined }
    const verdict = isReadersProxy(visit) ? 'by the time' : isMachine(visit) ? 'machine' : 'person'
    assert.equal(verdict, taken, program)
    assert.equal(isMachine({ ...visit, method: 'HEAD' }), true, program)
    assert.equal(isMachine({ ...visit, purpose: 'prefetch' }), true, program)
  }
})
