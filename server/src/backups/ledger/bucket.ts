/**
 * The ledger in a bucket. An object cannot be appended to, so each write makes a new one, and many
 * small ones are joined into one now and then.
 */
import { randomBytes } from 'node:crypto'
import { createBucketClient } from '../../lib/s3/bucket-client.ts'
import { type Bucket, BucketError } from '../../lib/s3/request.ts'
import { bucketFault } from '../../lib/s3/words.ts'
import { entryLines, type LedgerStore, parseEntries } from './store.ts'

/** So many objects are joined at once. An object above the size stays as it is. */
const joined = { objects: 500, bytes: 1_000_000 }
/** Another process may join the objects that were listed, while they are read. */
const tries = 5

export function bucketLedger({ bucket, prefix }: { bucket: Bucket; prefix: string }): LedgerStore {
  const client = createBucketClient(bucket)
  let appended = 0
  const list = () => Array.fromAsync(client.list(prefix))
  const textOf = async (key: string) =>
    Buffer.concat(await Array.fromAsync(client.read(key))).toString()
  const write = (text: string) =>
    client.write(
      `${prefix}${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.jsonl`,
      oneChunk(text),
    )

  const readAll = async () => {
    const lines: string[] = []
    for (const { key } of await list()) lines.push(await textOf(key))
    return parseEntries(lines.join('\n'))
  }

  const join = async () => {
    const small = (await list()).filter(({ bytes }) => bytes < joined.bytes)
    const batch = small.slice(0, joined.objects)
    if (batch.length < joined.objects) return
    const texts: string[] = []
    for (const { key } of batch) texts.push(await textOf(key))
    await write(entryLines(parseEntries(texts.join('\n'))))
    // Removed after the whole is there: a line that is there twice does no harm.
    for (const { key } of batch) await client.remove(key)
  }

  const isGone = (error: unknown) => error instanceof BucketError && error.code === 'NoSuchKey'
  const withRetries = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (!isGone(error) || attempt === tries) throw bucketFault(error, bucket)
      }
    }
  }

  return {
    isThere: () => withRetries(async () => (await client.list(prefix).next()).done !== true),
    read: () => withRetries(readAll),

    async append(entries) {
      await withRetries(() => write(entryLines(entries)))
      if (++appended % joined.objects !== 0) return
      // The entries are stored already. What fails here is tried again after as many writes.
      await withRetries(join).catch(() => undefined)
    },
  }
}

async function* oneChunk(text: string) {
  yield Buffer.from(text)
}
