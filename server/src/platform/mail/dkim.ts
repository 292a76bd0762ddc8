/**
 * DKIM signatures (RFC 6376; ed25519 by RFC 8463), relaxed/relaxed. Keys are KeyObjects, so
 * that none is parsed per message, and the signature itself is made in the thread pool: at
 * RSA-2048 it is most of what a message costs. A key that cannot sign is an error, never an
 * unsigned message.
 */
import { hash, type KeyObject, sign } from 'node:crypto'
import { fieldsOf, relaxedBody, relaxedValue } from './canonical.ts'

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
  const end = message.indexOf('\r\n\r\n')
  if (end < 0) throw new Error('a message without an end of its head cannot be signed')
  const { names, text } = whatIsSigned(message.toString('latin1', 0, end + 2))
  const bodyHash = hash('sha256', relaxedBody(message.subarray(end + 4)), 'base64')
  const fields = await Promise.all(
    keys.map((key) => signatureField(key, { names, text, bodyHash, at })),
  )
  return Buffer.concat([Buffer.from(fields.join(''), 'latin1'), message])
}

interface Signed {
  /** The value of `h=`. */
  names: string[]
  /** The canonical fields, each with its line end. */
  text: string
  bodyHash: string
  at: Date
}

/** Of several fields with one name the last is signed first (section 5.4.2). */
function whatIsSigned(head: string): Pick<Signed, 'names' | 'text'> {
  const fields = fieldsOf(head).toReversed()
  const names: string[] = []
  let text = ''
  for (const name of [...sealed, ...covered]) {
    for (const field of fields) {
      if (field.name !== name) continue
      names.push(name)
      text += `${field.canonical}\r\n`
    }
  }
  if (!names.includes('from')) throw new Error('a message without From cannot be signed')
  return { names: [...names, ...sealed], text }
}

const label = /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?$/i

async function signatureField(key: DkimKey, signed: Signed): Promise<string> {
  const { domain, selector, algorithm } = key
  if (!label.test(domain) || !label.test(selector)) throw new Error('a DKIM key without a name')
  const unsigned = [
    ` v=1; a=${algorithm}; c=relaxed/relaxed; t=${Math.floor(signed.at.getTime() / 1000)};`,
    ` d=${domain};`,
    ` s=${selector};`,
    ` h=${foldedNames(signed.names)};`,
    ` bh=${signed.bodyHash};`,
    ' b=',
  ].join('\r\n')
  const text = `${signed.text}dkim-signature:${relaxedValue(unsigned)}`
  const signature = (await signatureOf(key, text)).toString('base64')
  return `DKIM-Signature:${unsigned}${signature.replace(/(.{72})(?=.)/g, '$1\r\n ')}\r\n`
}

/** Colons may have white space around them, so that the list can be folded (section 3.5). */
function foldedNames(names: string[]): string {
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
  return text
}

/** By callback, which is what takes the work to the thread pool. */
function signatureOf({ algorithm, privateKey }: DkimKey, text: string): Promise<Buffer> {
  const kind = algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'
  if (privateKey.asymmetricKeyType !== kind) throw new Error(`${algorithm} needs a key of ${kind}`)
  // RFC 8463 section 3: ed25519 signs the hash of what RSA would sign.
  const [digest, data] =
    kind === 'rsa'
      ? (['sha256', Buffer.from(text, 'latin1')] as const)
      : ([null, hash('sha256', Buffer.from(text, 'latin1'), 'buffer')] as const)
  return new Promise((resolve, reject) => {
    sign(digest, data, privateKey, (error, signature) => {
      if (error) reject(error)
      else resolve(signature)
    })
  })
}
