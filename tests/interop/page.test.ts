import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { interopPage, pagePath } from './page.ts'

test('the published matrix is what the tables say', async () => {
  const published = await readFile(new URL(`../../${pagePath}`, import.meta.url), 'utf8')
  assert.equal(published, interopPage(), 'run npm run generate')
})
