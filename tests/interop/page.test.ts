import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { interopPage, pagePath } from './page.ts'

test('the published interoperability matrix matches the tables in the code', async () => {
  const published = await readFile(new URL(`../../${pagePath}`, import.meta.url), 'utf8')
  assert.equal(published, interopPage(), 'run npm run generate')
})
