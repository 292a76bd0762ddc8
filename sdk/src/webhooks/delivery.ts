/** What every way of verifying a delivery shares: its parts, and what makes it acceptable. */
import { CrierError, type ErrorCode } from '../errors/error.ts'
import { asFields, parsed } from '../errors/problem.ts'
import type { CrierEvent } from '../generated/events.ts'
import {
  type DeliveryHeaders,
  defaultSlug,
  headerName,
  readHeaders,
  type WebhookHeaders,
} from './webhook-headers.ts'

/** How far a delivery's time may differ from ours, both ways (contract 14.7). */
const toleranceSeconds = 300

export interface Delivery {
  /** The body as it arrived, byte for byte. A parsed body cannot be checked. */
  body: string | Uint8Array
  headers: WebhookHeaders
  /**
   * The subscription's signing secret, `whsec_…`. Several are possible during a rotation. Undefined
   * and empty ones are ignored, but at least one must be given.
   */
  secret: string | undefined | readonly (string | undefined)[]
  /** The time to compare with. Default: now. */
  now?: Date
  /** Seconds by which the delivery's time may differ from `now`. Default: 300. */
  tolerance?: number
  /** The server's SERVICE_SLUG, which is part of its header names. Default: svc. */
  slug?: string
}

/** `t=<unix_seconds>,v1=<hex_hmac>` (contract 10.3). */
export interface Signature {
  /** Unix seconds as text, since the text is part of the signed bytes. */
  timestamp: string
  /** Lower-case hex. Several during a rotation, while the old secret is still valid. */
  v1: string[]
}

/** A delivery whose signature is yet to be compared. */
export interface Unverified {
  body: string | Uint8Array
  secrets: string[]
  signature: Signature
  /** The event, once somebody has compared the signature; else throws the reason. */
  accept(isGenuine: boolean): CrierEvent
}

/** Throws where no comparison is possible. */
export function readDelivery(delivery: Delivery): Unverified {
  const { now = new Date(), tolerance = toleranceSeconds, slug = defaultSlug } = delivery
  const secrets = usableSecrets(delivery.secret)
  const body = rawBody(delivery.body)
  const headers = readHeaders(delivery.headers, slug)
  const signature = signatureIn(headers, slug)
  const accept = (isGenuine: boolean): CrierEvent => {
    if (!isGenuine) {
      throw failure(
        'signature_mismatch',
        'No signature of this delivery was made with this secret over this body. Either the secret is another subscription’s, or has been rotated; or the body was changed on its way, as by a parser that wrote it anew.',
      )
    }
    const late = now.getTime() / 1000 - Number(signature.timestamp)
    if (!(Math.abs(late) <= tolerance)) {
      const when =
        late > 0 ? `${Math.ceil(late)} seconds ago` : `${Math.ceil(-late)} seconds from now`
      throw failure(
        'delivery_stale',
        `This delivery was signed ${when}, and ${tolerance} are allowed. Either somebody repeats an old one, or this machine's clock is wrong.`,
      )
    }
    return eventIn(body, headers, slug)
  }
  return { body, secrets, signature, accept }
}

function usableSecrets(secret: Delivery['secret']): string[] {
  const secrets = [secret].flat().filter((text): text is string => Boolean(text))
  if (secrets.length > 0 && secrets.every((text) => text.startsWith('whsec_'))) return secrets
  throw failure(
    'secret_invalid',
    secrets.length === 0
      ? 'There is no secret to check with. Is the variable set that should hold it?'
      : 'A signing secret begins with whsec_. It is shown once, when the webhook is made or its secret rotated.',
  )
}

function rawBody(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const fault = body === undefined || body === null ? 'There is no body' : 'The body was parsed'
  throw failure(
    'body_parsed',
    `${fault}: the signature covers the bytes as they came. Take the raw body on this route, such as express.raw({ type: 'application/json' }), and no JSON parser before it.`,
  )
}

function signatureIn(headers: DeliveryHeaders, slug: string): Signature {
  const name = headerName(slug, 'signature')
  if (headers.signature === undefined) {
    throw failure(
      'signature_missing',
      `There is no header ${name}. Either this is no delivery of a webhook, or something before this program takes headers away, or the server's SERVICE_SLUG is not "${slug}".`,
    )
  }
  const signature = readSignature(headers.signature)
  if (!signature || (headers.timestamp ?? signature.timestamp) !== signature.timestamp) {
    throw failure(
      'signature_malformed',
      `The header ${name} is not t=<unix seconds>,v1=<hex>, or says another time than ${headerName(slug, 'timestamp')}.`,
    )
  }
  return signature
}

/** The type header is not signed, so code that relies on it must not be misled. */
function eventIn(body: string | Uint8Array, headers: DeliveryHeaders, slug: string): CrierEvent {
  const event = parsed(typeof body === 'string' ? body : new TextDecoder().decode(body))
  const { id, type } = asFields(event)
  if (typeof id !== 'string' || typeof type !== 'string') {
    throw failure('event_malformed', 'The body is rightly signed, but is no event.')
  }
  if ((headers.event ?? type) !== type) {
    const name = headerName(slug, 'event')
    throw failure('event_malformed', `The signed body is a ${type}, and ${name} says another type.`)
  }
  return event as CrierEvent
}

function failure(code: ErrorCode, message: string): CrierError {
  return new CrierError({ code, message })
}

/** Undefined where the header is malformed. Schemes other than `v1` are ignored. */
export function readSignature(header: string): Signature | undefined {
  const pairs = header.split(',').map((part) => part.trim().split('='))
  const values = (wanted: string) =>
    pairs.flatMap(([key, value]) => (key === wanted ? [value ?? ''] : []))
  const [timestamp, another] = values('t')
  const v1 = values('v1').filter((hex) => /^[0-9a-f]{64}$/.test(hex))
  if (timestamp === undefined || another !== undefined || v1.length === 0) return undefined
  return /^\d{1,12}$/.test(timestamp) ? { timestamp, v1 } : undefined
}
