/** The documentation as files: every address that a page names is a file, and the search has its index. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from './fences.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-site-'))
after(() => rmSync(folder, { recursive: true }))

test('the documentation as files needs no service: each link, script, style and picture is there', async () => {
  const program = path.join(root, 'scripts/docs-site.ts')
  const flags = ['--conditions=crier-source', program, folder, 'https://crier.example/']
  await promisify(execFile)(process.execPath, flags)
  const pages = globSync('docs/**/index.html', { cwd: folder })
  assert.ok(pages.length > 200, `${pages.length} pages`)
  const missing = new Set<string>()
  for (const page of pages) {
    const text = readFileSync(path.join(folder, page), 'utf8')
    assert.doesNotMatch(text, /localhost:8080\/v1/, page)
    for (const [, address = ''] of text.matchAll(/ (?:href|src|action)="(\/[^"#?]*)/g)) {
      const file = path.join(folder, address)
      const isThere = existsSync(path.join(file, 'index.html')) || /\.\w+$/.test(file)
      if (!isThere || !existsSync(file)) missing.add(address)
    }
  }
  assert.deepEqual([...missing], [])
  const first = readFileSync(path.join(folder, 'docs/guides/first-mail/index.html'), 'utf8')
  assert.match(first, /https:\/\/crier\.example\/v1\/emails/)
  const index = readFileSync(path.join(folder, 'docs/search.json'), 'utf8')
  assert.match(index, /two minutes/)
})
