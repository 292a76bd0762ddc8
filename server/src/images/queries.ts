/** Every statement on pictures. */

import type { Id } from '../core/ids.ts'
import { highestId } from '../core/paging.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import type { Image, ImageKind } from './image.ts'

const wholeImage = sql`
  id, file, kind, name, alt, width, height, bytes, created_at as "createdAt"
`

export function insertImage(
  tx: Tx,
  businessId: Id<'business'>,
  image: Image & { sha256: Buffer },
): Promise<number> {
  return tx.run(sql`
    insert into images (business_id, id, file, kind, name, alt, width, height, bytes, sha256,
      created_at)
    values (${businessId}, ${image.id}, ${image.file}, ${image.kind}, ${image.name}, ${image.alt},
      ${image.width}, ${image.height}, ${image.bytes}, ${image.sha256}, ${image.createdAt})
    on conflict (business_id, sha256) where deleted_at is null do nothing
  `)
}

export function findSame(
  db: Db,
  businessId: Id<'business'>,
  sha256: Buffer,
): Promise<Image | undefined> {
  return db.maybe(sqlWithin`
    select ${wholeImage} from images
    where business_id = ${businessId} and sha256 = ${sha256} and deleted_at is null
  `)
}

export interface Used {
  images: number
  bytes: number
}

export async function usedBy(db: Db, businessId: Id<'business'>): Promise<Used> {
  const { images, bytes } = await db.one<{ images: number; bytes: string }>(sql`
    select count(*)::integer as images, coalesce(sum(bytes), 0)::text as bytes
    from images where business_id = ${businessId} and deleted_at is null
  `)
  return { images, bytes: Number(bytes) }
}

export function listImages(
  db: Db,
  businessId: Id<'business'>,
  page: { before: Id<'image'> | null; limit: number },
): Promise<Image[]> {
  return db.all(sqlWithin`
    select ${wholeImage} from images
    where business_id = ${businessId} and id < ${page.before ?? highestId}
      and deleted_at is null
    order by id desc limit ${page.limit}
  `)
}

export function lockImage(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'image'>,
): Promise<{ file: string; kind: ImageKind; isDeleted: boolean } | undefined> {
  return tx.maybe(sql`
    select file, kind, deleted_at is not null as "isDeleted" from images
    where business_id = ${businessId} and id = ${id} for update
  `)
}

/** Whether the logo, header or footer of the business's brand shows the file. */
export function isInBrand(tx: Tx, businessId: Id<'business'>, file: string): Promise<boolean> {
  const found = tx.maybe(sql`
    select 1 from businesses
    where id = ${businessId} and position(${file}::text in brand::text) > 0 for key share
  `)
  return found.then((row) => row !== undefined)
}

export function deleteImage(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'image'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update images set name = '', alt = null, deleted_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
}

export function forgetDeleted(tx: Tx, businessId: Id<'business'>, before: Date): Promise<number> {
  return tx.run(sql`
    delete from images where business_id = ${businessId} and deleted_at < ${before}
  `)
}

/** Which of these businesses has the picture. */
export function findOwner(
  db: Db,
  businessIds: readonly Id<'business'>[],
  id: Id<'image'>,
): Promise<{ businessId: Id<'business'> } | undefined> {
  return db.maybe(sql`
    select business_id as "businessId" from images
    where business_id = any(${businessIds}::uuid[]) and id = ${id}
  `)
}

export function filesOf(
  db: Db,
  businesses: readonly Id<'business'>[],
): Promise<{ file: string; kind: ImageKind }[]> {
  return db.all(sql`
    select file, kind from images where business_id = any(${businesses}::uuid[])
  `)
}
