import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { runChild } from '../../tests/child.ts'
import { take, withFileLock } from './file-lock.ts'

const child = new URL('../../tests/lock-child.ts', import.meta.url)
const root = await mkdtemp(path.join(os.tmpdir(), 'crier-lock-'))
let folder: string
let name: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'x-'))
  name = path.join(folder, 'store')
})
after(() => rm(root, { recursive: true }))

async function lockFiles(): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.startsWith('store.lock.'))
}

async function leave(generation: number, text: string, ageSeconds: number): Promise<void> {
  const file = `${name}.lock.${generation}`
  await writeFile(file, text)
  const then = Date.now() / 1000 - ageSeconds
  await utimes(file, then, then)
}

test('processes take the lock in turns, and one lock file remains', async () => {
  const counter = path.join(folder, 'counter')
  await writeFile(counter, '0')
  const children = Array.from({ length: 4 }, () => runChild(child, [name, counter, '25']))
  for (const { ended } of children) assert.deepEqual(await ended.then(({ code }) => code), 0)
  assert.equal(await readFile(counter, 'utf8'), '100')
  assert.equal((await lockFiles()).length, 1)
})

test('work within one process takes the lock in turns, and a failure releases the lock', async () => {
  const order: string[] = []
  const work = (label: string) => async () => {
    order.push(label)
    await new Promise(setImmediate)
    order.push(label)
  }
  await assert.rejects(
    withFileLock(name, () => Promise.reject(new Error('broken'))),
    /broken/,
  )
  await Promise.all([withFileLock(name, work('a')), withFileLock(name, work('b'))])
  assert.match(order.join(''), /^(aabb|bbaa)$/)
})

test('the lock of a killed process is free at once', async () => {
  const holder = runChild(child, [name, '', 'hold'])
  await holder.says(/^held$/m)
  let taken = false
  const next = withFileLock(name, () => {
    taken = true
    return Promise.resolve()
  })
  assert.equal(taken, false)
  holder.process.kill('SIGKILL')
  await holder.ended
  await next
  assert.equal(taken, true)
})

test('many processes that find the same dead lock take it in turns', async () => {
  const holder = runChild(child, [name, '', 'hold'])
  await holder.says(/^held$/m)
  holder.process.kill('SIGKILL')
  await holder.ended
  const counter = path.join(folder, 'counter')
  await writeFile(counter, '0')
  const children = Array.from({ length: 4 }, () => runChild(child, [name, counter, '5']))
  for (const { ended } of children) await ended
  assert.equal(await readFile(counter, 'utf8'), '20')
})

test('the lock of another machine is respected until it is older than the longest possible hold', async () => {
  await leave(3, JSON.stringify({ pid: 1, host: 'elsewhere' }), 61)
  await withFileLock(name, () => Promise.resolve())
  assert.deepEqual(await lockFiles(), ['store.lock.4'])

  await leave(5, JSON.stringify({ pid: 1, host: 'elsewhere' }), 0)
  let entered = false
  const next = withFileLock(name, () => {
    entered = true
    return Promise.resolve()
  })
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.equal(entered, false)
  await leave(5, 'free', 0)
  await next
})

test('an empty lock file left by a crash does not block for ever', async () => {
  await leave(1, '', 3)
  await withFileLock(name, () => Promise.resolve())
  assert.deepEqual(await lockFiles(), ['store.lock.2'])
})

test('a process with an outdated view cannot take a lock number that has already been passed', async () => {
  await leave(5, JSON.stringify({ pid: process.pid, host: os.hostname() }), 0)
  assert.equal(await take(name, 4), undefined)
  assert.equal(await take(name, 5), undefined)
  assert.deepEqual(await lockFiles(), ['store.lock.5'])
})

test('a holder whose lock was taken over as stale does not release the new lock', async () => {
  await withFileLock(name, async () => {
    await rm(`${name}.lock.1`)
    await leave(2, JSON.stringify({ pid: process.pid, host: os.hostname() }), 0)
  })
  assert.match(await readFile(`${name}.lock.2`, 'utf8'), /pid/)
  assert.deepEqual(await lockFiles(), ['store.lock.2'])
})
