/**
 * A store in a file: encrypted with AES-256-GCM, mode 0600, with its key in a second 0600
 * file, written so that a crash leaves the old or the new contents. A copy of only
 * one of the two files is useless.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import path from 'node:path'
import { CrierError } from '../errors/error.ts'
import { parsed } from '../errors/problem.ts'
import { queue } from '../transport/single-flight.ts'
import { readConnection, writeConnection } from './connection.ts'
import { withFileLock } from './file-lock.ts'
import { readPrivate, removePrivate, writePrivate } from './private-file.ts'
import type { Store } from './store.ts'

export interface SealedFileOptions {
  /** The file of the encrypted connection. */
  file: string
  /** The file of its key, created on first use. Default: `key` in the same folder. */
  keyFile?: string
}

const magic = Buffer.from('crier-sealed-1\n')
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/** A store that outlives the process and is shared by all processes of one user. */
export function sealedFile(options: SealedFileOptions): Store {
  const { file } = options
  const keyFile = options.keyFile ?? path.join(path.dirname(file), 'key')
  // Callers of this process wait in a queue first, because a lock file has to be polled.
  const inTurn = queue()

  return {
    async read() {
      const sealed = await readPrivate(file)
      if (!sealed) return undefined
      const key = await readPrivate(keyFile)
      const connection = key && readConnection(parsed(open(key, sealed)))
      if (!connection) throw unreadable(file)
      return connection
    },

    async write(connection) {
      if (!connection) return removePrivate(file)
      const key = await keyFrom(keyFile)
      await writePrivate(file, seal(key, writeConnection(connection)))
    },

    exclusive: (work) => inTurn(() => withFileLock(file, work)),
  }
}

/** The key, created if missing. Several stores may share it, so its creation is locked too. */
async function keyFrom(file: string): Promise<Buffer> {
  const usable = async (): Promise<Buffer | undefined> => {
    const key = await readPrivate(file)
    return key?.length === keyBytes ? key : undefined
  }
  const key = await usable()
  if (key) return key
  return withFileLock(file, async () => {
    const made = await usable()
    if (made) return made
    const fresh = randomBytes(keyBytes)
    await writePrivate(file, fresh)
    return fresh
  })
}

function seal(key: Buffer, plain: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(magic)
  return Buffer.concat([
    magic,
    nonce,
    cipher.update(plain, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

/** The plain text; undefined if the bytes were not encrypted with this key. */
function open(key: Buffer, sealed: Buffer): string | undefined {
  const body = magic.length + nonceBytes
  const whole = sealed.length > body + tagBytes && sealed.subarray(0, magic.length).equals(magic)
  if (!whole || key.length !== keyBytes) return undefined
  try {
    const nonce = sealed.subarray(magic.length, body)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(magic).setAuthTag(sealed.subarray(-tagBytes))
    return (
      decipher.update(sealed.subarray(body, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
    )
  } catch {
    return undefined
  }
}

function unreadable(file: string): CrierError {
  return new CrierError({
    code: 'store_unreadable',
    message: `${file} is damaged, or its key is not the one that sealed it. Sign in again to replace it.`,
  })
}
