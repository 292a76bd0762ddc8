/** Finds the fault of a published key (RFC 6376, section 3.6.1; RFC 8463). */
import type { DkimAlgorithm } from '../keys/key-pair.ts'
import { readTags, writingFault } from './txt.ts'

/** The key to publish. `publicKey` is empty once it is revoked. */
export interface PublishedKey {
  algorithm: DkimAlgorithm
  publicKey: string
  /** Keys of the same domain that do not belong here: keys of the other slot, and former keys. */
  others: readonly string[]
}

/** Our own sentence, or undefined if the texts are a single record with exactly this key. */
export function keyFault(texts: readonly string[], key: PublishedKey): string | undefined {
  const [text = '', ...more] = texts
  if (more.length === 0) return textFault(text, key)
  const [other = ''] = more
  const halves = more.length === 1 ? [text + other, other + text] : []
  if (halves.some((whole) => textFault(whole, key) === undefined)) {
    return 'The value was cut into two records. It is one record: in a zone file two quoted strings of it, in a panel one line.'
  }
  const isRight = texts.some((entry) => textFault(entry, key) === undefined)
  const fault = `${texts.length} TXT records stand at this name, where one may be`
  return isRight
    ? `${fault} (RFC 6376, 3.6.2.2). One of them is right: delete the others.`
    : `${fault}. Delete them.`
}

function textFault(text: string, key: PublishedKey): string | undefined {
  const writing = writingFault(text)
  if (writing) return writing
  const tags = readTags(text)
  if (!tags) return 'The value is no list of tags such as v=DKIM1; k=rsa; p=….'
  return tagFault(tags) ?? valueFault(tags, key)
}

/** Finds tags that stop verifiers from using any key. */
function tagFault(tags: ReadonlyMap<string, string>): string | undefined {
  const version = tags.get('v')
  if (version !== undefined && (version !== 'DKIM1' || tags.keys().next().value !== 'v')) {
    return 'The value must begin with v=DKIM1.'
  }
  const has = (tag: string, wanted: readonly string[]) => {
    const value = tags.get(tag)
    const words = value?.toLowerCase().split(':') ?? []
    return value === undefined || words.some((word) => wanted.includes(word.trim()))
  }
  if (!has('h', ['sha256'])) return 'Its tag h= does not allow sha256: leave h= out.'
  if (!has('s', ['email', '*'])) return 'Its tag s= does not allow email: leave s= out.'
  const flags = tags.get('t')?.split(':') ?? []
  return flags.some((flag) => flag.trim() === 'y')
    ? 'Its tag t=y says that signing is only being tried, so that signatures do not count: leave it out.'
    : undefined
}

function valueFault(tags: ReadonlyMap<string, string>, key: PublishedKey): string | undefined {
  const { algorithm, publicKey, others } = key
  const value = tags.get('p')?.replace(/\s/g, '')
  if (value === undefined) return 'The value has no p=, which holds the key.'
  if (value === '') return 'The key is revoked: p= is empty.'
  const kind = (tags.get('k') ?? 'rsa').toLowerCase()
  if (kind !== (algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519')) {
    return 'Its tag k= names another kind of key.'
  }
  if (value === publicKey) return undefined
  if (others.includes(value)) return 'The key of another record of this domain stands here.'
  if (publicKey.startsWith(value)) {
    return `The key is cut off after ${value.length} of its ${publicKey.length} characters.`
  }
  return 'Another key stands here, perhaps of an earlier set-up.'
}
