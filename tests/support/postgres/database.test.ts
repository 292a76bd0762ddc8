import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { testDatabase } from './database.ts'

test('a test database has the migrated schema and is separate from all others', async () => {
  const [one, two] = await Promise.all([testDatabase(), testDatabase()])
  after(() => Promise.all([one.drop(), two.drop()]))
  await one.db.run(sql`insert into allowed_redirects values ('https://a.example/cb', '2030-01-01')`)
  assert.equal(await one.db.run(sql`select uri from allowed_redirects`), 1)
  assert.equal(await two.db.run(sql`select uri from allowed_redirects`), 0)
})
