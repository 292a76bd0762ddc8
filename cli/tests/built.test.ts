/** The published program: plain JavaScript beside a built SDK, without the server. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-published-'))
const modules = path.join(folder, 'node_modules')
const bin = path.join(modules, '@crier-mail', 'cli', 'bin.mjs')
// TEST_NODE can name a Node 20 or 22, to test the program there as well.
const node = process.env['TEST_NODE'] ?? process.execPath

after(() => rm(folder, { recursive: true }))
before(async () => {
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  for (const [workspace, name] of [
    ['sdk', '@crier-mail/sdk'],
    ['cli', '@crier-mail/cli'],
  ] as const) {
    const place = path.join(modules, name)
    await mkdir(place, { recursive: true })
    await cp(path.join(root, workspace, 'package.json'), path.join(place, 'package.json'))
    const out = path.join(place, 'dist')
    const config = path.join(root, workspace, 'tsconfig.build.json')
    const build =
      workspace === 'sdk' ? ['sdk/build.mjs', out] : [tsc, '-p', config, '--outDir', out]
    await run(process.execPath, build, { cwd: root })
  }
  await cp(path.join(root, 'cli', 'bin.mjs'), bin)
  for (const name of ['commander', 'picocolors', '@clack']) {
    await symlink(path.join(root, 'node_modules', name), path.join(modules, name))
  }
})

/** Returns the exit code and the output; execFile rejects if the code is not 0. */
async function crier(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder }
  const ended = await run(node, [bin, ...args], { env }).catch((error: unknown) => error)
  return { code: 0, ...(ended as { stdout: string; stderr: string }) }
}

test('the built CLI prints its help and uses the SDK', async () => {
  assert.match((await crier('--help')).stdout, /Use a server:/)
  const { code, stderr } = await crier('whoami')
  assert.equal(code, 3)
  assert.equal(JSON.parse(stderr).code, 'signed_out')
})

test('an operator command of the client-only build says that the server is not installed', async () => {
  const { code, stderr } = await crier('businesses', 'list')
  assert.equal(code, 8)
  assert.match(JSON.parse(stderr).message, /not part of this installation/)
})
