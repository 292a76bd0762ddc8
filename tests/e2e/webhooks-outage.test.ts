/** A listener whose server stops and comes back: it reports that, and misses nothing. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Home, type RunningCrier } from '../../cli/tests/crier.ts'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'

let home: Home
let service: RunningCrier
let drop: () => Promise<void>

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
  await serve()
})
after(async () => {
  await gone()
  await drop()
  await home.remove()
})

async function serve() {
  service = home.start(['serve', '--role', 'all'])
  await service.says(/^crier is running/m)
}

async function gone() {
  service.signal('SIGTERM')
  await service.ended
}

async function save(name: string) {
  const { code, stderr } = await home.run(['contact', 'upsert', '--email', `${name}@example.com`])
  assert.equal(code, 0, stderr)
}

test('a listener survives a restart of its server and continues where it was', async () => {
  const login = home.start(['login', '--no-browser'])
  const [, url = ''] = await login.says(/^ {2}(http\S+)$/m)
  await approveAndReturn(url, { email: newPerson() })
  await login.ended

  const listener = home.start(['webhooks', 'listen'])
  await listener.says(/^Listening to /m)
  await save('before')
  await listener.says(/before@example\.com/)
  await gone()
  await listener.says(/cannot be reached.* Trying again in 1 s\.$/m)
  await serve()
  await save('after')
  await listener.says(/after@example\.com/)
  listener.signal('SIGINT')
  const { code, stdout, stderr } = await listener.ended
  assert.equal(code, 0)
  assert.match(stderr, /^The server is back/m)
  const types = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).type)
  assert.deepEqual(types, ['contact.created', 'contact.created'])
})
