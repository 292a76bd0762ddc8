/** The content of the confirmation page, and the action of its button. */
import type { SenderProfile } from '../accounts/businesses/business.ts'
import type { ReadSenderProfile } from '../accounts/businesses/sender-profile.ts'
import {
  confirmationOf as askedBy,
  type ConfirmationState,
  confirmConsent,
  stateOf,
} from '../contacts/consent/confirm.ts'
import { readContact } from '../contacts/find.ts'
import { refuse } from '../core/errors.ts'
import { chooseLanguage, type RecipientLanguage } from '../core/recipient-words/languages.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import type { Database } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Visit } from '../tracking/visitor.ts'
import { type NamedConfirmation, readConfirmationToken } from './confirmation-link.ts'

export interface ConfirmationPageDeps {
  db: Database
  clock: Clock
  vault: Pick<Vault, 'hmac'>
  senderProfileOf: ReadSenderProfile
}

export interface ConfirmationShown extends Pick<SenderProfile, 'colour' | 'look'> {
  business: string
  language: RecipientLanguage
  state: ConfirmationState
}

const agentLength = 500

/** Returns the state for the page. `pressed` is the visit in which the button was pressed. */
export async function confirmationOf(
  deps: ConfirmationPageDeps,
  token: string,
  pressed?: Visit,
): Promise<ConfirmationShown> {
  const named = readConfirmationToken(deps.vault, token)
  const profile = named && (await deps.senderProfileOf(named.businessId))
  if (!named || !profile) {
    const text =
      'It may have been cut off when it was copied: open the mail again and press its button.'
    throw refuse('not_found', text)
  }
  const language = await languageOf(deps, named, profile.language)
  const state = pressed ? await press(deps, named, pressed) : await look(deps, named)
  const { name, colour = null, look: pageLook } = profile
  return { business: name, language, state, colour, ...(pageLook && { look: pageLook }) }
}

async function languageOf(
  { db }: ConfirmationPageDeps,
  { businessId, id }: NamedConfirmation,
  ofBusiness: string | null,
): Promise<RecipientLanguage> {
  const requester = await askedBy(db, { businessId, id })
  const contact = requester && (await readContact(db, businessId, requester.contactId))
  return chooseLanguage(contact?.language, requester?.language, ofBusiness)
}

async function look(
  { db, clock }: ConfirmationPageDeps,
  { businessId, id }: NamedConfirmation,
): Promise<ConfirmationState> {
  const requester = await askedBy(db, { businessId, id })
  return requester ? stateOf(requester, clock.now()) : 'expired'
}

function press(
  { db, clock, vault }: ConfirmationPageDeps,
  named: NamedConfirmation,
  { address, agent }: Visit,
): Promise<ConfirmationState> {
  const evidence = { at: clock.now(), ip: address, agent: agent?.slice(0, agentLength) ?? null }
  return db.tx((tx) => confirmConsent(tx, vault.hmac, named, evidence))
}
