/** Statements about magic links. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { LinkPurpose, LinkRequest, MagicLink } from './magic-link.ts'

export interface NewLink {
  id: Id<'link'>
  tokenHash: Buffer
  purpose: LinkPurpose
  email: string | null
  request: LinkRequest
  browserHash: Buffer | null
  shortCodeHash: Buffer | null
  now: Date
  expiresAt: Date
}

export function insertLink(db: Db, link: NewLink): Promise<number> {
  return db.run(sql`
    insert into magic_links (id, token_hash, purpose, email, request, browser_hash,
      short_code_hash, created_at, expires_at)
    values (${link.id}, ${link.tokenHash}, ${link.purpose}, ${link.email},
      ${JSON.stringify(link.request)}::jsonb, ${link.browserHash},
      ${link.shortCodeHash}, ${link.now}, ${link.expiresAt})
  `)
}

export function findLink(db: Db, tokenHash: Buffer): Promise<MagicLink | undefined> {
  return db.maybe(sql`
    select id, purpose, email, request, browser_hash as "browserHash",
      short_code_hash as "shortCodeHash", created_at as "createdAt",
      expires_at as "expiresAt", used_at as "usedAt"
    from magic_links where token_hash = ${tokenHash}
  `)
}

export function findLinkById(db: Db, id: Id<'link'>): Promise<MagicLink | undefined> {
  return db.maybe(sql`
    select id, purpose, email, request, browser_hash as "browserHash",
      short_code_hash as "shortCodeHash", created_at as "createdAt",
      expires_at as "expiresAt", used_at as "usedAt"
    from magic_links where id = ${id}
  `)
}

/** Uses the link up: of several simultaneous requests, exactly one gets the row. */
export function consumeLink(db: Db, tokenHash: Buffer, now: Date): Promise<MagicLink | undefined> {
  return db.maybe(sql`
    update magic_links set used_at = ${now}
    where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
    returning id, purpose, email, request, browser_hash as "browserHash",
      short_code_hash as "shortCodeHash", created_at as "createdAt",
      expires_at as "expiresAt", used_at as "usedAt"
  `)
}

/**
 * Counts a try before the code is compared, so that parallel requests get no more tries than
 * sequential ones.
 */
export function countShortCodeTry(
  db: Db,
  id: Id<'link'>,
  limit: number,
): Promise<{ shortCodeHash: Buffer } | undefined> {
  return db.maybe(sql`
    update magic_links set short_code_tries = short_code_tries + 1
    where id = ${id} and short_code_tries < ${limit} and short_code_hash is not null
    returning short_code_hash as "shortCodeHash"
  `)
}

export function findLiveSetupLink(db: Db, now: Date): Promise<{ id: Id<'link'> } | undefined> {
  return db.maybe(sql`
    select id from magic_links
    where purpose = 'setup' and used_at is null and expires_at > ${now}
  `)
}

export function prolongLink(db: Db, id: Id<'link'>, expiresAt: Date): Promise<number> {
  return db.run(sql`update magic_links set expires_at = ${expiresAt} where id = ${id}`)
}

export function deleteLinks(db: Db, expiredBefore: Date): Promise<number> {
  return db.run(sql`delete from magic_links where expires_at < ${expiredBefore}`)
}
