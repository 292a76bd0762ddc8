/**
 * Receives Crier's webhooks in any runtime that has WebCrypto: Node, Bun, Deno, Workers. Handlers for
 * Express, Fastify, Hono and the route handlers of Next.js answer as the service expects.
 *
 * @packageDocumentation
 */

import { CrierError } from './errors/error.ts'
import type { CrierEvent } from './generated/events.ts'
import { type Delivery, readDelivery } from './webhooks/delivery.ts'
import {
  defaultSlug,
  headerName,
  readHeaders,
  type WebhookHeaders,
} from './webhooks/webhook-headers.ts'

export { CrierError, type ErrorCode, WebhookError } from './errors/error.ts'
export type { CrierEvent, EventData, EventType } from './generated/events.ts'
export type { Delivery } from './webhooks/delivery.ts'
export type { WebhookHeaders } from './webhooks/webhook-headers.ts'

/**
 * Checks the signature and the age of a delivery and returns its event. Otherwise rejects with a
 * {@link CrierError} whose code gives the reason, as `verifyWebhook` of `@crier-mail/sdk/node` does.
 */
export async function verifyWebhook(delivery: Delivery): Promise<CrierEvent> {
  const { body, secrets, signature, accept } = readDelivery(delivery)
  const signed = signedBytes(signature.timestamp, body)
  let isGenuine = false
  for (const secret of secrets) {
    const key = await keyOf(secret)
    for (const hex of signature.v1) {
      // Compares in constant time, and each pair, so that the place of a match cannot be measured.
      if (await crypto.subtle.verify('HMAC', key, fromHex(hex), signed)) isGenuine = true
    }
  }
  return accept(isGenuine)
}

/** A delivery to sign: for tests of a receiver. */
export interface DeliveryToSign {
  /** An event's JSON. */
  body: string
  secret: string
  /** `dlv_…`: the id of this delivery. */
  deliveryId: string
  now?: Date
  slug?: string
}

/** The headers with which Crier delivers this body, for the tests of a receiver. */
export async function signWebhook(delivery: DeliveryToSign): Promise<Record<string, string>> {
  const { body, secret, deliveryId, now = new Date(), slug = defaultSlug } = delivery
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed = signedBytes(timestamp, body)
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), signed))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return {
    'content-type': 'application/json',
    [headerName(slug, 'event')]: (JSON.parse(body) as CrierEvent).type,
    [headerName(slug, 'delivery')]: deliveryId,
    [headerName(slug, 'timestamp')]: timestamp,
    [headerName(slug, 'signature')]: `t=${timestamp},v1=${hex}`,
  }
}

/** What a handler does, and how it verifies. */
export interface ReceiverOptions {
  /** The signing secret, or a function that reads it at each delivery. */
  secret: Delivery['secret'] | (() => Delivery['secret'])
  /**
   * Called with each genuine event; the delivery is acknowledged when it has resolved. Where it
   * throws, the service delivers again later. The same event may come twice: act once for each `id`.
   */
  onEvent(event: CrierEvent, delivery: { deliveryId: string | undefined }): unknown
  tolerance?: number
  slug?: string
  /** The largest body, in bytes. Default 1,000,000. */
  limit?: number
}

/** A handler for whatever gives a `Request` and takes a `Response`: Hono, Next.js, Bun, Deno, Workers. */
export function fetchHandler(options: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await bytesOf(request.body as AsyncIterable<Uint8Array> | null, options)
    const { status, error } = await receive(options, { body, headers: request.headers })
    return error ? Response.json(error, { status }) : new Response(null, { status })
  }
}

/** A route handler of Next.js: `export const POST = nextHandler({ … })`. */
export function nextHandler(options: ReceiverOptions): (request: Request) => Promise<Response> {
  return fetchHandler(options)
}

/** A handler of Hono: `app.post('/webhooks', honoHandler({ … }))`. */
export function honoHandler(
  options: ReceiverOptions,
): (context: { req: { raw: Request } }) => Promise<Response> {
  const handle = fetchHandler(options)
  return ({ req }) => handle(req.raw)
}

