/**
 * Gives a recovering server the files of an archive one by one, as it asks for them: neither the
 * whole archive nor what comes after the wanted moment is copied. The server runs a small script,
 * which asks by an empty file in a folder that both sides share.
 */
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../postgres/account.ts'
import { privateFolder } from '../postgres/home.ts'
import { walFileAfter } from './wal-names.ts'

export interface ArchiveFeed {
  /** The value of the server's `restore_command`. */
  command: string
  /** Why the archive could not be read, if that ended the recovery. */
  readonly error: unknown
  stop(): Promise<void>
}

/** Copies a file of the archive to `file`; false where the archive does not have it. */
export type FetchFile = (name: string, file: string) => Promise<boolean>

const everyMs = 10

/**
 * An exit status above 125 stops the recovery. Any other failure would mean that the archive ends
 * here, and what it holds after that would be lost without a word.
 */
const script = `# Asks for the file $1 of the archive and moves it to $2.
folder=$(dirname "$0")
: > "$folder/$1.asked" || exit 200
tries=0
while [ $tries -lt 72000 ]; do
  if [ -e "$folder/$1.given" ]; then
    rm -f "$folder/$1.given"
    mv "$folder/$1" "$2" || exit 200
    exit 0
  fi
  if [ -e "$folder/$1.absent" ]; then
    rm -f "$folder/$1.absent"
    exit 1
  fi
  [ -e "$folder/failed" ] && exit 200
  sleep 0.02
  tries=$((tries + 1))
done
exit 200
`

/** @param folder A new folder, whose path has no quotes. */
export async function startFeed(
  folder: string,
  account: Account | undefined,
  fetchFile: FetchFile,
): Promise<ArchiveFeed> {
  privateFolder(folder, account)
  const program = path.join(folder, 'restore.sh')
  await writeFile(program, script, { mode: 0o644 })
  const fetched = new Map<string, Promise<boolean>>()
  let error: unknown
  let stopped = false

  const fetchOnce = (name: string): Promise<boolean> => {
    const cached = fetched.get(name)
    if (cached) return cached
    const draft = path.join(folder, `${name}.draft`)
    const fetching = fetchFile(name, draft).then(async (found) => {
      if (!found) return false
      if (account) await chown(draft, account.uid, account.gid)
      await rename(draft, path.join(folder, name))
      return true
    })
    // A failure counts only where the server asks for that file.
    fetching.catch(() => undefined)
    fetched.set(name, fetching)
    return fetching
  }

  const give = async (name: string) => {
    await rm(path.join(folder, `${name}.asked`))
    const found = await fetchOnce(name)
    fetched.delete(name)
    await writeFile(path.join(folder, `${name}.${found ? 'given' : 'absent'}`), '')
    const next = walFileAfter(name)
    if (found && next !== undefined) void fetchOnce(next)
  }

  const serve = async () => {
    while (!stopped) {
      const requests = (await readdir(folder)).filter((name) => name.endsWith('.asked'))
      for (const file of requests) await give(file.slice(0, -'.asked'.length))
      await sleep(everyMs)
    }
  }
  const serving = serve().catch(async (reason: unknown) => {
    error = reason
    await writeFile(path.join(folder, 'failed'), '').catch(() => undefined)
  })

  return {
    command: `sh "${program}" "%f" "%p"`,
    get error() {
      return error
    },
    async stop() {
      stopped = true
      await serving
      await Promise.allSettled(fetched.values())
    },
  }
}
