/**
 * DKIM signatures (RFC 6376; ed25519 by RFC 8463), relaxed/relaxed. Keys are KeyObjects, so that no
 * key is parsed per message. The signature itself is made in the thread pool, because at RSA-2048
 * it is most of the cost of a message. A key that cannot sign is an error and never leads to an
 * unsigned message.
 */
import { hash, type KeyObject, sign } from 'node:crypto'
import { ownBuffer } from './message-buffers.ts'
import type { Written } from './message-scratch.ts'
import { fieldsOf, relaxedBody, relaxedValue } from './message-scratch.ts'

export interface DkimKey {
  /** The sender's domain, in A-labels. */
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  privateKey: KeyObject
}

/**
 * These fields are signed once more than they occur, so that nobody can add one in transit (section
 * 8.15). List-Unsubscribe-Post must be signed, or one-click unsubscription does not work (RFC 8058
 * section 4).
 */
const sealed = [
  'from',
  'to',
  'cc',
  'reply-to',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
]
/** These fields are signed where they occur. Lists and relays may legitimately add them. */
const covered = [
  'sender',
  'in-reply-to',
  'references',
  'auto-submitted',
  'precedence',
  'list-id',
  'list-help',
  'list-subscribe',
  'list-owner',
  'list-post',
  'list-archive',
]

/** The whole message with a DKIM-Signature field in front for each key, in the keys' order. */
export async function signMessage(
  message: Buffer,
  keys: readonly DkimKey[],
  at: Date,
): Promise<Buffer> {
  const body = message.subarray(endOfHead(message) + 4)
  return signBuilt({ message, relaxedBody: relaxedBody(body) }, keys, { at })
}

function endOfHead(message: Buffer): number {
  const end = message.indexOf('\r\n\r\n')
  if (end < 0) throw new Error('a message without an end of its head cannot be signed')
  return end
}

/**
 * Does the same as `signMessage`. It reads its argument before it first awaits, so the argument may
 * be a view that is overwritten later. `bufferFor` returns the buffer for the whole message.
 */
export async function signBuilt(
  message: Written,
  keys: readonly DkimKey[],
  { at, bufferFor = ownBuffer }: { at: Date; bufferFor?: (bytes: number) => Buffer },
): Promise<Buffer> {
  const { all, whole } = prepared(message, keys, { at, bufferFor })
  return signed(whole, all, await Promise.all(all.map((unsigned) => inPool(unsigned))))
}

interface Unsigned {
  key: DkimKey
  /** The value of the field up to and including its `b=`. */
  unsigned: string
  /** The text to sign. */
  text: string
  /** Bytes of the whole field. */
  length: number
}

/** The text to sign for each key, and the message with room for the fields in front. */
function prepared(
  { message, relaxedBody: body }: Written,
  keys: readonly DkimKey[],
  { at, bufferFor }: { at: Date; bufferFor: (bytes: number) => Buffer },
): { all: Unsigned[]; whole: Buffer } {
  const end = endOfHead(message)
  const { names, text } = whatIsSigned(message.toString('latin1', 0, end + 2))
  const bodyHash = hash('sha256', body, 'base64')
  const all = keys.map((key) => {
    const unsigned = unsignedField(key, { names, bodyHash, at })
    const toSign = `${text}dkim-signature:${relaxedValue(unsigned)}`
    return { key, unsigned, text: toSign, length: signedLength(key, unsigned) }
  })
  // One buffer has room for the fields in front, which saves a copy of the whole message.
  const front = all.reduce((sum, { length }) => sum + length, 0)
  const whole = bufferFor(front + message.length)
  message.copy(whole, front)
  return { all, whole }
}

function signed(whole: Buffer, all: readonly Unsigned[], signatures: readonly Buffer[]): Buffer {
  let at = 0
  for (const [n, { unsigned, length }] of all.entries()) {
    const signature = signatures[n]?.toString('base64') ?? ''
    const field = `DKIM-Signature:${unsigned}${folded(signature)}\r\n`
    if (field.length !== length) throw new Error('a signature of odd length')
    at += whole.write(field, at, 'latin1')
  }
  return whole
}

interface Signed {
  /** The value of `h=`. */
  names: string
  bodyHash: string
  at: Date
}

