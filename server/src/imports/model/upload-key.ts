/** The upload address of a file. It names the import and proves that this service issued it. */

import { timingSafeEqual } from 'node:crypto'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'

interface ImportKey {
  businessId: Id<'business'>
  id: Id<'import'>
}

const proofOf = (hmac: Hmac, { businessId, id }: ImportKey) =>
  hmac('import-upload', `${businessId} ${id}`)

export function uploadKey(hmac: Hmac, key: ImportKey): string {
  const ids = `${formatId('business', key.businessId)}.${formatId('import', key.id)}`
  return `${ids}.${proofOf(hmac, key).toString('base64url')}`
}

export function readUploadKey(hmac: Hmac, key: string): ImportKey | undefined {
  const [business = '', upload = '', proof = '', ...rest] = key.split('.', 4)
  const [businessId, id] = [parseId('business', business), parseId('import', upload)]
  if (!businessId || !id || rest.length > 0) return undefined
  const expected = Buffer.from(proofOf(hmac, { businessId, id }).toString('base64url'))
  const received = Buffer.from(proof)
  return received.length === expected.length && timingSafeEqual(received, expected)
    ? { businessId, id }
    : undefined
}
