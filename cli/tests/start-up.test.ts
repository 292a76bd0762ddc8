/** How the program starts: quickly, with help, and with a clear message on an old Node. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Home } from './crier.ts'

let home: Home

before(async () => {
  home = await Home.make()
})
after(() => home.remove())

test('help lists every command and the exit codes', async () => {
  const { code, stdout } = await home.run(['--help'])
  assert.equal(code, 0)
  for (const word of ['login', 'call', 'serve', 'doctor', 'clients', '130 stopped']) {
    assert.ok(stdout.includes(word), word)
  }
})

test('--version prints the version of the package', async () => {
  const { code, stdout } = await home.run(['--version'])
  assert.equal(code, 0)
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/)
})

test('a command group without a command prints its help, and is a usage error', async () => {
  const { code, stdout, stderr } = await home.run(['businesses'])
  assert.equal(code, 2)
  assert.equal(stdout, '')
  assert.match(stderr, /create.*list.*set/s)
})

test('--help takes at most four times the CPU time of an empty Node program', async () => {
  await cpuOf([bin, '--help'])
  const took: number[] = []
  const bare: number[] = []
  for (let i = 0; i < 5; i++) {
    took.push(await cpuOf([bin, '--help']))
    bare.push(await cpuOf(['-e', '0']))
  }
  // Takes the best of five alternating runs, so that other work on the machine does not count.
  const [program, nothing] = [Math.min(...took), Math.min(...bare)]
  assert.ok(program < nothing * 4, `${program} s, and ${nothing} s for nothing`)
})

const bin = fileURLToPath(new URL('../bin.mjs', import.meta.url))

/** The seconds of CPU time that Node needs for these arguments, as bash's `times` reports them. */
async function cpuOf(args: string[]): Promise<number> {
  const command = ['-c', '"$@" >/dev/null; times', 'bash', process.execPath, ...args]
  const { stdout } = await promisify(execFile)('bash', command, { env: home.env })
  const [user = 0, system = 0] = (stdout.trim().split('\n').at(-1) ?? '').split(' ').map((time) => {
    const [minutes, seconds] = time.replace('s', '').split('m').map(Number)
    return (minutes ?? 0) * 60 + (seconds ?? 0)
  })
  assert.ok(user > 0, stdout)
  return user + system
}

test('an operator command without a terminal does not prompt, and names the missing option', async () => {
  const made = await home.run(['businesses', 'create', '--owner', 'ana@example.com'])
  assert.equal(made.code, 2)
  assert.match(made.stderr, /--name is required/)
  const revoked = await home.run(['connections', 'revoke', 'cnx_1'])
  assert.equal(revoked.code, 2)
  assert.match(revoked.stderr, /Add --yes to confirm/)
})

test('an operator command without the settings of the service makes no database', async () => {
  const backups = path.join(home.folder, 'backups')
  for (const args of [
    ['users', 'list'],
    ['backup', backups],
    ['secret', 'rotate'],
  ]) {
    const { code, stderr } = await home.run(args)
    assert.equal(code, 8, stderr)
    assert.match(stderr, /There is no database in .*data.*settings of the service/)
  }
  mkdirSync(backups)
  const listed = await home.run(['backups', 'list', backups])
  assert.deepEqual([listed.code, listed.stdout], [0, '[]\n'])
  assert.deepEqual(readdirSync(home.folder), ['backups'], 'neither a database nor a secret')
})
