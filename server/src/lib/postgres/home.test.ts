import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { isLink, temporaryDataDir } from '../../../../tests/support/postgres/data-dir.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { closedTo, databaseAccount } from './account.ts'
import { openHome } from './home.ts'
import { openPostgres } from './open.ts'

const asRoot = { skip: process.getuid?.() === 0 ? false : 'only root starts as someone else' }
const account = await databaseAccount('/nonexistent')

test('the nearest folder that an account may not pass through is found', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crier-home-'))
  after(() => rmSync(folder, { recursive: true }))
  const inner = path.join(folder, 'inner')
  mkdirSync(inner)
  const { uid, gid } = statSync(folder)
  const stranger = { uid: uid + 1, gid: gid + 1 }
  assert.equal(closedTo(stranger, inner), folder)
  assert.equal(closedTo({ uid, gid }, inner), undefined)
  chmodSync(folder, 0o710)
  assert.equal(closedTo({ uid: uid + 1, gid }, inner), undefined)
  chmodSync(folder, 0o701)
  assert.equal(closedTo(stranger, inner), undefined)
  // The owner's and the group's permissions come first, even if others may pass.
  assert.equal(closedTo({ uid: uid + 1, gid }, inner), folder)
})

test(
  'under a folder that other users cannot enter, the database is placed in /var/lib/crier',
  asRoot,
  async () => {
    const dataDir = temporaryDataDir({ mode: 0o700 })
    after(dataDir.remove)
    const open = () =>
      openPostgres({ dataDir: dataDir.path, databaseUrl: undefined, log: silentLog })
    await (await open()).stop()
    const home = path.join(dataDir.path, 'postgres')
    assert.match(readlinkSync(home), /^\/var\/lib\/crier\/\w{6}$/)
    assert.ok(existsSync(path.join(home, 'data', 'PG_VERSION')))
    assert.ok(existsSync(path.join(dataDir.path, 'postgres.log')))
    const before = readlinkSync(home)
    await (await open()).stop()
    assert.equal(readlinkSync(home), before)
  },
)

test(
  'a new DATA_DIR at the same path never finds the database of an older one',
  asRoot,
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'crier-home-'))
    after(() => rmSync(folder, { recursive: true }))
    const homes = ['first', 'second'].map(() => {
      const dataDir = path.join(folder, 'data')
      const home = openHome(dataDir, account)
      assert.ok(isLink(path.join(dataDir, 'postgres')))
      after(() => rmSync(home, { recursive: true }))
      rmSync(dataDir, { recursive: true })
      return home
    })
    assert.notEqual(homes[0], homes[1])
  },
)

test('a link to a database that is gone is refused, and no new database is begun', asRoot, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crier-home-'))
  after(() => rmSync(folder, { recursive: true }))
  rmSync(openHome(folder, account), { recursive: true })
  assert.throws(() => openHome(folder, account), {
    name: 'StartError',
    message: /is a link to a database that is gone/,
  })
})

test('the error for a database that is out of reach says which folder to open', asRoot, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crier-home-'))
  after(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'postgres'))
  assert.throws(() => openHome(folder, account), {
    name: 'StartError',
    message: new RegExp(`chmod o\\+x ${folder}`),
  })
})
