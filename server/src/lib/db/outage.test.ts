import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { openDatabase, sql } from './db.ts'
import { isOutage } from './outage.ts'

const withCode = (code: string) => Object.assign(new Error('…'), { code })

test('shutdowns, lost connections and exhausted resources are outages', () => {
  for (const code of ['57P01', '57P03', '08006', '08001', '53300', '58030']) {
    assert.ok(isOutage(withCode(code)), code)
  }
  assert.ok(isOutage(new Error('Connection terminated unexpectedly')))
})

test('errors of a row, a lock or our own code are not outages', () => {
  for (const code of ['23505', '22P02', '40P01', '55P03', '57014', '42703']) {
    assert.ok(!isOutage(withCode(code)), code)
  }
  assert.ok(!isOutage(new TypeError('x is undefined')))
  assert.ok(!isOutage('57P01'))
})

test('a server that is not running is an outage, as the driver reports it', async () => {
  const free = net.createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => free.once('listening', listening))
  const { port } = free.address() as net.AddressInfo
  await new Promise((closed) => free.close(closed))
  const db = openDatabase({
    connection: { host: '127.0.0.1', port, user: 'x', database: 'x' },
    restartPatience: 0,
  })
  await assert.rejects(db.run(sql`select 1`), (error) => isOutage(error))
  await db.end()
})
