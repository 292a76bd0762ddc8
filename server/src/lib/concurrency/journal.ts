/**
 * A journal on this machine's disk for outcomes that are not in the database yet. An entry is
 * synced to disk when `write` resolves; simultaneous writes share a sync. A file is deleted once
 * all of its entries are in the database. The next process reads the files of processes that died.
 */
import { constants, type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { createBatcher } from './batch.ts'
import { type JournalLock, lockJournal } from './journal-lock.ts'

export interface Journal<Entry> {
  /** Returns a function to call once the entry is in the database. */
  write(entry: Entry): Promise<() => void>
  /**
   * The entries that ended processes left behind, and a function to call once they are in the
   * database. Throws a StartError where another machine writes to the folder.
   */
  leftovers(): Promise<{ entries: Entry[]; forget(): Promise<void> }>
  close(): Promise<void>
}

// A synchronous flag makes each write return once it is on disk: one trip through the thread pool
// instead of two.
const synced = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC

/** Under load several writes share a sync; a write by itself does not wait. */
const syncRestMs = 1

/** The size in bytes at which the next file is started. */
const fileBytes = 1024 * 1024

interface Part {
  file: string
  handle: FileHandle
  bytes: number
  /** Entries that are not in the database yet. */
  open: number
}

export function createJournal<Entry>(folder: string): Journal<Entry> {
  let locking: Promise<JournalLock> | undefined
  const lock = (): Promise<JournalLock> => {
    locking ??= lockJournal(folder)
    return locking
  }
  let parts = 0
  let removed: Promise<void>[] = []
  let current: Part | undefined

  const begin = async (): Promise<Part> => {
    const { owner } = await lock()
    const file = path.join(folder, `${owner}.${parts++}.jsonl`)
    const handle = await open(file, synced, 0o600)
    // The file is filled beforehand: a write that makes a file longer has to sync its length too.
    await handle.write(Buffer.alloc(fileBytes), 0, fileBytes, 0)
    // The file's name must be as durable as its content.
    const directory = await open(folder, 'r')
    await directory.sync()
    await directory.close()
    return { file, handle, bytes: 0, open: 0 }
  }
  const end = async (part: Part): Promise<void> => {
    await part.handle.close()
    if (part.open === 0) await rm(part.file, { force: true })
  }
  const done = (part: Part): void => {
    part.open--
    if (part.open === 0 && part !== current) removed.push(rm(part.file, { force: true }))
  }

  const write = createBatcher<Entry, () => void>({
    maxItems: 1000,
    restMs: syncRestMs,
    eachAlone: false,
    async flush(entries) {
      const lines = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      if (current && current.bytes + lines.length > fileBytes) {
        const full = current
        current = undefined
        await end(full)
        await Promise.all(removed)
        removed = []
      }
      current ??= await begin()
      const part = current
      const at = part.bytes
      part.bytes += lines.length
      part.open += entries.length
      await part.handle.write(lines, 0, lines.length, at)
      return entries.map(() => () => done(part))
    },
  })

  return {
    write,
    async leftovers() {
      const { owner, isDead } = await lock()
      const names = await readdir(folder)
      const others = names.filter((name) => !name.startsWith(owner))
      const texts = await Promise.all(
        others
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => readFile(path.join(folder, name), 'utf8').catch(() => '')),
      )
      const dead: string[] = []
      for (const name of others) if (await isDead(name)) dead.push(name)
      return {
        entries: texts.flatMap((text) => entriesIn<Entry>(text)),
        async forget() {
          await Promise.all(dead.map((name) => rm(path.join(folder, name), { force: true })))
        },
      }
    },
    async close() {
      if (current) await end(current)
      current = undefined
      await Promise.all(removed)
      // A lock that was refused has told its caller, and holds nothing.
      const locked = await locking?.catch(() => undefined)
      await locked?.close()
      locking = undefined
    },
  }
}

/** The last line may be incomplete after a crash. Its caller was never told that it was written. */
function entriesIn<Entry>(text: string): Entry[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Entry]
      } catch {
        return []
      }
    })
}
