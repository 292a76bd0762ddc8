/** `npm start` under a supervisor that knows only the process that it started, like Docker. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'
import { newDataDir } from '../crash/support/data-dir.ts'
import { childrenOf } from '../crash/support/process-tree.ts'
import { answersNow } from '../crash/support/service-process.ts'
import { freePort } from '../support/network/port.ts'
import { eventually } from '../support/time/eventually.ts'

const cwd = path.join(import.meta.dirname, '../..')

test('SIGTERM to npm stops the service and its database before npm ends', async () => {
  const dataDir = await newDataDir()
  const port = await freePort()
  const env = { ...process.env, DATA_DIR: dataDir.path, PORT: String(port) }
  const npm = spawn('npm', ['start', '--silent'], { cwd, env, stdio: 'ignore', detached: true })
  const ended = once(npm, 'exit')
  try {
    const ready = () => answersNow(`http://localhost:${port}/readyz`)
    assert.ok(await eventually(ready, (is) => is, 120_000))
    const [service, ...others] = await childrenOf(npm.pid ?? assert.fail())
    assert.ok(service)
    assert.deepEqual(others, [])
    const postmaster = await dataDir.postmaster()
    npm.kill('SIGTERM')
    await ended
    for (const pid of [service, postmaster]) {
      assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' }, `${pid} lives on`)
    }
  } finally {
    if (npm.exitCode === null && npm.signalCode === null) process.kill(-(npm.pid ?? 0), 'SIGKILL')
    await dataDir.remove()
  }
})
