/** A node reads files that another one received: they are in a bucket, with no shared folder. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Home, type RunningCrier } from '../../cli/tests/crier.ts'
import { approveAndReturn, everything, newPerson } from '../support/clients/sign-in.ts'
import { type BucketServer, bucketServer } from '../support/network/bucket-server.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'
import { eventually } from '../support/time/eventually.ts'

const email = newPerson('kim')
let api: Home
let worker: Home
let bucket: BucketServer
let running: RunningCrier[]
let drop: () => Promise<void>

before(async () => {
  bucket = await bucketServer()
  const database = await emptyDatabase()
  const { host, user, database: name } = database.connection
  drop = database.drop
  const port = String(await freePort())
  const shared = {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${host}`,
    CRIER_SECRET: 'the same on each of the two nodes',
    STORAGE_URL: `s3://${bucket.name}/crier`,
    AWS_ACCESS_KEY_ID: bucket.credentials.keyId,
    AWS_SECRET_ACCESS_KEY: bucket.credentials.secret,
    AWS_REGION: bucket.region,
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
    PORT: port,
    CRIER_URL: `http://localhost:${port}`,
    LOG_LEVEL: 'silent',
  }
  ;[api, worker] = [await Home.make(), await Home.make()]
  for (const home of [api, worker]) Object.assign(home.env, shared)
  running = [api.start(['serve', '--role', 'api'])]
  await running[0]?.says(/^crier is running/m)
  running.push(worker.start(['serve', '--role', 'worker']))
  await running[1]?.says(/^crier worker is running/m)
  await api.run(['businesses', 'create', '--name', 'Fennoway Yoga', '--owner', email])
  const login = api.start(['login', '--no-browser'])
  const [, url = ''] = await login.says(/^ {2}(http\S+)$/m)
  await approveAndReturn(url, { email, choose: everything })
  await login.ended
})
after(async () => {
  for (const node of running) {
    node.signal('SIGTERM')
    await node.ended
  }
  await drop()
  await bucket.close()
  await api.remove()
  await worker.remove()
})

interface ImportAnswer {
  import_id: string
  state: string
  upload_url: string
  result?: Record<string, number>
}

async function call(tool: string, args: object): Promise<ImportAnswer> {
  const { code, stdout, stderr } = await api.run(['call', tool, '--json', JSON.stringify(args)])
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout) as ImportAnswer
}

async function importInState(import_id: string, state: string): Promise<ImportAnswer> {
  const seen = await eventually(
    () => call('import.get', { import_id }),
    (answer) => [state, 'failed'].includes(answer.state),
  )
  assert.equal(seen.state, state)
  return seen
}

test('a file received by an api node is imported by a worker with a separate folder', async () => {
  const { import_id, upload_url } = await call('import.create', { file_name: 'people.csv' })
  const body = 'email,name\nana@example.com,Ana\nbo@example.com,Bo\n'
  assert.equal((await fetch(upload_url, { method: 'PUT', body })).status, 201)
  await importInState(import_id, 'ready')
  const [kept] = [...bucket.objects]
  assert.match(kept?.[0] ?? '', /^crier\/imports\//)
  assert.equal(kept?.[1].toString(), body)
  await call('import.confirm', { import_id })
  const { result } = await importInState(import_id, 'done')
  assert.deepEqual([result?.['created'], result?.['refused']], [2, 0])
  assert.equal(bucket.objects.size, 0)
})
