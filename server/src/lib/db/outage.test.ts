import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { openDatabase, sql } from './db.ts'
import { isOutage, isPatientOutage, outageOf } from './outage.ts'

const withCode = (code: string, more = {}) => Object.assign(new Error('…'), { code, ...more })

test('each outage has its kind, by the code of the server or of the connection', () => {
  for (const [code, kind] of Object.entries({
    '08006': 'away',
    '25006': 'read_only',
    '53000': 'faulty',
    '53100': 'disk_full',
    '53200': 'no_memory',
    '53300': 'no_connection',
    '57P01': 'away',
    '57P02': 'away',
    '57P03': 'starting',
    '58030': 'faulty',
    ECONNREFUSED: 'away',
    ECONNRESET: 'away',
  })) {
    assert.equal(outageOf(withCode(code)), kind, code)
    assert.ok(isOutage(withCode(code)), code)
  }
  assert.equal(outageOf(withCode('ENOENT', { syscall: 'connect' })), 'away')
  assert.equal(outageOf(new Error('Connection terminated unexpectedly')), 'away')
})

test('errors of a row, a lock, a limit of one statement or our own code are not outages', () => {
  for (const code of ['23505', '22P02', '40P01', '53400', '55P03', '57014', '42703']) {
    assert.ok(!isOutage(withCode(code)), code)
  }
  assert.ok(!isOutage(new TypeError('x is undefined')))
  assert.ok(!isOutage('57P01'))
  // A file that is missing or does not fit on the disk says nothing about the database.
  for (const code of ['ENOENT', 'ENOSPC']) {
    assert.equal(outageOf(withCode(code, { syscall: 'write' })), undefined, code)
  }
})

test('what a statement may have caused itself is not repeated for ever', () => {
  const patient = ['25006', '53100', '53300', '57P03']
  for (const code of patient) assert.ok(isPatientOutage(withCode(code)), code)
  for (const code of ['57P02', '53200', '08006', '23505']) {
    assert.ok(!isPatientOutage(withCode(code)), code)
  }
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
  const heard: unknown[] = []
  db.onError((error) => heard.push(error))
  await assert.rejects(db.run(sql`select 1`), (error) => outageOf(error) === 'away')
  assert.equal(heard.length, 1)
  await db.end()
})
