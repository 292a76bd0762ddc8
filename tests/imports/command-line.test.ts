/** Files by command line: imported after a dry run, exported, and imported elsewhere unchanged. */

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { errorOf, Home, type RunningCrier } from '../../cli/tests/crier.ts'
import { approveAndReturn, everything, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'

const email = newPerson('iris')
let home: Home
let service: RunningCrier
let drop: () => Promise<void>
let businesses: { business_id: string }[]

before(async () => {
  home = await Home.make()
  const database = await emptyDatabase()
  const { host, user, database: name } = database.connection
  drop = database.drop
  const port = String(await freePort())
  Object.assign(home.env, {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${host}`,
    PORT: port,
    CRIER_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'silent',
  })
  service = home.start(['serve', '--role', 'all'])
  await service.says(/^crier is running/m)
  for (const name of ['Fennoway Yoga', 'South Yoga']) {
    await home.run(['businesses', 'create', '--name', name, '--owner', email])
  }
  const login = home.start(['login', '--no-browser'])
  const [, url = ''] = await login.says(/^ {2}(http\S+)$/m)
  await approveAndReturn(url, { email, choose: everything })
  await login.ended
  const { stdout } = await home.run(['call', 'business.list'])
  businesses = JSON.parse(stdout).businesses
})
after(async () => {
  service.signal('SIGKILL')
  await service.ended
  await drop()
  await home.remove()
})

const at = (n: number) => ['--business', businesses[n]?.business_id ?? '']

test('a CSV file is previewed, imported, exported and imported into another business unchanged', async () => {
  const file = path.join(home.folder, 'people.csv')
  await writeFile(file, 'Email;Full name;Company\nana@example.com;Ana;Acme\nbad;Bad;\n')
  const unasked = await home.run(['contacts', 'import', file, ...at(0)])
  assert.equal(unasked.code, 2)
  assert.match(String(errorOf(unasked)['message']), /Import 1 rows\? Add --yes/)

  const agreed = ['--agreed', 'our shop', '--words', 'Write to me']
  const map = ['--map', 'Company=attributes.employer', '--tag', 'moved', ...agreed]
  const taken = await home.run(['contacts', 'import', file, ...at(0), ...map, '--yes'])
  assert.equal(taken.code, 0, taken.stderr)
  assert.match(taken.stderr, /Company +attributes\.employer +Acme/)
  assert.match(taken.stderr, /2 rows, of which 1 would be taken/)
  const { state, created, refused, errors_url } = JSON.parse(taken.stdout)
  assert.deepEqual([state, created, refused], ['done', 1, 1])
  assert.match(errors_url, /^http/)

  const out = `${file}.out.csv`
  const exported = await home.run(['contacts', 'export', '--out', out, ...at(0)])
  assert.equal(exported.code, 0, exported.stderr)
  assert.match(
    await readFile(out, 'utf8'),
    /ana@example\.com,,,Ana,,,,moved,subscribed,our shop,Write to me/,
  )
  await home.run(['contacts', 'import', out, ...at(1), '--yes'])
  const [first, second] = await Promise.all(
    [0, 1].map((n) => home.run(['contacts', 'export', ...at(n)])),
  )
  assert.equal(second?.stdout, first?.stdout)
  const lines = await home.run([
    'contacts',
    'export',
    '--format',
    'ndjson',
    '--filter',
    '{"tag":"moved"}',
    ...at(1),
  ])
  assert.equal(JSON.parse(lines.stdout).attributes.employer, 'Acme')
})

test('a file that cannot be imported is reported with the exit code of its kind', async () => {
  const none = await home.run(['contacts', 'import', '/nowhere.csv', ...at(0), '--yes'])
  assert.equal(none.code, 2)
  const file = path.join(home.folder, 'zip.csv')
  await writeFile(file, Buffer.from('PK\u0003\u0004'))
  const zip = await home.run(['contacts', 'import', file, ...at(0), '--yes'])
  assert.notEqual(zip.code, 0)
  assert.match(String(errorOf(zip)['message']), /zip archive/)
})

test('people who must not be written to come in by a file, and go out by one', async () => {
  const file = path.join(home.folder, 'cleaned.csv')
  await writeFile(file, 'Email Address,CLEAN_TIME,LEID\ncy@example.com,2024-06-01 08:00:00,1\n')
  const taken = await home.run(['suppressions', 'import', file, ...at(0), '--yes'])
  assert.equal(taken.code, 0, taken.stderr)
  assert.match(taken.stderr, /Email Address +email +cy@example\.com/)
  assert.match(taken.stderr, /Reason, where a row says none: bounce\./)
  const { state, created } = JSON.parse(taken.stdout)
  assert.deepEqual([state, created], ['done', 1])
  const again = await home.run([
    'suppressions',
    'import',
    file,
    ...at(0),
    '--yes',
    '--reason',
    'manual',
  ])
  assert.equal(JSON.parse(again.stdout).unchanged, 1, 'a bounce is as strict')
  const out = `${file}.out.csv`
  const exported = await home.run(['suppressions', 'export', '--out', out, ...at(0)])
  assert.equal(exported.code, 0, exported.stderr)
  assert.match(
    await readFile(out, 'utf8'),
    /^,,[0-9a-f]{64},bounce,2024-06-01T08:00:00\.000Z,import/m,
  )
})
