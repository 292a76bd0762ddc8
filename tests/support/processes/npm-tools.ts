/**
 * Programs that a single test needs, at fixed versions and outside of the project's own packages: they
 * take much room, and some of them would take the place of the project's.
 */
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const cache = path.join(import.meta.dirname, '../../../node_modules/.cache')

/** Runs npm without what it prints about itself. */
export const npm = (cwd: string, ...args: string[]) =>
  promisify(execFile)(
    'npm',
    [...args, '--loglevel=error', '--no-audit', '--no-fund', '--prefer-offline'],
    { cwd },
  )

/** The folder of the packages, which are kept between runs under this name. */
export async function npmTools(name: string, packages: readonly string[]): Promise<string> {
  const folder = path.join(cache, `crier-${name}`)
  const stamp = JSON.stringify(packages)
  const stampFile = path.join(folder, 'complete')
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return folder
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{"private":true}')
  await npm(folder, 'install', '--no-bin-links', ...packages)
  await writeFile(stampFile, stamp)
  return folder
}
