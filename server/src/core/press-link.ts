/**
 * Links in owners' mails whose page has one button, which pauses or stops something without a sign-in. The
 * link is the person's own: what it does is checked against the rights that they have when they press.
 */
import type { Vault } from '../lib/crypto/vault.ts'
import { days, later } from '../lib/time/clock.ts'
import type { Id } from './ids.ts'
import { createSealedLinks, type SealedLinks } from './sealed-link.ts'

export type PressAct = 'mandate.pause' | 'webhook.pause' | 'sending.stop'

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

/** The link that stops all sending of a business; every mail to owners about an app has it. */
export function stopLink(
  deps: Parameters<typeof pressUrl>[0],
  {
    business,
    user,
    language,
  }: Pick<Press, 'business' | 'user'> & { language: keyof typeof stopAll },
): { label: string; url: string } {
  const press = { act: 'sending.stop', business, object: business, user } as const
  return { label: stopAll[language], url: pressUrl(deps, press) }
}

/** What the red button is called in mails, by their language. */
export const stopAll = {
  en: 'Stop all sending',
  de: 'Gesamten Versand anhalten',
  fr: 'Arrêter tous les envois',
} as const

export function pressUrl(
  { vault, appUrl, now }: { vault: Pick<Vault, 'seal' | 'open'>; appUrl: string; now: Date },
  press: Press,
): string {
  return `${appUrl}/press/${pressLinks(vault).make(press, later(now, validMs))}`
}