/** The parts of Express's request that are used; Node's own has them as well. */
export interface ExpressRequest extends AsyncIterable<unknown> {
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Set where something has read the body already. */
  body?: unknown
}

export interface ExpressResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(text?: string): unknown
}

/**
 * A handler of Express: `app.post('/webhooks', expressHandler({ … }))`. It reads the body itself, so
 * no `express.json()` may run before it; `express.raw()` may.
 */
export function expressHandler(
  options: ReceiverOptions,
): (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void,
) => Promise<void> {
  return async (request, response, next) => {
    try {
      const { body: read, headers } = request
      const stream = request as AsyncIterable<Uint8Array>
      const body = read === undefined ? await bytesOf(stream, options) : (read as Uint8Array)
      const { status, error } = await receive(options, { body, headers })
      response.statusCode = status
      if (error) response.setHeader('content-type', 'application/json')
      response.end(error && JSON.stringify(error))
    } catch (error) {
      next(error)
    }
  }
}

/** The parts of Fastify's request and answer that are used. */
interface FastifyPost {
  body: unknown
  headers: WebhookHeaders
}
interface FastifyAnswer {
  code(status: number): { send(body?: unknown): unknown }
}

/** The parts of Fastify that are used. */
export interface FastifyScope {
  addContentTypeParser(
    type: string,
    how: { parseAs: 'buffer' },
    parser: (
      request: unknown,
      body: unknown,
      done: (error: Error | null, body?: unknown) => void,
    ) => void,
  ): unknown
  post(
    path: string,
    handler: (request: FastifyPost, reply: FastifyAnswer) => Promise<unknown>,
  ): unknown
}

/** A plugin of Fastify: `app.register(fastifyPlugin({ path: '/webhooks', … }))`. */
export function fastifyPlugin(
  options: ReceiverOptions & { path: string },
): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    // In a scope of its own, so that other routes keep their parser.
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    scope.post(options.path, async ({ body, headers }, reply) => {
      const { status, error } = await receive(options, { body: body as Uint8Array, headers })
      return reply.code(status).send(error?.toJSON())
    })
  }
}

interface Arrived {
  /** Undefined where it was larger than the limit. */
  body: string | Uint8Array | undefined
  headers: WebhookHeaders
}

/** The status of the response, and the error to respond with; errors of `onEvent` are thrown. */
async function receive(
  options: ReceiverOptions,
  { body, headers }: Arrived,
): Promise<{ status: number; error?: CrierError }> {
  const { secret, onEvent, tolerance, slug = defaultSlug } = options
  if (body === undefined) {
    const message = 'The body is larger than this receiver takes.'
    return { status: 413, error: new CrierError({ code: 'too_large', message }) }
  }
  let event: CrierEvent
  try {
    event = await verifyWebhook({
      body,
      headers,
      secret: typeof secret === 'function' ? secret() : secret,
      slug,
      ...(tolerance !== undefined && { tolerance }),
    })
  } catch (error) {
    if (!(error instanceof CrierError)) throw error
    // A mistake of this program is not the sender's, and is delivered again once it is mended.
    const isOurs = error.code === 'secret_invalid' || error.code === 'body_parsed'
    if (isOurs) throw error
    return { status: 400, error }
  }
  await onEvent(event, { deliveryId: readHeaders(headers, slug).delivery })
  return { status: 204 }
}

async function bytesOf(
  stream: AsyncIterable<Uint8Array> | null,
  { limit = 1_000_000 }: ReceiverOptions,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream ?? []) {
    length += chunk.length
    if (length > limit) return undefined
    chunks.push(chunk)
  }
  return joined(chunks)
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

function signedBytes(timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  return joined([encoder.encode(`${timestamp}.`), bytes])
}

/** The whole secret with `whsec_`, as bytes: no part of it is decoded (contract 10.3). */
function keyOf(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign', 'verify'])
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hex.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [])
}
