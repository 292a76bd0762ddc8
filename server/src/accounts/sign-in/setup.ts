/**
 * Set-up of the first user. The first start prints a link for it; the link is void once a user
 * exists, or after 30 minutes.
 */
import { orThrow, type Refusal, refuse } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { later } from '../../lib/time/clock.ts'
import { createBusiness } from '../businesses/create.ts'
import { anyUser } from '../members/user-queries.ts'
import { setBusiness } from '../settings/settings.ts'
import type { SignedInBrowser } from './listed-session.ts'
import { hashOf, linkUrl, type MagicLink, setupLifetime, tokenOf } from './magic-link.ts'
import { findLiveSetupLink, insertLink, prolongLink } from './magic-link-queries.ts'
import { startSession } from './session.ts'
import { ensureUser } from './sign-up.ts'
import { readLink, useLink } from './use-link.ts'

interface SetupDeps {
  db: Database
  vault: Vault
}

/**
 * The link to print at this start; undefined if the set-up is done. All starts while an earlier
 * link is valid print the same link, which then stays valid for 30 minutes from the last of them.
 */
export function setupLink(
  deps: SetupDeps,
  urls: { baseUrl: string; appUrl: string },
  now: Date,
): Promise<string | undefined> {
  return deps.db.tx(async (tx) => {
    await insertSetup(tx, now)
    if (!(await isOpen(tx))) return undefined
    const expiresAt = later(now, setupLifetime)
    const live = await findLiveSetupLink(tx, now)
    const id = live?.id ?? newId('link')
    const token = tokenOf(deps.vault, id)
    if (live) await prolongLink(tx, id, expiresAt)
    else {
      await insertLink(tx, {
        id,
        tokenHash: hashOf(token),
        purpose: 'setup',
        email: null,
        request: {},
        browserHash: null,
        shortCodeHash: null,
        now,
        expiresAt,
      })
    }
    return linkUrl(urls, 'setup', token)
  })
}

async function isOpen(tx: Tx): Promise<boolean> {
  const { finished } = await lockSetup(tx)
  return !finished && !(await anyUser(tx))
}

/** Checks whether the page of this link may be shown. */
export async function readSetupLink(deps: SetupDeps, token: string, now: Date): Promise<MagicLink> {
  const link = await readLink(deps.db, token, now)
  if (link.purpose !== 'setup') throw foreignLink()
  if (await anyUser(deps.db)) throw setupIsDone()
  return link
}

function foreignLink(): Refusal {
  return refuse('not_found', 'This is not a set-up link.')
}

function setupIsDone(): Refusal {
  const text = 'Set-up is finished: this installation has its first user. Sign in instead.'
  return refuse('gone', text, { fix: { url: '/login' } })
}

interface FirstUser {
  token: string
  email: string
  businessName: string
  /** The postal address that a campaign needs; empty to set it later. */
  postalAddress?: string
  senderEmail?: string
  tier: Tier
  /** As `createBusiness` has it where it is absent. */
  deployLimit?: number | null
  now: Date
  browser?: SignedInBrowser
}

/** Creates the first user with a business; returns the token of a session. */
export async function finishWithFirstUser(deps: SetupDeps, first: FirstUser): Promise<string> {
  const { token, now } = first
  const email = orThrow(normaliseEmail(first.email))
  const use = { token, browser: undefined, pressed: { code: '' }, now }
  return useLink(deps, use, async (tx, link) => {
    if (link.purpose !== 'setup') throw foreignLink()
    if (!(await isOpen(tx))) throw setupIsDone()
    const { user } = await ensureUser(tx, email, now)
    const made = await createBusiness(tx, {
      name: first.businessName,
      ownerId: user.id,
      tier: first.tier,
      ...(first.deployLimit !== undefined && { deployLimit: first.deployLimit }),
      now,
    })
    for (const [key, value] of [
      ['postal_address', first.postalAddress ?? ''],
      ['sender', first.senderEmail ?? ''],
    ] as const) {
      if (value.trim() !== '') await setBusiness(tx, made, { key, value, now })
    }
    await finishSetup(tx, now)
    return startSession(tx, user.id, now, first.browser)
  })
}

interface SetupState {
  finished: boolean
}

/** Creates the row with the state of the set-up, where it is missing. */
function insertSetup(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    insert into installation (key, value, updated_at)
    values ('setup', '{"finished": false}', ${now})
    on conflict (key) do nothing
  `)
}

/**
 * Locks the row until the transaction ends, so that concurrent starts and finishes run one after
 * another.
 */
function lockSetup(db: Db): Promise<SetupState> {
  return db
    .one<{ value: SetupState }>(sql`
      select value from installation where key = 'setup' for update
    `)
    .then((row) => row.value)
}

function finishSetup(db: Db, now: Date): Promise<number> {
  return db.run(sql`
    update installation set value = '{"finished": true}', updated_at = ${now}
    where key = 'setup'
  `)
}
