/** Following a magic link: looking at it changes nothing, and it can be used once. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { sameBytes, sha256, type Vault } from '../../lib/crypto/vault.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { hashOf, type MagicLink } from './magic-link.ts'
import { consumeLink, findLink } from './magic-link-queries.ts'
import { checkShortCode } from './short-code.ts'

/** Reads a link, and refuses one that cannot be used now. */
export async function readLink(db: Db, token: string, now: Date): Promise<MagicLink> {
  const link = await findLink(db, hashOf(token))
  if (!link) {
    const text = 'There is no such link. Copy the whole link from the mail, or request a new one.'
    throw refuse('not_found', text, { data: { reason: 'no_link' }, fix: { url: '/login' } })
  }
  const unusable = whyUnusable(link, now)
  if (unusable) throw unusable
  return link
}

function whyUnusable(link: MagicLink, now: Date): Refusal | undefined {
  const again = howToGoOn[link.purpose]
  const fix = link.purpose === 'session' && { fix: { url: '/login' } }
  if (link.usedAt) {
    const data = { reason: `link_used${suffixOf(link)}` }
    return refuse('gone', `This link has already been used. ${again}`, { data, ...fix })
  }
  if (link.expiresAt <= now) {
    const data = { reason: `link_expired${suffixOf(link)}` }
    return refuse('gone', `This link has expired. ${again}`, { data, ...fix })
  }
  return undefined
}

/** How to go on differs for who connects an app. */
const suffixOf = ({ purpose }: MagicLink) => (purpose === 'connect' ? '_in_app' : '')

const howToGoOn: Record<MagicLink['purpose'], string> = {
  connect: 'Start again in the app.',
  session: 'Ask for a new one.',
  setup: 'On the machine that runs Crier, crier setup-link prints a new one.',
}

export function isFromBrowser(link: MagicLink, browser: string | undefined): boolean {
  return (
    browser !== undefined &&
    link.browserHash !== null &&
    sameBytes(sha256(browser), link.browserHash)
  )
}

/**
 * The proof that the link may be used here: the cookie of the requesting browser, or a press of
 * the button, with the code where one is required.
 */
export interface LinkUse {
  token: string
  browser: string | undefined
  pressed: { code: string } | undefined
  now: Date
}

/**
 * Uses the link up and runs `work` in the same transaction; if `work` refuses, the link stays
 * unused.
 */
export async function useLink<T>(
  deps: { db: Database; vault: Vault },
  use: LinkUse,
  work: (tx: Tx, link: MagicLink) => Promise<T>,
): Promise<T> {
  const link = await readLink(deps.db, use.token, use.now)
  if (!isFromBrowser(link, use.browser)) {
    if (!use.pressed)
      throw refuse('access_denied', 'This link was requested in another browser.', {
        data: { reason: 'other_browser' },
      })
    const wrong = await checkShortCode(deps, link, use.pressed.code)
    if (wrong) throw wrong
  }
  return deps.db.tx(async (tx) => {
    const consumed = await consumeLink(tx, hashOf(use.token), use.now)
    if (consumed) return work(tx, consumed)
    await readLink(tx, use.token, use.now)
    throw refuse('conflict', 'This link is being used. Try again.', {
      data: { reason: 'changed_meanwhile' },
    })
  })
}
