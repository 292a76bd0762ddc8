import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { socketFolder } from './socket-folder.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'crier-run-'))
after(() => rmSync(folder, { recursive: true }))

function deepHome(name: string): string {
  const home = path.join(folder, name, 'deep/'.repeat(20))
  mkdirSync(home, { recursive: true })
  return home
}

test('the socket is in the database’s folder if the path is short, and else in a fixed folder in /tmp', () => {
  assert.equal(socketFolder(folder, undefined), path.join(folder, 'run'))
  const home = deepHome('long')
  const short = socketFolder(home, undefined)
  after(() => rmdirSync(short))
  assert.match(short, /^\/tmp\/crier-\w{6}$/)
  assert.equal(socketFolder(home, undefined), short)
  assert.equal(statSync(short).mode & 0o777, 0o700)
})

test('a short socket folder that a reboot removed is made again', () => {
  const home = deepHome('rebooted')
  const short = socketFolder(home, undefined)
  rmdirSync(short)
  assert.equal(socketFolder(home, undefined), short)
  rmdirSync(short)
})

test('a short socket folder that another user put there is not trusted', () => {
  const home = deepHome('stolen')
  const short = socketFolder(home, undefined)
  rmdirSync(short)
  symlinkSync('/etc', short)
  after(() => rmSync(short))
  assert.throws(() => socketFolder(home, undefined), {
    name: 'StartError',
    message: /is not ours\. Remove the link/,
  })
})
