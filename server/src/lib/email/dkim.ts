/**
 * DKIM signatures (RFC 6376; ed25519 by RFC 8463), relaxed/relaxed. Keys are KeyObjects, so
 * that none is parsed per message, and the signature itself is made in the thread pool: at
 * RSA-2048 it is most of what a message costs. A key that cannot sign is an error, never an
 * unsigned message.
 */
import { hash, type KeyObject, sign } from 'node:crypto'
import { fieldsOf, relaxedBody, relaxedValue } from './canonical.ts'
import { ownBuffer } from './message-buffers.ts'
import type { Written } from './message-scratch.ts'

export interface DkimKey {
  /** The sender's domain, in A-labels. */
  domain: string
  selector: string
  algorithm: 'rsa-sha256' | 'ed25519-sha256'
  privateKey: KeyObject
}

/**
 * Signed as often as they are there and once more, so that nobody can add one on the way
 * (section 8.15). List-Unsubscribe-Post must be signed, or one-click does nothing (RFC 8058
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
/** Signed where they are there; lists and relays may rightly add them. */
const covered = ['sender', 'in-reply-to', 'references', 'list-id', 'auto-submitted', 'precedence']

/** The whole message with a DKIM-Signature field in front for each key, in their order. */
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
 * The same. What it is given is read before it first waits, so that it may be a view that
 * does not last. `bufferFor` gives what holds the whole.
 */
export async function signBuilt(
  written: Written,
  keys: readonly DkimKey[],
  { at, bufferFor = ownBuffer }: { at: Date; bufferFor?: (bytes: number) => Buffer },
): Promise<Buffer> {
  const { all, whole } = prepared(written, keys, { at, bufferFor })
  return signed(whole, all, await Promise.all(all.map((one) => inPool(one))))
}

interface Unsigned {
  key: DkimKey
  /** The value of its field as far as `b=`. */
  unsigned: string
  /** What is signed. */
  text: string
  /** Bytes of the whole field. */
  length: number
}

/** What is to be signed by each key, and the message with room for the fields in front. */
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
  // One buffer, with room in front for what takes a while: a copy less of the whole.
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

/** Of several fields with one name the last is signed first (section 5.4.2). */
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

/** The value of the field as far as `b=`, which is what is signed. */
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

/** Bytes of the whole field, once it is signed. */
function signedLength({ privateKey }: DkimKey, unsigned: string): number {
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 512
  const base64 = Math.ceil(Math.ceil(bits / 8) / 3) * 4
  const folds = Math.ceil(base64 / perLine) - 1
  return 'DKIM-Signature:'.length + unsigned.length + base64 + folds * 3 + 2
}

/** What mails of one sender have is nearly always the same. */
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

/** RFC 8463 section 3: ed25519 signs the hash of what RSA would sign. */
function signedBy(algorithm: DkimKey['algorithm'], text: string): ToSign {
  const data = Buffer.from(text, 'latin1')
  return algorithm === 'rsa-sha256' ? ['sha256', data] : [null, hash('sha256', data, 'buffer')]
}

/** By callback, which is what takes the work to the thread pool. */
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
 * Signatures at once. What is written to disk takes the threads of the same pool in its turn:
 * behind a crowd of signatures the journal would wait, and a line for it.
 */
const atOnce = Math.max(1, (Number(process.env['UV_THREADPOOL_SIZE']) || 4) - 1)
let signing = 0
const waiting: (() => void)[] = []
