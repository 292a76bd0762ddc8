/** Receives a file at the upload address of an import. Anyone who has the address may send it. */

import { refuse } from '../../core/errors.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { hours, later } from '../../lib/time/clock.ts'
import type { ErrorsLink } from '../model/errors-link.ts'
import { type Import, importLimits } from '../model/import.ts'
import { beginUpload, findImport, findSameFile } from '../model/rows.ts'
import { sameFile } from '../model/same-file.ts'
import { readUploadKey } from '../model/upload-key.ts'
import { fieldsOf } from '../model/view.ts'
import { type StoreDeps, storeFile } from './store.ts'

export async function receiveFile(
  deps: StoreDeps & { hmac: Hmac },
  key: string,
  source: AsyncIterable<Uint8Array>,
): Promise<object> {
  const { db, clock, hmac } = deps
  const importKey = readUploadKey(hmac, key)
  if (!importKey) throw refuse('not_found', 'This upload address is unknown.')
  const { businessId, id } = importKey
  const since = later(clock.now(), -hours(importLimits.uploadHours))
  const upload = await beginUpload(db, businessId, { id, since })
  if (!upload) {
    const text =
      'This upload link is no longer valid: it was used already, or has expired. import.create gives a new one.'
    throw refuse('gone', text)
  }
  const importRow = await storeFile(deps, { ...upload, businessId }, source)
  const { sha256 } = importRow
  const same = sha256 && (await findSameFile(db, businessId, { id, sha256 }))
  return { ...fieldsOf(importRow, { whole: false }), ...sameFile(same ?? undefined) }
}

export function findImportOf(
  db: Db,
  { business_id, import_id }: ErrorsLink,
): Promise<Import | undefined> {
  return findImport(db, business_id, import_id)
}
