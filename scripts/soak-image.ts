/**
 * Builds the image as `docker build` would, on a base of Debian's packages with the Node of this
 * project, and has the test of its first steps run on it. It needs root, mmdebstrap and buildah.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runTest } from './soak-tests.ts'

const root = path.join(import.meta.dirname, '..')
const [base, image] = ['localhost/crier-base', 'localhost/crier']
/** Lets the build inside trust what this machine trusts, such as a proxy of its own. */
const authorities = '/etc/ssl/certs/ca-certificates.crt'

export function imageSoak(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-image-'))
  const began = performance.now()
  try {
    makeBase(folder)
    const source = path.join(folder, 'source')
    execFileSync('mkdir', [source])
    const archive = path.join(folder, 'source.tar')
    run('git', ['archive', '-o', archive, 'HEAD'])
    run('tar', ['-xf', archive, '-C', source])
    const build = ['bud', '--isolation', 'chroot', '--network', 'host', '-t', image]
    run('buildah', [...build, '--build-arg', `BASE=${base}`, source])
    const built = Math.round((performance.now() - began) / 1000)
    const [size, own] = [sizeOf(image), sizeOf(image) - sizeOf(base)]
    const { seconds } = runTest('tests/operate/image.test.ts', {
      env: { IMAGE: image },
      line: 'the image',
    })
    return `## The image and the first steps

Base and image were built in ${built} s: ${size} MB, of which ${own} MB are Crier and its packages, and the rest Debian with Node and npm. Started as uid 10001 with an embedded database, it took the README's first steps in ${seconds} s: signing in, calls, an event, \`crier doctor\`, and an end by SIGTERM.
`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Debian's smallest system, with the Node and npm that run this program. */
function makeBase(folder: string): void {
  const system = path.join(folder, 'base.tar')
  run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', system])
  const container = output('buildah', ['from', 'scratch'])
  const at = output('buildah', ['mount', container])
  run('tar', ['-xf', system, '-C', at, '--exclude=./dev/*'])
  cpSync(process.execPath, path.join(at, 'usr/local/bin/node'))
  const npm = realpathSync(output('sh', ['-c', 'command -v npm']))
  const packages = path.join(at, 'usr/local/lib/node_modules')
  cpSync(path.dirname(path.dirname(npm)), path.join(packages, 'npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', path.join(at, 'usr/local/bin/npm'))
  cpSync(authorities, path.join(at, authorities))
  execFileSync('mkdir', ['-p', path.join(at, 'usr/local/etc')])
  writeFileSync(path.join(at, 'usr/local/etc/npmrc'), `cafile=${authorities}\n`)
  run('buildah', ['umount', container])
  run('buildah', ['commit', '--rm', container, base])
}

const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' }
const run = (program: string, args: string[]): void => {
  execFileSync(program, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
}
const output = (program: string, args: string[]): string =>
  execFileSync(program, args, { cwd: root, env, encoding: 'utf8' }).trim()

/** Megabytes, as layers on the disk. */
function sizeOf(name: string): number {
  const container = output('buildah', ['from', name])
  const at = output('buildah', ['mount', container])
  const kilobytes = Number.parseInt(output('du', ['-sk', at]), 10)
  run('buildah', ['rm', container])
  return Math.round(kilobytes / 1000)
}
