/**
 * Links in owners' mails whose page has one button, which pauses something without a sign-in. The
 * link is the person's own: what it does is checked against the rights that they have when they press.
 */
import type { Vault } from '../lib/crypto/vault.ts'
import { days, later } from '../lib/time/clock.ts'
import type { Id } from './ids.ts'
import { createSealedLinks, type SealedLinks } from './sealed-link.ts'

export type PressAct = 'mandate.pause' | 'webhook.pause'

export interface Press {
  act: PressAct
  /** Public ids, as operations take them. */
  business: string
  object: string
  user: Id<'user'>
}

const validMs = days(30)

export const pressLinks = (vault: Pick<Vault, 'seal' | 'open'>): SealedLinks<Press> =>
  createSealedLinks<Press>(vault, 'press')

export function pressUrl(
  { vault, appUrl, now }: { vault: Pick<Vault, 'seal' | 'open'>; appUrl: string; now: Date },
  press: Press,
): string {
  return `${appUrl}/press/${pressLinks(vault).make(press, later(now, validMs))}`
}
