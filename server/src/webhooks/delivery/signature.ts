/** Headers and signature of a delivery, to the contract's letter ("Planned delivery", "Signature"). */
import { createHmac, type KeyObject } from 'node:crypto'
import { formatId, type Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'

export interface ToSign {
  /** The first part of the headers' names. */
  slug: string
  id: Id<'delivery'>
  type: EventTypeName
  /** The event's own bytes. */
  body: string
  /** Of the secrets that sign now, the newest first; more than one only in a grace period. */
  keys: readonly KeyObject[]
  at: Date
}

export function deliveryHeaders({ slug, id, type, body, keys, at }: ToSign) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = keys.map((key) => `v1=${hmacOf(key, `${timestamp}.${body}`)}`)
  return {
    'content-type': 'application/json',
    'user-agent': 'Crier-Webhooks/1',
    [`x-${slug}-event`]: type,
    [`x-${slug}-delivery`]: formatId('delivery', id),
    [`x-${slug}-timestamp`]: timestamp,
    [`x-${slug}-signature`]: [`t=${timestamp}`, ...signatures].join(','),
  }
}

/** The key is the whole secret as bytes, its prefix included, not decoded. */
function hmacOf(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}
