/**
 * Asking for a magic link. Whether the address is known is decided when the mail is
 * rendered, so that this answer is the same for everyone, and takes the same time.
 */

import { randomInt } from 'node:crypto'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import { sha256, type Vault } from '../../lib/crypto/vault.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { countAttempt, networkOf } from '../../lib/rate-limit/attempts.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { hashOf, type LinkRequest, linkLifetime, tokenOf } from './magic-link.ts'
import { insertLink } from './magic-link-queries.ts'
import { shortCodeHash } from './short-code.ts'

/** Has the mail of a link sent soon; the row it queues commits with the link. */
export interface SignInMailer {
  queue(tx: Tx, linkId: Id<'link'>): Promise<void>
}

export interface AskLinkDeps {
  db: Database
  vault: Vault
  signInMailer: SignInMailer
}

export interface LinkAsked {
  purpose: 'connect' | 'session'
  /** As it was typed. */
  email: string
  request: LinkRequest
  /** The cookie of the browser that asks. */
  browser: string
  /** Whether another browser must prove that it belongs to the one who asked. */
  guarded: boolean
  /** The caller's network address, for the limit. */
  from: string
  now: Date
}

/** The address as understood, and the code to show where the link is guarded. */
export interface LinkQueued {
  email: string
  shortCode: string | undefined
}

/**
 * Mail anyone can make us send is worth limiting: to one mailbox, and from one network. To one
 * mailbox from one network the least, so that a stranger who asks for somebody's mail does not
 * keep them from signing in. All of it counts alike for addresses that are known and unknown.
 */
const perAddressAndNetwork = 5
const perAddress = 20
const perNetwork = 30
const windowMs = minutes(15)

export async function askForLink(
  deps: AskLinkDeps,
  asked: LinkAsked,
): Promise<LinkQueued | Refusal> {
  const { now } = asked
  const email = normaliseEmail(asked.email)
  if (isRefusal(email)) return email
  const tooMany = await overLimit(deps, { email, from: asked.from, now })
  if (tooMany) return tooMany

  const id = newId('link')
  const shortCode = asked.guarded ? newShortCode() : undefined
  await deps.db.tx(async (tx) => {
    await insertLink(tx, {
      id,
      tokenHash: hashOf(tokenOf(deps.vault, id)),
      purpose: asked.purpose,
      email,
      request: asked.request,
      browserHash: sha256(asked.browser),
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
  asked: { email: string; from: string; now: Date },
): Promise<Refusal | undefined> {
  const { email, now } = asked
  const network = networkOf(asked.from)
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
