/** Statements on registered clients. */

import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Client } from './client.ts'

export interface NewClient extends Client {
  grantTypes: string[]
}

export interface StoredClient extends Client {
  /** For a client with a document: when the document must be fetched again. */
  documentExpiresAt: Date | null
}

/** Finds the client, unless it is unknown or disabled. */
export function findClient(db: Db, id: string): Promise<StoredClient | undefined> {
  return db.maybe<StoredClient>(sql`
    select id, name, redirect_uris as "redirectUris", document_expires_at as "documentExpiresAt"
    from oauth_clients
    where id = ${id} and disabled_at is null
  `)
}

export async function insertClient(db: Db, client: NewClient, now: Date): Promise<void> {
  await db.run(sql`
    insert into oauth_clients (id, kind, name, redirect_uris, grant_types, created_at)
    values (${client.id}, 'dynamic', ${client.name}, ${client.redirectUris},
      ${client.grantTypes}, ${now})
  `)
}

/** Stores a client's document. Returns false if the operator disabled that client. */
export async function saveDocumentClient(
  db: Db,
  client: NewClient,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  const saved = await db.run(sql`
    insert into oauth_clients
      (id, kind, name, redirect_uris, grant_types, created_at, document_expires_at)
    values (${client.id}, 'document', ${client.name}, ${client.redirectUris},
      ${client.grantTypes}, ${now}, ${expiresAt})
    on conflict (id) do update set
      name = excluded.name,
      redirect_uris = excluded.redirect_uris,
      document_expires_at = excluded.document_expires_at
    where oauth_clients.disabled_at is null
  `)
  return saved === 1
}
