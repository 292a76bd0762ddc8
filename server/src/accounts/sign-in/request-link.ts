/**
 * Requests a magic link. Whether the address is known is decided only when the mail is rendered,
 * so that the answer, and the time it takes, are the same for every address.
 */

import { randomInt } from 'node:crypto'
import { orThrow, type Refusal } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import { sha256, type Vault } from '../../lib/crypto/vault.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { countAttempt, networkOf } from '../../lib/rate-limit/attempts.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { hashOf, type LinkRequest, linkLifetime, tokenOf } from './magic-link.ts'
import { insertLink } from './magic-link-queries.ts'
import { shortCodeHash } from './short-code.ts'

/** Queues the mail of a link; the job commits with the link. */
export interface SignInMailer {
  queue(tx: Tx, linkId: Id<'link'>): Promise<void>
}

export interface AskLinkDeps {
  db: Database
  vault: Vault
  signInMailer: SignInMailer
}

export interface LinkToRequest {
  purpose: 'connect' | 'session'
  /** The address as it was typed. */
  email: string
  request: LinkRequest
  /** The cookie of the browser that requests the link. */
  browser: string
  /** Whether another browser must prove that it belongs to the person who requested the link. */
  guarded: boolean
  /** The network address of the requester, for the rate limit. */
  from: string
  now: Date
}

/** The normalised address, and the code to show if the link is guarded. */
export interface RequestedLink {
  email: string
  shortCode: string | undefined
}

/**
 * Limits on mail that anybody can make the service send: per mailbox and per network. The lowest
 * limit is per mailbox and network together, so that a stranger who requests somebody's mail does
 * not keep them from signing in. Known and unknown addresses count the same.
 */
const perAddressAndNetwork = 5
const perAddress = 20
const perNetwork = 30
const windowMs = minutes(15)

export async function requestLink(
  deps: AskLinkDeps,
  request: LinkToRequest,
): Promise<RequestedLink> {
  const { now } = request
  const email = orThrow(normaliseEmail(request.email))
  const tooMany = await overLimit(deps, { email, from: request.from, now })
  if (tooMany) throw tooMany

  const id = newId('link')
  const shortCode = request.guarded ? newShortCode() : undefined
  await deps.db.tx(async (tx) => {
    await insertLink(tx, {
      id,
      tokenHash: hashOf(tokenOf(deps.vault, id)),
      purpose: request.purpose,
      email,
      request: request.request,
      browserHash: sha256(request.browser),
      shortCodeHash: shortCode === undefined ? null : shortCodeHash(deps.vault, id, shortCode),
      now,
      expiresAt: later(now, linkLifetime),
    })
    await deps.signInMailer.queue(tx, id)
  })
  return { email, shortCode }
}

function newShortCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

async function overLimit(
  deps: AskLinkDeps,
  request: { email: string; from: string; now: Date },
): Promise<Refusal | undefined> {
  const { email, now } = request
  const network = networkOf(request.from)
  const both = `${network} ${email}`
  const limits = [
    { purpose: 'sign-in-mail.both', subject: both, limit: perAddressAndNetwork },
    { purpose: 'sign-in-mail.network', subject: network, limit: perNetwork },
    { purpose: 'sign-in-mail.address', subject: email, limit: perAddress },
  ]
  for (const limit of limits) {
    const refused = await countAttempt(deps.db, deps.vault, { ...limit, windowMs, now })
    if (refused) return refused
  }
  return undefined
}
