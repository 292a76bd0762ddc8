/**
 * Clients that do not register. Their client id is the https URL of a document that contains the
 * data of a registration (draft-ietf-oauth-client-id-metadata-document).
 */

import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { readJson } from '../../core/json.ts'
import { setNewest } from '../../lib/concurrency/set-newest.ts'
import type { Db } from '../../lib/db/types.ts'
import { networkOf } from '../../lib/rate-limit/attempts.ts'
import { days, later, minutes } from '../../lib/time/clock.ts'
import { type Client, clientName, redirectCountLimit, unknownClient } from './client.ts'
import { findClient, type NewClient, saveDocumentClient } from './client-queries.ts'
import { redirectLimit } from './redirect-uri.ts'

export interface FetchedDocument {
  status: number
  headers: Headers
  body: string
}

/**
 * Fetches a URL that a stranger named. It must refuse addresses that are not public, follow no
 * redirects, and throw if a limit is exceeded.
 */
export type FetchDocument = (
  url: string,
  limits: { bytes: number; milliseconds: number },
) => Promise<FetchedDocument>

export interface ClientDocuments {
  /** Whether a client id is the URL of a document. */
  isDocumentId(id: string): boolean
  /** Reads the client from its document, fetching it again once the cached one is stale. */
  read(id: string, asking: DocumentReader): Promise<Client | Refusal>
}

/** The caller for whom the document is fetched. The caller has not been identified yet. */
export interface DocumentReader {
  /** The caller's network address, for the rate limit. */
  from: string
  now: Date
}

export interface ClientDocumentsDeps {
  db: Db
  fetchDocument: FetchDocument
  /** Counts a fetch made for an address. Refuses if there were too many. */
  limitFetches(address: string, now: Date): Promise<Refusal | undefined>
}

/** Section 6.6 of the draft advises 5 kB. */
const limits = { bytes: 10_240, milliseconds: 5_000 }
/** The most fetches that one process runs at once. Each may take as long as its limit. */
const mostFetches = 16
/** How long a fault is cached, and for how many documents. */
const faultKept = { milliseconds: minutes(1), documents: 1_000 }
/**
 * Freshness by the rules of HTTP, within bounds: a document is not fetched at every request, and
 * not cached for ever.
 */
const freshness = { least: minutes(5), unsaid: minutes(60), most: days(1) }

export function createClientDocuments(deps: ClientDocumentsDeps): ClientDocuments {
  const { db, fetchDocument, limitFetches } = deps
  const looking = new Map<string, Promise<Client | Refusal>>()
  const fetching = new Map<string, Promise<Client | Refusal>>()
  const faults = new Map<string, { refusal: Refusal; until: Date }>()

  async function readAfresh(id: string, now: Date): Promise<Client | Refusal> {
    const fetched = await fetchDocument(id, limits).catch(() => undefined)
    if (fetched?.status !== 200) {
      return unreadable(fetched ? `answered ${fetched.status}` : 'could not be fetched')
    }
    const client = describedClient(id, fetched.body)
    if (typeof client === 'string') return unreadable(client)
    const expiresAt = later(now, freshFor(fetched.headers))
    const saved = await saveDocumentClient(db, client, expiresAt, now)
    return saved ? client : unknownClient()
  }

  /** Fetches a document once for all callers who wait for it. */
  function fetchOnce(id: string, now: Date): Promise<Client | Refusal> {
    const running = fetching.get(id)
    if (running) return running
    if (fetching.size >= mostFetches) return Promise.resolve(busy())
    const fetched = readAfresh(id, now)
      .then((client) => {
        if (isRefusal(client)) {
          const until = later(now, faultKept.milliseconds)
          setNewest(faults, [id, { refusal: client, until }], faultKept.documents)
        }
        return client
      })
      .finally(() => fetching.delete(id))
    fetching.set(id, fetched)
    return fetched
  }

  async function readOnce(id: string, { from, now }: DocumentReader): Promise<Client | Refusal> {
    const existing = await findClient(db, id)
    if (existing?.documentExpiresAt && existing.documentExpiresAt > now) return existing
    const fault = faults.get(id)
    if (fault && fault.until > now) return fault.refusal
    if (!fetching.has(id)) {
      // Checked before the fetch is counted: a caller who is refused here causes no fetch.
      if (fetching.size >= mostFetches) return busy()
      const tooMany = await limitFetches(from, now)
      if (tooMany) return tooMany
    }
    return fetchOnce(id, now)
  }

  return {
    isDocumentId,
    read(id, asking) {
      // Simultaneous requests from one network for one document share a fetch and are counted once.
      // Other networks do not share it, so that a network past its limit cannot refuse the others.
      const key = `${networkOf(asking.from)} ${id}`
      const running = looking.get(key) ?? readOnce(id, asking).finally(() => looking.delete(key))
      looking.set(key, running)
      return running
    },
  }
}

function busy(): Refusal {
  const text = 'Too many metadata documents of clients are being fetched just now. Try again.'
  return refuse('unavailable', text, { retryAfter: 5 })
}

/** Section 3: https, a path, no dot segments, no fragment, no user name. A query is refused too. */
function isDocumentId(id: string): boolean {
  const url = URL.parse(id)
  return (
    url !== null &&
    url.href === id &&
    id.length <= redirectLimit &&
    url.protocol === 'https:' &&
    url.pathname !== '/' &&
    !/[?#]/.test(id) &&
    !url.username &&
    !url.password
  )
}

/** The client that a document describes, or the fault of the document. */
function describedClient(id: string, text: string): NewClient | string {
  const parsed = readJson(text)
  if (!parsed) return 'is not JSON'
  // It could mean one thing here, and another to a person who reviews the document.
  if (isRefusal(parsed)) return 'has a name twice, or a number that JSON readers change'
  const document = (parsed.value ?? {}) as Record<string, unknown>
  // Section 4.1: the id must equal the URL exactly, or anyone could describe another client.
  if (document['client_id'] !== id) return 'names another client_id than its own URL'
  const method = document['token_endpoint_auth_method'] ?? 'none'
  if (method !== 'none' || 'client_secret' in document) return 'asks for a client secret'
  const redirects = document['redirect_uris']
  if (!Array.isArray(redirects) || redirects.length === 0) return 'has no redirect_uris'
  if (redirects.length > redirectCountLimit) {
    return `has more than ${redirectCountLimit} redirect_uris`
  }
  if (!redirects.every((uri) => typeof uri === 'string' && !uri.includes('\0'))) {
    return 'has redirect_uris that are not strings'
  }
  const name = clientName(document['client_name'], new URL(id).hostname)
  if (isRefusal(name)) return 'has a client_name that cannot be shown'
  const grantTypes = ['authorization_code', 'refresh_token']
  return { id, name, redirectUris: redirects, grantTypes }
}

/** RFC 9111 section 5.2.2, as far as a private cache of one document needs it. */
function freshFor(headers: Headers): number {
  const control = headers.get('cache-control') ?? ''
  if (/\bno-(store|cache)\b/i.test(control)) return freshness.least
  const age = /\bmax-age="?(\d{1,9})/i.exec(control)?.[1]
  const maxAge = age === undefined ? freshness.unsaid : Number(age) * 1000
  return Math.min(Math.max(maxAge, freshness.least), freshness.most)
}

function unreadable(fault: string): Refusal {
  const text = `The client's metadata document ${fault}. Its publisher can mend that.`
  return refuse('invalid_client', text, { field: 'client_id' })
}
