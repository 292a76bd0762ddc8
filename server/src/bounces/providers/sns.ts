/**
 * Messages of Amazon SNS, signed with a certificate at an address of Amazon. Anyone with an AWS
 * account can have a message signed, so the topic must be one of ours.
 */
import { type KeyObject, verify, X509Certificate } from 'node:crypto'
import { refuse } from '../../core/errors.ts'
import { fieldsOf, jsonIn, textOf } from './provider.ts'

/** Fetches the body at an https URL of Amazon; undefined if there is none. */
export type Fetch = (url: string) => Promise<Buffer | undefined>

export interface SnsMessage {
  type: string
  id: string
  message: string
  subscribeUrl: string | undefined
}

export interface SnsReader {
  read(body: Buffer, now: Date): Promise<SnsMessage>
}

const hosts = /^sns\.[a-z]{2}(?:-[a-z]+)+-\d\.amazonaws\.com(?:\.cn)?$/

/** Whether a URL belongs to SNS itself. */
export function isOfSns(text: string | undefined): text is string {
  const url = text === undefined ? null : URL.parse(text)
  if (url?.protocol !== 'https:' || url.port !== '' || url.username) return false
  return hosts.test(url.hostname)
}

const confirmation = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const

/** Maps, because a sender chooses `Type` and version: an object would know `constructor`. */
const signed = new Map<unknown, readonly string[]>([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', confirmation],
  ['UnsubscribeConfirmation', confirmation],
])

const digests = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
])

export function createSnsReader({
  topics,
  fetch,
}: {
  topics: readonly string[]
  fetch: Fetch
}): SnsReader {
  const keyOf = createKeys(fetch)
  return {
    async read(body, now) {
      const fields = fieldsOf(jsonIn(body))
      const names = signed.get(fields['Type'])
      if (!names) throw refuse('invalid_request', 'This is not an Amazon SNS message.')
      if (!topics.includes(String(fields['TopicArn']))) {
        throw refuse('unauthorized', 'The topic is not listed in SES_TOPICS.')
      }
      const text = names
        .map((name) => ({ name, value: textOf(fields[name]) }))
        .filter(({ value }) => value !== undefined)
        .map(({ name, value }) => `${name}\n${value}\n`)
        .join('')
      const key = await keyOf(textOf(fields['SigningCertURL']), now)
      const digest = digests.get(String(fields['SignatureVersion']))
      const signature = Buffer.from(String(fields['Signature']), 'base64')
      if (!key || !digest || !verify(digest, Buffer.from(text), key, signature)) {
        throw refuse('unauthorized', 'The signature is not from Amazon SNS.')
      }
      return {
        type: String(fields['Type']),
        id: String(fields['MessageId']),
        message: String(fields['Message']),
        subscribeUrl: textOf(fields['SubscribeURL']),
      }
    },
  }
}

/** The most certificates that are cached. Amazon changes its certificate about once a year. */
const mostKeys = 10

function createKeys(fetch: Fetch) {
  const cache = new Map<string, X509Certificate>()
  return async (url: string | undefined, now: Date): Promise<KeyObject | undefined> => {
    if (!isOfSns(url) || !new URL(url).pathname.endsWith('.pem')) return undefined
    const certificate = cache.get(url) ?? (await fetched(fetch, url))
    if (!certificate) return undefined
    if (now < certificate.validFromDate || now > certificate.validToDate) return undefined
    if (cache.size >= mostKeys) cache.clear()
    cache.set(url, certificate)
    return certificate.publicKey
  }
}

/**
 * Amazon sends a message again that a server could not take (5xx), but never one that it refused
 * (4xx). So a certificate that cannot be had now must not count as a wrong signature.
 */
async function fetched(fetch: Fetch, url: string): Promise<X509Certificate | undefined> {
  const body = await fetch(url)
  if (!body) throw refuse('unavailable', 'The certificate of Amazon SNS could not be fetched.')
  try {
    return new X509Certificate(body)
  } catch {
    // The content at the URL is not a certificate.
    return undefined
  }
}
