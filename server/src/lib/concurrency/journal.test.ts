import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createJournal } from './journal.ts'
import { lockJournal } from './journal-lock.ts'

interface Entry {
  n: number
  text?: string
}

type Test = { after(work: () => unknown): void }

async function folderFor(t: Test, below = 'journal'): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-journal-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return path.join(folder, below)
}

const entryFiles = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))

/** A process that writes entries and then stays until it is killed. */
async function writer(t: Test, folder: string, entries: Entry[]): Promise<ChildProcess> {
  const script = `
    const { createJournal } = await import(${JSON.stringify(import.meta.resolve('./journal.ts'))})
    const journal = createJournal(${JSON.stringify(folder)})
    for (const entry of ${JSON.stringify(entries)}) await journal.write(entry)
    process.stdout.write('written')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('journal entries of a dead process are read completely, and deleted on request', async (t) => {
  const folder = await folderFor(t)
  const child = await writer(t, folder, [{ n: 1 }, { n: 2, text: 'ü' }])
  await kill(child)
  const [name = ''] = await entryFiles(folder)
  const file = path.join(folder, name.replace(/\.0\.jsonl$/, '.1.jsonl'))
  await writeFile(file, '{"n":3}\n{"n":4,"te')
  const journal = createJournal<Entry>(folder)
  await journal.write({ n: 9 })
  const { entries, forget } = await journal.leftovers()
  assert.deepEqual(
    entries.toSorted((a, b) => a.n - b.n),
    [{ n: 1 }, { n: 2, text: 'ü' }, { n: 3 }],
    'its own are in its own hands',
  )
  await forget()
  assert.equal((await entryFiles(folder)).length, 1, 'that of the running journal stays')
  await journal.close()
})

test('the file of a living process is read but not deleted, even across containers', async (t) => {
  const folder = await folderFor(t)
  const child = await writer(t, folder, [{ n: 7 }])
  const journal = createJournal<Entry>(folder)
  const { entries, forget } = await journal.leftovers()
  assert.deepEqual(entries, [{ n: 7 }])
  await forget()
  assert.equal((await entryFiles(folder)).length, 1)
  await kill(child)
  const later = await journal.leftovers()
  await later.forget()
  assert.deepEqual(await entryFiles(folder), [])
  await journal.close()
  assert.deepEqual(await readdir(folder), [])
})

test('a journal file is deleted when all its entries are forgotten', async (t) => {
  const folder = await folderFor(t)
  const journal = createJournal<Entry>(folder)
  const text = 'x'.repeat(100_000)
  const done: (() => void)[] = []
  for (let n = 0; n < 25; n++) done.push(await journal.write({ n, text }))
  assert.equal((await entryFiles(folder)).length, 3)
  for (const forget of done.slice(0, 24)) forget()
  await journal.close()
  assert.equal((await entryFiles(folder)).length, 1, 'one entry is not in the database')
  const next = createJournal<Entry>(folder)
  const { entries } = await next.leftovers()
  assert.ok(entries.some(({ n }) => n === 24))
  await next.close()
})

test('a journal in a long path works, and an unused one leaves no files', async (t) => {
  const folder = await folderFor(t, path.join(...Array.from({ length: 5 }, () => 'd'.repeat(40))))
  const journal = createJournal<Entry>(folder)
  assert.deepEqual((await journal.leftovers()).entries, [])
  await journal.close()
  assert.deepEqual(await readdir(folder), [])
})

test('a folder in use by another machine is refused, and an abandoned one is taken over', async (t) => {
  const folder = await folderFor(t)
  const first = createJournal<Entry>(folder)
  await first.leftovers()
  const foreign = `${randomUUID()}.${randomUUID()}`
  const lock = path.join(folder, `${foreign}.lock`)
  await writeFile(lock, '')
  await appendFile(path.join(folder, `${foreign}.0.jsonl`), '{"n":5}\n')
  const beat = setInterval(() => void utimes(lock, new Date(), new Date()), 50)
  const timing = { beatMs: 100, watchMs: 300 }
  await assert.rejects(lockJournal(folder, timing), {
    name: 'StartError',
    message: /Another machine writes to .* another DATA_DIR/,
  })
  clearInterval(beat)
  const taken = await lockJournal(folder, timing)
  assert.ok(await taken.isDead(`${foreign}.0.jsonl`))
  await taken.close()
  await first.close()
})
