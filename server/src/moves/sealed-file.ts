/**
 * The file of a moved business: records, compressed and sealed by a passphrase. It is written and
 * read as a stream, so that its size does not matter. After a line with what is not secret come
 * frames of AES-256-GCM, numbered, of which the last one says so: a frame that is lost, moved or
 * changed, and a file that was cut off, do not open.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, createGzip } from 'node:zlib'
import { StartError } from '../lib/db/start-error.ts'

/** A record: a line of JSON, or bytes of a file. */
export type MoveRecord = string | Buffer

interface Head {
  format: 'crier-business'
  version: 1
  scrypt: { N: number; r: number; p: number }
  salt: string
}

const costs = { N: 65_536, r: 8, p: 1 }
const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
const keyOf = (passphrase: string, salt: Buffer, cost: Head['scrypt']) =>
  derive(passphrase.normalize('NFKC'), salt, 32, { ...cost, maxmem: 256 * cost.N * cost.r })

const frameBytes = 65_536
const tagBytes = 16
const longestHead = 1_000
/** Above what any row is stored with. */
const longestRecord = 256_000_000

/** The file appears under its name when all of it is written. */
export async function writeSealed(
  file: string,
  passphrase: string,
  records: AsyncIterable<MoveRecord>,
): Promise<void> {
  const salt = randomBytes(16)
  const head: Head = {
    format: 'crier-business',
    version: 1,
    scrypt: costs,
    salt: salt.toString('base64'),
  }
  const key = await keyOf(passphrase, salt, costs)
  const partial = `${file}.partial`
  try {
    await pipeline(
      Readable.from(framed(records), { objectMode: false }),
      createGzip({ level: 1 }),
      (plain: AsyncIterable<Buffer>) => sealedFrames(plain, key, `${JSON.stringify(head)}\n`),
      createWriteStream(partial, { flags: 'w', mode: 0o600, flush: true }),
    )
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function* framed(records: AsyncIterable<MoveRecord>): AsyncGenerator<Buffer> {
  for await (const record of records) {
    const body = typeof record === 'string' ? Buffer.from(record) : record
    const start = Buffer.alloc(5)
    start.writeUInt8(typeof record === 'string' ? 1 : 2)
    start.writeUInt32BE(body.length, 1)
    yield start
    if (body.length > 0) yield body
  }
}

async function* sealedFrames(
  plain: AsyncIterable<Buffer>,
  key: Buffer,
  head: string,
): AsyncGenerator<Buffer> {
  yield Buffer.from(head)
  let number = 0
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of plain) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    while (rest.length > frameBytes) {
      yield sealedFrame(key, { number: number++, isLast: false }, rest.subarray(0, frameBytes))
      rest = rest.subarray(frameBytes)
    }
  }
  yield sealedFrame(key, { number, isLast: true }, rest)
}

interface Frame {
  number: number
  isLast: boolean
}

function nonceOf({ number, isLast }: Frame): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(isLast ? 1 : 0)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}

function sealedFrame(key: Buffer, frame: Frame, body: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(frame))
  const sealed = Buffer.concat([cipher.update(body), cipher.final(), cipher.getAuthTag()])
  const start = Buffer.alloc(5)
  start.writeUInt8(frame.isLast ? 1 : 0)
  start.writeUInt32BE(sealed.length, 1)
  return Buffer.concat([start, sealed])
}

/** Throws a StartError for a wrong passphrase, and for a file that is not whole. */
export async function* readSealed(file: string, passphrase: string): AsyncGenerator<MoveRecord> {
  const bytes = bytesOf(createReadStream(file))
  const head = await readHead(bytes, file)
  const key = await keyOf(passphrase, Buffer.from(head.salt, 'base64'), head.scrypt)
  const gunzip = createGunzip()
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined)
  const opening = pipeline(Readable.from(openedFrames(bytes, key), { objectMode: false }), gunzip)
  opening.catch((error) => failed.reject(error))
  const plain = bytesOf(gunzip)
  try {
    for (;;) {
      const start = await plain.take(5, true)
      if (!start) break
      const size = start.readUInt32BE(1)
      if (size > longestRecord) throw broken(file)
      const body = size === 0 ? Buffer.alloc(0) : await plain.take(size)
      yield start.readUInt8() === 1 ? (body as Buffer).toString() : (body as Buffer)
    }
    await opening
  } catch (error) {
    if (error instanceof StartError) throw error
    throw broken(file)
  } finally {
    gunzip.destroy()
  }
}

async function readHead(bytes: Bytes, file: string): Promise<Head> {
  let text = ''
  while (!text.endsWith('\n')) {
    const next = await bytes.take(1, true)
    if (!next || text.length > longestHead) throw notOurs(file)
    text += next.toString('latin1')
  }
  try {
    const head = JSON.parse(text) as Head
    if (head.format === 'crier-business' && head.version === 1) return head
  } catch {
    // Answered below.
  }
  throw notOurs(file)
}

async function* openedFrames(bytes: Bytes, key: Buffer): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const start = await bytes.take(5)
    const isLast = start?.readUInt8() === 1
    const size = start?.readUInt32BE(1) ?? 0
    if (size < tagBytes || size > frameBytes + tagBytes) throw wrongPassphrase()
    const sealed = (await bytes.take(size)) as Buffer
    const opening = createDecipheriv('aes-256-gcm', key, nonceOf({ number, isLast }), {
      authTagLength: tagBytes,
    })
    opening.setAuthTag(sealed.subarray(-tagBytes))
    try {
      yield Buffer.concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()])
    } catch {
      throw wrongPassphrase()
    }
    if (isLast) return
  }
}

interface Bytes {
  /** Exactly so many bytes; undefined at the end, where that `mayEnd`. */
  take(count: number, mayEnd?: boolean): Promise<Buffer | undefined>
}

function bytesOf(source: AsyncIterable<Buffer>): Bytes {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return {
    async take(count, mayEnd = false) {
      const parts: Buffer[] = [rest]
      let length = rest.length
      while (length < count) {
        const { done, value } = await chunks.next()
        if (done) {
          if (mayEnd && length === 0) return undefined
          throw new StartError(
            'The file ends too early: it was cut off. Export the business again.',
          )
        }
        parts.push(value)
        length += value.length
      }
      const all = parts.length === 1 ? rest : Buffer.concat(parts, length)
      rest = all.subarray(count)
      return all.subarray(0, count)
    },
  }
}

const notOurs = (file: string) =>
  new StartError(`${file} is no file of crier businesses export. Nothing was imported.`)

const broken = (file: string) =>
  new StartError(`${file} is damaged. Export the business again; nothing was imported.`)

const wrongPassphrase = () =>
  new StartError(
    'The passphrase does not open the file, or the file was changed. Set MOVE_PASSPHRASE to the one of its export; nothing was imported.',
  )
