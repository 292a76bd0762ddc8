/**
 * Backups in a bucket. A backup is made and verified on this machine, and then sent as one object
 * for each file, its facts last: without them the other objects are no backup.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { StartError } from '../../lib/db/start-error.ts'
import { partialName } from '../../lib/postgres/leftovers.ts'
import { createBucketClient } from '../../lib/s3/bucket-client.ts'
import { type Bucket, BucketError } from '../../lib/s3/request.ts'
import { bucketFault } from '../../lib/s3/words.ts'
import { hours } from '../../lib/time/clock.ts'
import { bucketLedger } from '../ledger/bucket.ts'
import {
  type Backup,
  factsName,
  factsText,
  freeName,
  newestFirst,
  parseFacts,
  timeOf,
} from '../model/backup.ts'
import type { ArchivedFile, BackupPlace, Progress } from './place.ts'

export interface BucketAt {
  bucket: Bucket
  /** Empty, or ending with a slash. */
  prefix: string
}

/** A backup takes at most the eight hours of its job, so that an older one was interrupted. */
const interruptedAfterMs = hours(24)
/** An object has at most 10,000 parts of at least 5 MiB; a smaller part takes less memory. */
const usualPartBytes = 8 * 1024 * 1024
const mostParts = 9_000
const packed = '.zst'

export function bucketPlace({ bucket, prefix }: BucketAt, partBytes = usualPartBytes): BackupPlace {
  const client = createBucketClient(bucket, { partBytes })
  const [base, wal] = [`${prefix}backups/`, `${prefix}wal/`]
  const walKey = ({ systemId, name }: ArchivedFile) => `${wal}${systemId}/${name}${packed}`
  const keyOf = (name: string, file: string) => `${base}${name}/${file}`
  const inWords = (error: unknown): never => {
    throw bucketFault(error, bucket)
  }

  const readText = async (key: string) =>
    Buffer.concat(await Array.fromAsync(client.read(key))).toString()

  /** The files of each backup, complete or not, with their sizes. */
  const filesByName = async () => {
    const objects = await Array.fromAsync(client.list(base))
    const files = objects.map(({ key, bytes }) => {
      const [name = '', file = ''] = key.slice(base.length).split('/')
      return { name, file, bytes }
    })
    return Map.groupBy(files, ({ name }) => name)
  }

  const removeWhole = async (name: string, files: readonly { file: string }[]) => {
    // Without its facts a backup that is half removed is no backup.
    await client.remove(keyOf(name, factsName))
    for (const { file } of files) if (file !== factsName) await client.remove(keyOf(name, file))
  }

  const removeInterrupted = async (now: number) => {
    for (const [name, files] of await filesByName()) {
      const isWhole = files.some(({ file }) => file === factsName)
      // A name without a time counts as new.
      const age = now - (timeOf(name) || now)
      if (!isWhole && age > interruptedAfterMs) await removeWhole(name, files)
    }
  }

  const send = async (folder: string, name: string, onProgress: Progress) => {
    const files = (await readdir(folder)).filter((file) => file !== factsName)
    const sizes = new Map<string, number>()
    for (const file of files) sizes.set(file, (await stat(path.join(folder, file))).size)
    const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    let done = 0
    for (const [file, size] of sizes) {
      const parts = { partBytes: Math.max(partBytes, Math.ceil(size / mostParts)) }
      const counted = counting(createReadStream(path.join(folder, file)), (bytes) => {
        done += bytes
        onProgress('upload', done, total)
      })
      await createBucketClient(bucket, parts).write(keyOf(name, file), counted)
    }
    const stored = (await filesByName()).get(name) ?? []
    for (const [file, size] of sizes) {
      const found = stored.find((entry) => entry.file === file)?.bytes
      if (found === size) continue
      throw new StartError(
        `The bucket ${bucket.name} holds ${found ?? 'no'} bytes of ${file}, which has ${size}: this backup is not used. Make another one.`,
      )
    }
  }

  return {
    name: `s3://${bucket.name}/${prefix}`,
    ledger: bucketLedger({ bucket, prefix: `${prefix}ledger/` }),

    async list() {
      try {
        const names = [...(await filesByName())].flatMap(([name, files]) =>
          files.some(({ file }) => file === factsName) ? [name] : [],
        )
        const found = names.map(async (name): Promise<Backup[]> => {
          // Another process may be removing it.
          const text = await readText(keyOf(name, factsName)).catch(absent)
          return text === undefined ? [] : [{ ...parseFacts(text, name), name }]
        })
        return newestFirst((await Promise.all(found)).flat())
      } catch (error) {
        return inWords(error)
      }
    },

    async hasArchive(systemId) {
      const first = await client.list(`${wal}${systemId}/`).next().catch(inWords)
      return first.done !== true
    },

    async workshop(home) {
      // A bucket that does not work is told before anything is copied.
      await client.list(base).next().catch(inWords)
      return partialName(home, 'backup')
    },

    async keep(folder, facts, onProgress) {
      try {
        await removeInterrupted(Date.parse(facts.startedAt))
        const files = await filesByName()
        const name = await freeName(new Date(facts.startedAt), (taken) => files.has(taken))
        try {
          await send(folder, name, onProgress)
          await client.write(keyOf(name, factsName), oneChunk(factsText(facts)))
        } catch (error) {
          const files = (await readdir(folder)).map((file) => ({ file }))
          // The original error counts; what remains is removed by a later backup.
          await removeWhole(name, files).catch(() => undefined)
          throw error
        }
        return { ...facts, name }
      } catch (error) {
        return inWords(error)
      }
    },

    async read(name, file) {
      const reading = client.read(keyOf(name, file))
      const first = await reading.next().catch(absent)
      return first && explainingErrors(first, reading)
    },

    async writeFacts({ name, ...facts }) {
      await client.write(keyOf(name, factsName), oneChunk(factsText(facts))).catch(inWords)
    },

    async remove(name) {
      try {
        await removeWhole(name, (await filesByName()).get(name) ?? [])
      } catch (error) {
        inWords(error)
      }
    },

    async *archived() {
      try {
        for await (const { key } of client.list(wal)) {
          const [systemId = '', name = ''] = key.slice(wal.length).split('/')
          yield { systemId, name: name.endsWith(packed) ? name.slice(0, -packed.length) : name }
        }
      } catch (error) {
        inWords(error)
      }
    },

    async fetchArchived(archived, file) {
      const reading = client.read(walKey(archived))
      const first = await reading.next().catch(absent)
      if (!first) return false
      await pipeline(
        explainingErrors(first, reading),
        createZstdDecompress(),
        createWriteStream(file),
      )
      return true
    },

    removeArchived: (archived) => client.remove(walKey(archived)).catch(inWords),
  }

  function absent(error: unknown): undefined {
    if (error instanceof BucketError && error.code === 'NoSuchKey') return undefined
    inWords(error)
  }

  async function* explainingErrors(
    first: IteratorResult<Uint8Array>,
    rest: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    if (first.done !== true) yield first.value
    try {
      yield* rest
    } catch (error) {
      inWords(error)
    }
  }
}

async function* oneChunk(text: string) {
  yield Buffer.from(text)
}

async function* counting(source: AsyncIterable<Uint8Array>, count: (bytes: number) => void) {
  for await (const chunk of source) {
    count(chunk.length)
    yield chunk
  }
}
