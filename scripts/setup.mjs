// Runs before `npm start` and `npm test` on any Node >= 20: installs packages when
// they are missing or older than the lock file, and compiles the sources when they have
// changed. Plain JavaScript and no imports beyond Node's own, because nothing else is
// there yet on a fresh clone.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const lock = path.join(root, 'package-lock.json')
const stamp = path.join(root, 'node_modules', '.package-lock.json')

const fresh = existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs
if (!fresh) {
  console.log('Installing packages (once; about a minute) ...')
  // Not `npm ci`: where a registry lacks some platforms' optional packages the
  // lock file written there does not list them, and ci then refuses to install.
  const npm = process.env['npm_execpath']
  const args = ['install', '--no-save', '--loglevel=error']
  const run = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (run.status !== 0) {
    console.error(
      'Packages could not be installed: see the lines above, then run the command again.',
    )
    process.exit(run.status ?? 1)
  }
  if (existsSync(stamp)) utimesSync(stamp, new Date(), new Date())
}

compileSources()

/**
 * A process that strips types and compiles while it starts keeps 18 MB of doing so for as
 * long as it runs. This one ends and leaves what it made to the service.
 */
function compileSources() {
  const cache = path.join(root, 'node_modules/.cache/crier')
  const done = path.join(cache, 'compiled')
  const changed = Math.max(...['server/src', 'cli', 'sdk/src', 'node_modules/node'].map(lastChange))
  const manifest = path.join(root, 'package.json')
  const since = Math.max(changed, statSync(manifest).mtimeMs)
  if (existsSync(done) && statSync(done).mtimeMs >= since) return
  // With the flags of the start itself: V8 takes what it compiled under the same ones alone.
  const { scripts } = JSON.parse(readFileSync(manifest, 'utf8'))
  const words = scripts.start.split(' ')
  const flags = words.slice(words.indexOf('node') + 1, words.indexOf('cli/bin.mjs'))
  const node = path.join(root, 'node_modules/node/bin/node')
  const program = existsSync(node) ? node : process.execPath
  const run = spawnSync(program, [...flags, path.join(root, 'scripts/compile.mjs')])
  if (run.status !== 0) return
  try {
    mkdirSync(cache, { recursive: true })
    writeFileSync(done, '')
  } catch {
    // A checkout that cannot be written to starts as well, only heavier.
  }
}

function lastChange(folder) {
  const files = readdirSync(path.join(root, folder), { recursive: true })
  return Math.max(
    ...files
      .filter((file) => /\.(ts|mjs|json)$/.test(file))
      .map((file) => statSync(path.join(root, folder, file)).mtimeMs),
  )
}
