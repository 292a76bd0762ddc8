/**
 * Prepares messages for tracking and stores their links before they are sent. The files, in the order
 * in which a reader needs them: `track-mail.ts` adds what produces feedback, `links.ts` finds and
 * replaces links, `tokens.ts` names the message in them, `keep-links.ts` stores them; `clicks.ts` and
 * `opens.ts` record visits, which `visitor.ts` and `machine-visits.ts` judge.
 */

import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import type { Id } from '../core/ids.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Db } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'
import { createLinkKeeper } from './keep-links.ts'
import type { Link } from './links.ts'
import { preferencesUrl, type ToTrack, type Tracked, trackMail, viewUrl } from './track-mail.ts'

export interface Tracking {
  /** The preferences page of a recipient of marketing, for templates that link to it themselves. */
  preferencesUrl(mail: Omit<ToTrack, 'rendered'>): string | undefined
  /** The page that shows the mail in a browser. */
  viewUrl(mail: Omit<ToTrack, 'rendered'>): string | undefined
  /** The links are stored when it returns. */
  prepare(db: Db, mail: ToTrack): Promise<Tracked>
  /** Stores links that were prepared elsewhere. They are stored when it returns. */
  keep(db: Db, businessId: Id<'business'>, links: readonly Link[]): Promise<void>
}

export interface TrackingDeps {
  vault: Pick<Vault, 'hmac'>
  clock: Clock
  config: { baseUrl: string }
  senderProfileOf: ReadSenderProfile
}

export function createTracking(deps: TrackingDeps): Tracking {
  const { vault, clock, config, senderProfileOf } = deps
  const keepLinks = createLinkKeeper()
  const by = { vault, baseUrl: config.baseUrl, installation: installationOf(vault) }
  const keep: Tracking['keep'] = (db, businessId, links) =>
    keepLinks(db, businessId, links, clock.now())

  return {
    preferencesUrl: (mail) => preferencesUrl(by, mail),
    viewUrl: (mail) => viewUrl(by, mail),
    async prepare(db, mail) {
      const senderProfile = await senderProfileOf(mail.businessId)
      if (!senderProfile) throw new Error('a message of a business that is not there')
      const { links, ...tracked } = trackMail(by, senderProfile, mail)
      if (links.length > 0) await keep(db, mail.businessId, links)
      return tracked
    },
    keep,
  }
}

/** Equal in all mail of this installation, and different in every other installation. */
export function installationOf(vault: Pick<Vault, 'hmac'>): string {
  return vault.hmac('feedback-id', '').toString('hex').slice(0, 8)
}
