/**
 * A sign-in link that the operator gives to a person whose mail does not arrive. Anyone who can
 * read the database's secret could make one anyway; this saves the effort.
 */

import { randomBytes } from 'node:crypto'
import { orThrow, refuse } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { sha256, type Vault } from '../../lib/crypto/vault.ts'
import type { Database } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { later } from '../../lib/time/clock.ts'
import { type ListedUser, selectUserByEmail, selectUsers } from '../members/user-queries.ts'
import { hashOf, linkLifetime, linkUrl, tokenOf } from './magic-link.ts'
import { insertLink } from './magic-link-queries.ts'

interface Deps {
  db: Database
  vault: Vault
  urls: { baseUrl: string; appUrl: string }
}

export interface OperatorLink {
  email: string
  url: string
  expiresAt: Date
}

export async function linkFromOperator(
  { db, vault, urls }: Deps,
  { email: written, now }: { email: string; now: Date },
): Promise<OperatorLink> {
  const email = orThrow(normaliseEmail(written))
  if (!(await selectUserByEmail(db, email))) {
    throw refuse(
      'not_found',
      `${email} is not a user. See crier users list, or add one with crier users add.`,
    )
  }
  const id = newId('link')
  const token = tokenOf(vault, id)
  const expiresAt = later(now, linkLifetime)
  await insertLink(db, {
    id,
    tokenHash: hashOf(token),
    purpose: 'session',
    email,
    request: { byOperator: true },
    // No browser requested the link, so the browser that opens it shows the page with the button.
    browserHash: sha256(randomBytes(32).toString('base64url')),
    shortCodeHash: null,
    now,
    expiresAt,
  })
  return { email, url: linkUrl(urls, 'session', token), expiresAt }
}

/** Lists every user of the installation, oldest first. */
export function allUsers(db: Database): Promise<ListedUser[]> {
  return selectUsers(db)
}
