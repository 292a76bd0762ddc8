import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startBind, withoutBind } from '../../../tests/support/network/bind.ts'
import { factsName, nameOf } from '../backups/model/backup.ts'
import { limits } from '../config.ts'
import { backupFinding, bounceFinding, namesFinding } from './check-outside.ts'

const baseUrl = 'https://crier.example'
const settings = {
  baseUrl,
  backupStamp: undefined,
  backupTo: undefined,
  databaseUrl: undefined,
  ledgerTo: undefined,
  secret: undefined,
  role: 'all',
} as const

test('a newest backup at the limit passes the check, and an older one, or none, is reported', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-backups-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const outcome = async (now: Date) =>
    (await backupFinding({ ...settings, backupTo: { kind: 'folder', folder } }, now)).outcome
  const startedAt = new Date('2026-11-20T02:00:00Z')
  const atLimit = new Date(startedAt.getTime() + limits.alertBackupSeconds * 1000)
  assert.equal(await outcome(startedAt), 'warn')
  const backup = path.join(folder, nameOf(startedAt))
  mkdirSync(backup)
  const facts = (more: object) =>
    writeFileSync(
      path.join(backup, factsName),
      JSON.stringify({ startedAt, verifiedAt: startedAt, hasSecret: true, ...more }),
    )
  facts({})
  assert.equal(await outcome(atLimit), 'ok')
  assert.equal(await outcome(new Date(atLimit.getTime() + 1)), 'warn')
  assert.equal((await backupFinding(settings, atLimit)).outcome, 'warn')
  const here = { ...settings, baseUrl: 'http://localhost:8080' }
  assert.equal((await backupFinding(here, atLimit)).outcome, 'ok')
  facts({ hasSecret: false })
  const backupTo = { kind: 'folder', folder } as const
  const bare = await backupFinding({ ...settings, backupTo }, atLimit)
  assert.deepEqual([bare.outcome, /BACKUP_PASSPHRASE/.test(bare.mend ?? '')], ['warn', true])
  const secret = 'kept where the settings are'
  assert.equal((await backupFinding({ ...settings, backupTo, secret }, atLimit)).outcome, 'ok')
})

test('of a PostgreSQL server of their own, operators hear of backups as of the embedded one, and of a missing ledger', async () => {
  const own = { ...settings, databaseUrl: 'postgres://crier@db.example/crier' }
  const place = { kind: 'folder', folder: '/nowhere' } as const
  const ledgerTo = { kind: 'file', file: '/nowhere/ledger.jsonl' } as const
  const told = async (more: Partial<Parameters<typeof backupFinding>[0]>) => {
    const { outcome, mend = '' } = await backupFinding({ ...own, ...more }, new Date())
    return `${outcome} ${mend}`
  }
  assert.match(await told({ backupTo: place, ledgerTo }), /^warn Run crier backup/)
  assert.match(await told({}), /^warn Set LEDGER_TO on the workers/)
  assert.match(await told({ ledgerTo }), /^warn Set BACKUP_TO on the workers.* or BACKUP_STAMP/)
  assert.match(await told({ role: 'api' }), /^ok/, 'the workers write the ledger')
  assert.match(await told({ baseUrl: 'http://localhost:8080' }), /^ok/)
})

test('the stamp of an own server’s backup has the limit of any backup, and one from a clock ahead counts for nothing', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-stamp-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const backupStamp = path.join(folder, 'stamp')
  const ledgerTo = { kind: 'file', file: path.join(folder, 'ledger.jsonl') } as const
  const databaseUrl = 'postgres://crier@db.example/crier'
  const own = { ...settings, databaseUrl, ledgerTo, backupStamp }
  const stamp = new Date('2026-11-20T02:00:00Z')
  const after = async (ms: number) => {
    const { outcome, text } = await backupFinding(own, new Date(stamp.getTime() + ms))
    return `${outcome} ${text}`
  }
  const limitMs = limits.alertBackupSeconds * 1000
  assert.match(await after(0), /^warn .*have not stamped/)
  writeFileSync(backupStamp, '')
  utimesSync(backupStamp, stamp, stamp)
  assert.match(await after(limitMs), /^ok .*the newest 36 hours old/)
  assert.match(await after(limitMs + 1), /^warn .*36 hours old/)
  assert.match(await after(-60_000), /^ok/)
  assert.match(await after(-60_001), /^warn .*have not stamped/)
  const within = await backupFinding({ ...own, backupStamp: path.join(backupStamp, 'x') }, stamp)
  assert.match(`${within.outcome} ${within.text}`, /^fail .*cannot be read \(ENOTDIR\)/)
})

test('public names without an address are reported, and addresses of this machine are not asked for', async () => {
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    if (name !== 'crier.example') throw Object.assign(new Error('…'), { code: 'ENOTFOUND' })
  }
  const all = { baseUrl, appUrl: baseUrl, gatewayUrl: baseUrl }
  assert.equal((await namesFinding(all, resolve)).outcome, 'ok')
  assert.deepEqual(asked, ['crier.example'])
  const app = { ...all, appUrl: 'https://app.example', gatewayUrl: 'https://[2001:db8::1]' }
  const { outcome, text } = await namesFinding(app, resolve)
  assert.deepEqual([outcome, text], ['warn', 'no address for app.example (ENOTFOUND)'])
  const local = 'http://localhost:8080'
  const here = { baseUrl: local, appUrl: local, gatewayUrl: local }
  assert.equal((await namesFinding(here, resolve)).outcome, 'ok')
  assert.equal(asked.length, 3)
})

test('a bounce domain needs an MX record, as its DNS server tells', {
  skip: withoutBind() ?? false,
}, async (t) => {
  const bind = await startBind(['crier.test'])
  t.after(() => bind.stop())
  const bounces = { receivesBounces: true, bounceDomain: 'crier.test', dnsServers: [bind.server] }
  assert.match((await bounceFinding(bounces)).text, /^no MX record for crier\.test$/)
  await bind.update('add crier.test 300 MX 10 mx.crier.test')
  const { outcome, text } = await bounceFinding(bounces)
  assert.deepEqual([outcome, text], ['ok', 'MX for crier.test: mx.crier.test'])
  assert.equal((await bounceFinding({ ...bounces, receivesBounces: false })).outcome, 'ok')
})
