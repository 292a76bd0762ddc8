/** The service is killed several times in the middle of an import, and started again. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openDatabase, sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { Home, type RunningCrier } from '../../cli/tests/crier.ts'
import { approveAndReturn, everything, newPerson } from '../support/clients/sign-in.ts'
import { endLeases } from '../support/jobs/end-leases.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'
import { until } from '../support/time/eventually.ts'

/** `npm run soak` sets both to full size. */
const rows = Number(process.env['IMPORT_ROWS'] ?? 12_000)
const kills = Number(process.env['IMPORT_KILLS'] ?? 2)

const email = newPerson('kim')
let home: Home
let service: RunningCrier
let db: Database
let drop: () => Promise<void>

const serve = async () => {
  service = home.start(['serve', '--role', 'all'])
  await service.says(/^crier is running/m)
}

before(async () => {
  home = await Home.make()
  const database = await emptyDatabase()
  const { host, user, database: name } = database.connection
  drop = database.drop
  db = openDatabase({ connection: database.connection, poolSize: 2, onIdleError: () => {} })
  const port = String(await freePort())
  Object.assign(home.env, {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${host}`,
    PORT: port,
    CRIER_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'silent',
  })
  await serve()
  await home.run(['businesses', 'create', '--name', 'Fennoway Yoga', '--owner', email])
  const login = home.start(['login', '--no-browser'])
  const [, url = ''] = await login.says(/^ {2}(http\S+)$/m)
  await approveAndReturn(url, { email, choose: everything })
  await login.ended
})
after(async () => {
  service.signal('SIGKILL')
  await service.ended
  await db.end()
  await drop()
  await home.remove()
})

interface Seen {
  import_id: string
  state: string
  upload_url: string
  result?: Record<string, number>
}

async function call(tool: string, args: object): Promise<Seen> {
  const { code, stdout, stderr } = await home.run(['call', tool, '--json', JSON.stringify(args)])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as Seen
}

interface Progress {
  state: string
  row: number
}

const newestImport = (): Promise<Progress> =>
  db.one<Progress>(sql`select state, next_row as row from imports order by id desc limit 1`)

const importReaches = (what: string, isThere: (seen: Progress) => boolean): Promise<void> =>
  until(
    async () => {
      const seen = await newestImport()
      assert.notEqual(seen.state, 'failed')
      return isThere(seen)
    },
    what,
    120_000,
  )

test('an import loses and duplicates no contact, however often the service is killed', async (t) => {
  // Every tenth row repeats an earlier person, and every hundredth is no person.
  const lines = Array.from({ length: rows }, (_, n) => {
    if (n % 100 === 99) return `nobody ${n},"No\nbody"`
    return `p${n % 10 === 9 ? n - 9 : n}@example.com,"Person, ${n}"`
  })
  const { import_id, upload_url } = await call('import.create', { file_name: 'people.csv' })
  const body = `email,name\n${lines.join('\n')}\n`
  assert.equal((await fetch(upload_url, { method: 'PUT', body })).status, 201)
  await importReaches('ready', ({ state }) => state === 'ready')
  await call('import.confirm', { import_id })
  for (let n = 1; n <= kills; n++) {
    await importReaches(`part ${n}`, ({ row }) => row >= (rows * n) / (kills + 2))
    service.signal('SIGKILL')
    await service.ended
    const { state, row } = await newestImport()
    assert.ok(state === 'done' || row < rows, 'it was killed on its way')
    await endLeases(db)
    await serve()
  }
  await importReaches('done', ({ state }) => state === 'done')
  const { result } = await call('import.get', { import_id })
  t.diagnostic(`${rows} rows imported over ${kills} kills`)
  const refused = rows / 100
  const doubled = (rows * 9) / 100
  assert.deepEqual([result?.['created'], result?.['refused']], [rows - refused - doubled, refused])
  const { contacts, events } = await db.one<{ contacts: number; events: number }>(sql`
    select (select count(*) from contacts) as contacts,
      (select count(*) from events where type = 'contact.created') as events
  `)
  assert.deepEqual([contacts, events], [rows - refused - doubled, rows - refused - doubled])
})

test('of a file of suppressions nobody is lost either, whatever it names them by', async () => {
  const count = 12_000
  const addresses = Array.from({ length: count }, (_, n) => `s${n}@example.com`)
  const lines = addresses.map((address, n) =>
    n % 2 === 0 ? `${address},` : `,${createHash('sha256').update(address).digest('hex')}`,
  )
  const asked = { file_name: 'suppressed.csv', kind: 'suppressions' }
  const { import_id, upload_url } = await call('import.create', asked)
  const body = `email,sha256\n${lines.join('\n')}\n`
  assert.equal((await fetch(upload_url, { method: 'PUT', body })).status, 201)
  await importReaches('ready', ({ state }) => state === 'ready')
  await call('import.confirm', { import_id })
  await importReaches('a part', ({ row }) => row > 0)
  service.signal('SIGKILL')
  await service.ended
  const { state, row } = await newestImport()
  assert.ok(state === 'running' && row < count, `killed on its way: ${state} at ${row}`)
  await endLeases(db)
  await serve()
  await importReaches('done', ({ state }) => state === 'done')
  const { result } = await call('import.get', { import_id })
  assert.equal(result?.['created'], count)
  const listed = await db.one<{ named: number; hashed: number }>(sql`
    select (select count(*) from suppressions) as named,
      (select count(*) from suppressed_hashes where address_hmac is null) as hashed
  `)
  assert.deepEqual(listed, { named: count / 2, hashed: count / 2 })
})
