/** Builds the authorization server, once per process. */

import type { Config } from '../config.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import {
  type ClientDocuments,
  createClientDocuments,
  type FetchDocument,
} from './clients/client-documents.ts'
import { documentLimit } from './clients/document-limit.ts'
import { createRedirects, type Redirects } from './clients/redirects.ts'
import { createKeyRing, type KeyRing } from './keys/key-ring.ts'
import { type Addresses, addressesOf } from './model/addresses.ts'
import { type AccessTokens, createAccessTokens } from './token/access-tokens.ts'

export interface OAuth {
  db: Database
  addresses: Addresses
  redirects: Redirects
  /** Absent if clients must register. */
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
