import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createJournal } from './journal.ts'

interface Entry {
  n: number
  text?: string
}

async function folderFor(t: { after(work: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-journal-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return path.join(folder, 'journal')
}

/** What a process that has ended since left behind. */
async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['--eval', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}

test('entries of a process that is gone are found whole, and forgotten when told', async (t) => {
  const folder = await folderFor(t)
  const journal = createJournal<Entry>(folder)
  await Promise.all(Array.from({ length: 50 }, (_, n) => journal.write({ n, text: 'ü' })))
  await journal.close()
  const [name = ''] = await readdir(folder)
  assert.deepEqual((await journal.leftovers()).entries, [], 'its own are in its own hands')
  const dead = path.join(folder, `${await deadProcess()}.x.0.jsonl`)
  await writeFile(dead, '{"n":1}\n{"n":2}\n{"n":3,"te')
  const other = createJournal<Entry>(folder)
  const { entries, forget } = await other.leftovers()
  assert.equal(entries.length, 52)
  assert.ok(entries.some(({ text }) => text === 'ü'))
  await forget()
  // That of a life of our own process is over too: only the running journal's stays.
  assert.deepEqual(await readdir(folder), [])
  assert.ok(name.startsWith(`${process.pid}.`))
})

test('the file of a living process is read and left', async (t) => {
  const folder = await folderFor(t)
  const journal = createJournal<Entry>(folder)
  await journal.write({ n: 0 })
  const alive = path.join(folder, `${process.ppid}.x.0.jsonl`)
  await appendFile(alive, '{"n":7}\n')
  const { entries, forget } = await journal.leftovers()
  assert.deepEqual(entries, [{ n: 7 }])
  await forget()
  await stat(alive)
  await journal.close()
})

test('a file goes when all of its entries are in the database', async (t) => {
  const folder = await folderFor(t)
  const journal = createJournal<Entry>(folder)
  const text = 'x'.repeat(100_000)
  const done: (() => void)[] = []
  for (let n = 0; n < 25; n++) done.push(await journal.write({ n, text }))
  assert.equal((await readdir(folder)).length, 3)
  for (const forget of done.slice(0, 24)) forget()
  await journal.close()
  assert.equal((await readdir(folder)).length, 1, 'one entry is not in the database')
  const next = createJournal<Entry>(folder)
  const { entries } = await next.leftovers()
  assert.ok(entries.some(({ n }) => n === 24))
})

test('a journal that nobody wrote to leaves nothing', async (t) => {
  const folder = await folderFor(t)
  const journal = createJournal<Entry>(folder)
  assert.deepEqual((await journal.leftovers()).entries, [])
  await journal.close()
  await assert.rejects(readdir(folder))
})
