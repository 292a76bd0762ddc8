/**
 * Clients that never register: the client id is the https URL of a document that says
 * what a registration would (draft-ietf-oauth-client-id-metadata-document).
 */
import { days, later, minutes } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import { isRefusal, type Refusal, refuse } from '../platform/errors.ts'
import { type Client, clientName, redirectCountLimit, unknownClient } from './client.ts'
import { findClient, type NewClient, saveDocumentClient } from './client-queries.ts'
import { redirectLimit } from './redirect-uri.ts'

export interface FetchedDocument {
  status: number
  headers: Headers
  body: string
}

/**
 * Fetches what a stranger named: it must refuse addresses that are not public, follow no
 * redirect, and throw past the limits.
 */
export type FetchDocument = (
  url: string,
  limits: { bytes: number; milliseconds: number },
) => Promise<FetchedDocument>

export interface ClientDocuments {
  /** Whether a client id is of this kind at all. */
  isDocumentId(id: string): boolean
  /** The client as its document describes it, read again when that has gone stale. */
  read(id: string, now: Date): Promise<Client | Refusal>
}

/** Section 6.6 of the draft advises 5 kB. */
const limits = { bytes: 10_240, milliseconds: 5_000 }
/** HTTP's own rules, within bounds: not at every request, and not for ever. */
const freshness = { least: minutes(5), unsaid: minutes(60), most: days(1) }

export function createClientDocuments(db: Db, fetchDocument: FetchDocument): ClientDocuments {
  const reading = new Map<string, Promise<Client | Refusal>>()

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

  async function readOnce(id: string, now: Date): Promise<Client | Refusal> {
    const known = await findClient(db, id)
    if (known?.documentExpiresAt && known.documentExpiresAt > now) return known
    return readAfresh(id, now)
  }

  return {
    isDocumentId,
    read(id, now) {
      // Requests for one document at a time share one look and one fetch, so that none
      // that looked before the fetch goes on to a second one after it. Faults are not kept,
      // as the draft demands: what is mended is seen at once.
      const running = reading.get(id) ?? readOnce(id, now).finally(() => reading.delete(id))
      reading.set(id, running)
      return running
    },
  }
}

/** Section 3: https, a path, no dot segments, no fragment, no user name; and no query here. */
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

/** The client a document describes, or what is wrong with the document. */
function describedClient(id: string, text: string): NewClient | string {
  let document: Record<string, unknown>
  try {
    document = JSON.parse(text) ?? {}
  } catch {
    return 'is not JSON'
  }
  // Section 4.1: equal to the letter, or anyone could describe anyone's client.
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
  const asked = age === undefined ? freshness.unsaid : Number(age) * 1000
  return Math.min(Math.max(asked, freshness.least), freshness.most)
}

function unreadable(fault: string): Refusal {
  const text = `The client's metadata document ${fault}. Its publisher can mend that.`
  return refuse('invalid_client', text, { field: 'client_id' })
}