/** If several fields have one name, the last one is signed first (section 5.4.2). */
function whatIsSigned(head: string): { names: string; text: string } {
  const byName = new Map<string, string[]>()
  for (const { name, canonical } of fieldsOf(head)) {
    const same = byName.get(name)
    if (same) same.unshift(canonical)
    else byName.set(name, [canonical])
  }
  if (!byName.has('from')) throw new Error('a message without From cannot be signed')
  const names: string[] = []
  let text = ''
  for (const name of signable) {
    for (const canonical of byName.get(name) ?? []) {
      names.push(name)
      text += `${canonical}\r\n`
    }
  }
  return { names: foldedNames(names), text }
}

const signable = [...sealed, ...covered]
const label = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?$/i

/** The value of the field up to and including its `b=`, which is part of the signed text. */
function unsignedField(
  { domain, selector, algorithm, privateKey }: DkimKey,
  { names, bodyHash, at }: Signed,
): string {
  if (!label.test(domain) || !label.test(selector)) throw new Error('a DKIM key without a name')
  if (privateKey.asymmetricKeyType !== kindOf(algorithm)) {
    throw new Error(`${algorithm} needs a key of ${kindOf(algorithm)}`)
  }
  const seconds = Math.floor(at.getTime() / 1000)
  return ` v=1; a=${algorithm}; c=relaxed/relaxed; t=${seconds};\r\n d=${domain};\r\n s=${selector};\r\n h=${names};\r\n bh=${bodyHash};\r\n b=`
}

const kindOf = (algorithm: DkimKey['algorithm']) => (algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519')

const perLine = 72

function folded(signature: string): string {
  let text = signature.slice(0, perLine)
  for (let at = perLine; at < signature.length; at += perLine) {
    text += `\r\n ${signature.slice(at, at + perLine)}`
  }
  return text
}

/** Bytes of the whole field after signing. */
function signedLength({ privateKey }: DkimKey, unsigned: string): number {
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 512
  const base64 = Math.ceil(Math.ceil(bits / 8) / 3) * 4
  const folds = Math.ceil(base64 / perLine) - 1
  return 'DKIM-Signature:'.length + unsigned.length + base64 + folds * 3 + 2
}

/** The fields of one sender's mails are nearly always the same. */
let [lastNames, lastFolded] = ['', '']

/** Colons may have white space around them, so that the list can be folded (section 3.5). */
function foldedNames(signed: readonly string[]): string {
  const joined = signed.join(':')
  if (joined === lastNames) return lastFolded
  const names = [...signed, ...sealed]
  let text = ''
  let length = 3
  for (const [n, name] of names.entries()) {
    const part = n === names.length - 1 ? name : `${name}:`
    if (length + part.length > 74) {
      text += '\r\n '
      length = 1
    }
    text += part
    length += part.length
  }
  ;[lastNames, lastFolded] = [joined, text]
  return text
}

type ToSign = [digest: 'sha256' | null, data: Buffer]

/** RFC 8463 section 3: ed25519 signs the hash of the data that RSA would sign. */
function signedBy(algorithm: DkimKey['algorithm'], text: string): ToSign {
  const data = Buffer.from(text, 'latin1')
  return algorithm === 'rsa-sha256' ? ['sha256', data] : [null, hash('sha256', data, 'buffer')]
}

/** Uses a callback, because only that runs the work in the thread pool. */
function inPool({ key: { algorithm, privateKey }, text }: Unsigned): Promise<Buffer> {
  const [digest, data] = signedBy(algorithm, text)
  return new Promise((resolve, reject) => {
    const start = (): void => {
      signing++
      sign(digest, data, privateKey, (error, signature) => {
        signing--
        waiting.shift()?.()
        if (error) reject(error)
        else resolve(signature)
      })
    }
    if (signing < atOnce) start()
    else waiting.push(start)
  })
}

/**
 * The most simultaneous signatures. Writes to disk share the same pool: behind many signatures the
 * journal would wait, and an SMTP connection would wait for the journal.
 */
const atOnce = Math.max(1, (Number(process.env['UV_THREADPOOL_SIZE']) || 4) - 1)
let signing = 0
const waiting: (() => void)[] = []
