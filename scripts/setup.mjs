// Runs before `npm start` (`service`) and `npm test` (`all`) on any Node >= 20: installs packages
// when they are missing or older than the lock file, and compiles the sources when they have
// changed. Plain JavaScript and no imports beyond Node's own, because nothing else is
// there yet on a fresh clone.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const modules = path.join(root, 'node_modules')
const lock = path.join(root, 'package-lock.json')
// npm writes it last, with each package that is installed.
const installed = path.join(modules, '.package-lock.json')
const stamp = path.join(modules, '.crier-packages')

/** `service`: what runs the service. `all`: with what tests, checks and benches need. */
const wanted = process.argv[2] === 'service' ? 'service' : 'all'
const there = setThere()
const fresh = there !== undefined && mtime(installed) >= mtime(lock)
if (!fresh || (wanted === 'all' && there === 'service')) {
  // What is there for tests stays, whoever asks.
  const set = there === 'all' ? 'all' : wanted
  installPackages(set)
  writeFileSync(stamp, `${set}\n`)
  utimesSync(installed, new Date(), new Date())
}

compileSources()
compilePackages()
buildWebApp()

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
  const run = spawnSync(nodeOfProject(), [...flags, path.join(root, 'scripts/compile.mjs')])
  if (run.status !== 0) return
  try {
    mkdirSync(cache, { recursive: true })
    writeFileSync(done, '')
  } catch {
    // A checkout that cannot be written to starts as well, only heavier.
  }
}

/** The SDK and the command line as the service offers them: half a second each, where they have changed. */
function compilePackages() {
  const tsc = path.join(modules, 'typescript/bin/tsc')
  for (const [name, entry] of [
    ['sdk', 'cjs/package.json'],
    ['cli', 'main.js'],
  ]) {
    const folder = path.join(root, name)
    const config = path.join(folder, 'tsconfig.build.json')
    if (!existsSync(config)) continue
    const sources = lastChange(path.join(name, 'src'))
    const changed = Math.max(sources, mtime(config), mtime(path.join(root, 'tsconfig.json')))
    if (mtime(path.join(folder, 'dist', entry)) >= changed) continue
    rmSync(path.join(folder, 'dist'), { recursive: true, force: true })
    const words = name === 'sdk' ? [path.join(folder, 'build.mjs')] : [tsc, '-p', config]
    const run = spawnSync(nodeOfProject(), words)
    if (run.status === 0) continue
    console.error(
      `The package ${name} could not be compiled; everything else works.\n${run.stderr || run.stdout || run.error}`,
    )
    if (wanted === 'all') process.exit(1)
  }
}

function nodeOfProject() {
  const node = path.join(modules, 'node/bin/node')
  return existsSync(node) ? node : process.execPath
}

/** Vite takes a second or two, so it runs where the app is missing or older than its sources. */
function buildWebApp() {
  const web = path.join(root, 'web')
  if (!existsSync(path.join(web, 'vite.config.ts'))) return
  const files = ['web/vite.config.ts', 'web/index.html', 'web/package.json', 'package-lock.json']
  const changed = Math.max(
    ...files.map((file) => mtime(path.join(root, file))),
    ...['web/src', 'sdk/src'].map(lastChange),
  )
  if (mtime(path.join(web, 'dist/.vite/manifest.json')) >= changed) return
  const vite = path.join(modules, 'vite/bin/vite.js')
  const run = spawnSync(nodeOfProject(), [vite, 'build', '--logLevel', 'warn'], { cwd: web })
  if (run.status === 0) return
  console.error(
    `The web app could not be built; everything else works.\n${run.stderr ?? run.error}`,
  )
  if (wanted === 'all') process.exit(1)
}

function lastChange(folder) {
  const files = readdirSync(path.join(root, folder), { recursive: true })
  return Math.max(
    ...files
      .filter((file) => /\.(tsx?|mjs|json|css)$/.test(file))
      .map((file) => statSync(path.join(root, folder, file)).mtimeMs),
  )
}

function mtime(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** The set that is installed; somebody may have run npm since the stamp was written. */
function setThere() {
  if (!existsSync(installed)) return undefined
  if (mtime(stamp) >= mtime(installed) - 1_000) return readFileSync(stamp, 'utf8').trim()
  const { packages } = JSON.parse(readFileSync(installed, 'utf8'))
  return Object.values(packages).some((one) => one.dev) ? 'all' : 'service'
}

/**
 * Scripts of packages run for those alone that `allowScripts` of package.json allows. npm 9
 * and 10 do not know that list and run them all, so none runs while packages are installed.
 */
function installPackages(set) {
  const what = set === 'all' ? 'all packages, with those of tests' : 'what the service needs'
  console.log(`Installing ${what} (once; about a minute) ...`)
  // Not `npm ci`: where a registry lacks some platforms' optional packages the
  // lock file written there does not list them, and ci then refuses to install.
  const flags = ['--no-save', '--loglevel=error', '--ignore-scripts']
  const packages = set === 'service' ? ['--omit=dev', ...tracePackages()] : ['--include=dev']
  runNpm(['install', ...flags, ...packages])
  const { allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
  const missing = allowed.filter((name) => !(name === 'node' && isNodeThere()))
  if (missing.length > 0) {
    runNpm(['rebuild', '--loglevel=error', '--ignore-scripts=false', ...missing])
  }
}

/** An operator has installed those of traces where they are wanted; an upgrade does not remove them. */
function tracePackages() {
  const manifest = path.join(root, 'server/package.json')
  if (!existsSync(manifest)) return []
  const { peerDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
  const packages = Object.entries(peerDependencies)
  const areThere = packages.every(([name]) => existsSync(path.join(modules, name)))
  return areThere ? packages.map(([name, range]) => `${name}@${range.replace('^', '')}`) : []
}

/** Node's own package has a script alone, which fetches the program. */
function isNodeThere() {
  const folder = path.join(modules, 'node')
  const program = path.join(folder, 'bin/node')
  if (!existsSync(program)) return false
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return spawnSync(program, ['--version']).stdout?.toString().trim() === `v${version}`
}

function runNpm(args) {
  const npm = process.env['npm_execpath']
  const run = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (run.status === 0) return
  console.error('Packages could not be installed: see the lines above, then run the command again.')
  process.exit(run.status ?? 1)
}
