import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { temporaryDataDir } from '../../../../tests/support/postgres/data-dir.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { databaseAccount } from './account.ts'
import { openDataDir, tighten } from './data-dir.ts'
import { homeName } from './home.ts'
import { openPostgres } from './open.ts'

const account = await databaseAccount('/nonexistent')
const asRoot = { skip: account ? false : 'only root starts the database as someone else' }
const modeOf = (file: string) => statSync(file).mode & 0o7777

function folder(options: Parameters<typeof temporaryDataDir>[0] = {}): string {
  const dataDir = temporaryDataDir(options)
  after(dataDir.remove)
  return dataDir.path
}

/** The events and numbers that were logged while `work` ran. */
function saidBy(work: (log: typeof silentLog) => void): unknown[] {
  const said: unknown[] = []
  work({ ...silentLog, warn: (...words: unknown[]) => said.push(words) } as typeof silentLog)
  return said
}

test('a data folder that Crier creates is private, and its parents have the usual mode', () => {
  const parent = folder({ below: 'deep' })
  const dataDir = path.join(parent, 'data')
  openDataDir(dataDir, undefined, silentLog)
  assert.equal(modeOf(dataDir), 0o700)
  assert.equal(modeOf(parent), 0o777 & ~process.umask())
})

test(
  'under root the database user can pass through the data folder but not list it',
  asRoot,
  async () => {
    const dataDir = folder()
    const postgres = await openPostgres({ dataDir, databaseUrl: undefined, log: silentLog })
    await postgres.stop()
    const { uid, gid } = statSync(dataDir)
    assert.deepEqual([modeOf(dataDir), uid, gid], [0o710, 0, account?.gid])
    assert.ok(statSync(path.join(homeName(dataDir), 'data', 'PG_VERSION')).isFile())
  },
)

test('a data folder with a loosened mode is tightened, and a log line reports it', () => {
  const dataDir = folder({ mode: 0o755, below: '.' })
  for (const name of ['postgres.log', 'secret', 'secret.1.x', 'bounce-tls.pem', 'journal']) {
    writeFileSync(path.join(dataDir, name), 'word')
  }
  const said = saidBy((log) => tighten(dataDir, undefined, log))
  assert.equal(modeOf(dataDir), 0o700)
  assert.deepEqual(said, [[{ folder: dataDir, was: '755', now: '700' }, 'data_dir.tightened']])
  assert.deepEqual(
    saidBy((log) => tighten(dataDir, undefined, log)),
    [],
  )
})

test(
  'under root an existing data folder is tightened but its database stays reachable',
  asRoot,
  () => {
    const dataDir = folder({ mode: 0o755, below: '.' })
    mkdirSync(homeName(dataDir))
    tighten(dataDir, account, silentLog)
    assert.deepEqual([modeOf(dataDir), statSync(dataDir).gid], [0o710, account?.gid])
  },
)

test('the folder of the secret is also tightened when DATABASE_URL is set', async () => {
  const dataDir = folder({ mode: 0o755, below: '.' })
  writeFileSync(path.join(dataDir, 'secret'), 'word')
  const databaseUrl = 'postgres://nobody@127.0.0.1:1/nothing'
  await openPostgres({ dataDir, databaseUrl, log: silentLog }).catch(() => undefined)
  assert.equal(modeOf(dataDir), 0o700)
})

test('a data folder that is shared with other users is left unchanged', () => {
  const shared = folder({ mode: 0o777, below: '.' })
  writeFileSync(path.join(shared, 'letter.txt'), 'of somebody')
  const sticky = folder({ mode: 0o1777, below: '.' })
  for (const [dataDir, mode] of [
    [shared, 0o777],
    [sticky, 0o1777],
  ] as const) {
    chmodSync(dataDir, mode)
    tighten(dataDir, account, silentLog)
    assert.equal(modeOf(dataDir), mode)
  }
  const before = modeOf('/tmp')
  tighten('/tmp', account, silentLog)
  assert.equal(modeOf('/tmp'), before)
})

test('a data folder owned by another user is left unchanged', asRoot, () => {
  const dataDir = folder({ mode: 0o755, below: '.' })
  chownSync(dataDir, 65_533, 65_533)
  tighten(dataDir, account, silentLog)
  assert.equal(modeOf(dataDir), 0o755)
})
