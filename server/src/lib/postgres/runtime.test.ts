import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { type RuntimePackage, runtimePackage, stageRuntime } from './binaries.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'crier-runtime-'))
after(() => rmSync(folder, { recursive: true }))

const installed = await runtimePackage()
const skip = installed ? false : 'no package for this platform is installed'

/** A copy of the package as npm installs it with --ignore-scripts and a umask of 077. */
function withoutScripts({ native, version }: RuntimePackage): RuntimePackage {
  const copy = path.join(folder, 'native')
  const links = readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')
  const targets = new Set(
    (JSON.parse(links) as { target: string }[]).map(({ target }) =>
      path.join(native, path.relative('native', target)),
    ),
  )
  assert.ok(targets.size > 0)
  cpSync(native, copy, { recursive: true, filter: (file) => !targets.has(file) })
  for (const name of readdirSync(path.join(copy, 'bin'))) {
    chmodSync(path.join(copy, 'bin', name), 0o600)
  }
  return { native: copy, version }
}

test('the PostgreSQL programs run although npm ran no install script', { skip }, async () => {
  const bare = withoutScripts(installed as RuntimePackage)
  const staged = path.join(folder, 'runtime')
  await stageRuntime(bare, staged, path.join(folder, 'partial'))
  for (const program of ['postgres', 'initdb']) {
    const said = execFileSync(path.join(staged, 'bin', program), ['--version'], {
      encoding: 'utf8',
    })
    assert.match(said, new RegExp(`${program} \\(PostgreSQL\\) ${bare.version.split('.')[0]}`))
  }
  for (const entry of readdirSync(staged, { recursive: true })) {
    const file = path.join(staged, String(entry))
    assert.ok(statSync(file).mode & 0o004, `${file} can be read by all`)
  }
})

test('when two processes stage the runtime at once, one wins and nothing is left half made', {
  skip,
}, async () => {
  const target = path.join(folder, 'contested')
  await Promise.all(
    ['a', 'b'].map((name) =>
      stageRuntime(installed as RuntimePackage, target, path.join(folder, `contested.${name}`)),
    ),
  )
  const names = readdirSync(folder).filter((name) => name.startsWith('contested'))
  assert.deepEqual(names, ['contested'])
})
