/** A start loads what setup compiled: nothing is stripped or compiled again. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '..')

test('a start finds every source file of ours in the compile cache', async () => {
  const { default: manifest } = await import('../package.json', { with: { type: 'json' } })
  const [, exec, node, ...start] = manifest.scripts.start.split(' ')
  assert.deepEqual([exec, node], ['exec', 'node'])
  const flags = start.slice(0, start.indexOf('cli/bin.mjs'))
  await run(process.execPath, [...flags, 'scripts/compile.mjs'], { cwd: root })
  // An invalid setting stops the start after all modules are loaded.
  const env = { ...process.env, PORT: 'none', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
  const said = await run(process.execPath, start, { cwd: root, env, maxBuffer: 100_000_000 }).then(
    () => assert.fail('it took PORT=none'),
    (error: { stderr: string }) => error.stderr,
  )
  const accepted = said.match(/code cache for ESM file:.*was accepted/g) ?? []
  assert.ok(accepted.length > 600, `${accepted.length} modules were taken from the cache`)
  assert.doesNotMatch(said, /code cache for ESM file:.*was (rejected|not initialized)/)
  assert.doesNotMatch(said, /saving transpilation cache/)
})
