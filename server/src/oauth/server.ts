/** The authorization server put together, once per process. */
import type { Config } from '../config.ts'
import type { Database } from '../platform/db.ts'
import type { Vault } from '../platform/vault.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { type Addresses, addressesOf } from './addresses.ts'
import {
  type ClientDocuments,
  createClientDocuments,
  type FetchDocument,
} from './client-documents.ts'
import { documentLimit } from './document-limit.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'
import { createRedirects, type Redirects } from './redirects.ts'

export interface OAuth {
  db: Database
  addresses: Addresses
  redirects: Redirects
  /** Absent where clients must register. */
  documents: ClientDocuments | undefined
  ring: KeyRing
  accessTokens: AccessTokens
  endOnReuse: boolean
  refreshesPerHour: number
}

export interface OAuthParts {
  db: Database
  vault: Vault
  config: Pick<
    Config,
    | 'baseUrl'
    | 'appUrl'
    | 'gatewayUrl'
    | 'slug'
    | 'allowedRedirects'
    | 'clientDocuments'
    | 'endOnReuse'
    | 'refreshesPerHour'
  >
  fetchDocument: FetchDocument
}

export function createOAuth({ db, vault, config, fetchDocument }: OAuthParts): OAuth {
  const addresses = addressesOf(config)
  const ring = createKeyRing(db, vault)
  return {
    db,
    addresses,
    redirects: createRedirects(db, config.allowedRedirects),
    documents: config.clientDocuments
      ? createClientDocuments({ db, fetchDocument, limitFetches: documentLimit(db, vault) })
      : undefined,
    ring,
    accessTokens: createAccessTokens({ ring, addresses }),
    endOnReuse: config.endOnReuse,
    refreshesPerHour: config.refreshesPerHour,
  }
}
