/**
 * Keys derived from the one secret: sealing for values that must be read back, HMAC for values
 * that must only be recognised. Each purpose has a key of its own (HKDF, RFC 5869), so that a
 * value of one kind can never be used as another.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface Vault {
  /** AES-256-GCM. Opening requires the same `context` (a table and a key). */
  seal(context: string, plain: Buffer): Buffer
  open(context: string, sealed: Buffer): Buffer
  hmac(purpose: string, data: string | Buffer): Buffer
  /** The key of one purpose, for a thread that computes the same HMACs (`keyedHash`). */
  hmacKey(purpose: string): Buffer
  /** The HMACs by the keys with which a business was moved here, the newest first. */
  movedHmacs?(businessId: string, purpose: string, data: Buffer): Buffer[]
}

/** A key of another installation, which is used for one business alone. */
export interface MovedKey {
  businessId: string
  purpose: string
  key: Buffer
}

/**
 * The purpose of address hashes. Their data begin with the id of the business. One that was moved
 * keeps the key that it had, since the addresses of many of its hashes are known nowhere.
 */
export const addressPurpose = 'suppression'
const idLength = 36

const nonceBytes = 12
const tagBytes = 16
// Without this check a tag cut to four bytes would be accepted, and such a tag can be guessed.
const gcm = { authTagLength: tagBytes }

export function createVault(secret: string, moved: readonly MovedKey[] = []): Vault {
  const movedHashes = Map.groupBy(
    moved.map(({ key, ...name }) => ({ ...name, hashOf: keyedHash(key) })),
    ({ businessId, purpose }) => `${purpose} ${businessId}`,
  )
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'crier', purpose, 32))
  // A key object, because a buffer would be converted at each use, which takes longer than the
  // sealing.
  let sealing: KeyObject | undefined
  const sealingKey = (): KeyObject => {
    sealing ??= createSecretKey(derived('seal'))
    return sealing
  }
  const hashes = new Map<string, KeyedHash>()
  const hmacKey = (purpose: string) => derived(`hmac:${purpose}`)
  return {
    seal(context, plain) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', sealingKey(), nonce, gcm)
      cipher.setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(context, sealed) {
      const tag = sealed.subarray(sealed.length - tagBytes)
      const body = sealed.subarray(nonceBytes, sealed.length - tagBytes)
      const nonce = sealed.subarray(0, nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', sealingKey(), nonce, gcm)
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()])
    },
    hmac(purpose, data) {
      if (purpose === addressPurpose && movedHashes.size > 0 && typeof data === 'string') {
        const [own] = movedHashes.get(`${purpose} ${data.slice(0, idLength)}`) ?? []
        if (own) return own.hashOf(data)
      }
      let hashOf = hashes.get(purpose)
      if (!hashOf) {
        hashOf = keyedHash(hmacKey(purpose))
        hashes.set(purpose, hashOf)
      }
      return hashOf(data)
    },
    hmacKey,
    movedHmacs: (businessId, purpose, data) =>
      (movedHashes.get(`${purpose} ${businessId}`) ?? []).map(({ hashOf }) => hashOf(data)),
  }
}

/**
 * The secret of this installation, created at the first start and stored in a file with mode 0600.
 */
export function installationSecret(dataDir: string): string {
  const file = path.join(dataDir, 'secret')
  mkdirSync(path.dirname(dataDir), { recursive: true })
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // The secret is written to another file first and then linked, which fails where the name exists.
  // If several first starts run at once, one creates it and none reads a half-written file.
  const draft = `${file}.${process.pid}.${randomToken()}`
  try {
    if (!existsSync(file)) {
      writeFileSync(draft, `${randomToken()}\n`, { flag: 'wx', mode: 0o600 })
      linkSync(draft, file)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}

export function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** 32 random bytes as 43 characters: for codes, refresh tokens and cookies. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * HMAC-SHA-256 (RFC 2104) with precomputed padded keys and a single call per hash: a third of the
 * cost of `createHmac`, which creates a stream at every use. A newsletter takes forty of them.
 */
export type KeyedHash = (data: string | Buffer) => Buffer

const blockBytes = 64
const hashBytes = 32
/** The size of most data; longer data gets a buffer of its own. */
const roomBytes = 256

/** The key fits into one block, so it is used as it is. */
export function keyedHash(key: Buffer): KeyedHash {
  if (key.length > blockBytes) throw new RangeError('a key longer than a block')
  const inner = padded(key, 0x36, roomBytes)
  const outer = padded(key, 0x5c, hashBytes)
  // Most data have the same length as the data before, such as ids of one kind.
  let used = inner.subarray(0, blockBytes)
  const writeData = (data: string | Buffer): void => {
    // A character takes at most three bytes of UTF-8 for each of its UTF-16 code units.
    if (typeof data === 'string' && data.length * 3 <= roomBytes) {
      const whole = blockBytes + inner.write(data, blockBytes)
      if (used.length !== whole || used.buffer !== inner.buffer) used = inner.subarray(0, whole)
      return
    }
    const bytes = typeof data === 'string' ? Buffer.from(data) : data
    const whole = blockBytes + bytes.length
    if (used.length !== whole) {
      const room = bytes.length <= roomBytes ? inner : padded(key, 0x36, bytes.length)
      used = room.subarray(0, whole)
    }
    used.set(bytes, blockBytes)
  }
  return (data) => {
    writeData(data)
    // As a string, because a buffer created by the hash costs more than the hash.
    const within = hash('sha256', used, 'binary')
    outer.write(within, blockBytes, 'latin1')
    return Buffer.from(hash('sha256', outer, 'binary'), 'latin1')
  }
}

function padded(key: Buffer, pad: number, room: number): Buffer {
  const bytes = Buffer.alloc(blockBytes + room)
  bytes.fill(pad, 0, blockBytes)
  for (const [i, byte] of key.entries()) bytes[i] = byte ^ pad
  return bytes
}
