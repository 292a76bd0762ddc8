// Runs before `npm start` and `npm test` on any Node >= 20: installs packages when
// they are missing or older than the lock file. Plain JavaScript and no imports
// beyond Node's own, because nothing else is there yet on a fresh clone.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync, utimesSync } from 'node:fs'
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
