/**
 * The variables that a template always has. All other names come from the `variables` of the call
 * that sends it.
 */

import type { Filter } from '../contacts/filters/filter.ts'

type Variables = Readonly<Record<string, unknown>>

/** Tells which blocks a recipient sees. Authors cannot use the name. */
export const shownName = 'crier_shown'

export interface Recipient {
  email: string | null
  phone: string | null
  name: string | null
  first_name: string | null
  last_name: string | null
  /** A BCP 47 tag. */
  language: string | null
  attributes: Readonly<Record<string, string | number | boolean>>
  tags: readonly string[]
}

export interface Surroundings {
  /** Undefined if a message is sent to an address without a contact. */
  contact?: Recipient
  business: { name: string; postalAddress: string | null; timeZone: string }
  /** Links of this message, where its recipient unsubscribes and chooses topics. */
  unsubscribeUrl: string
  preferencesUrl: string
  /** Where its recipient sees this mail in a browser. Empty in other messages. */
  viewUrl: string
  /** The keys of the filters of blocks that the recipient fits. */
  shownKeys?: readonly string[]
}

/** Our own names with their meaning, for the docs and for the list of a template's variables. */
export const ownVariables: Record<string, string> = {
  'contact.name': 'the name of the recipient',
  'contact.first_name': 'the first name of the recipient',
  'contact.last_name': 'the last name of the recipient',
  'contact.email': 'the address of the recipient',
  'contact.phone': 'the number of the recipient, in E.164',
  'contact.attributes.KEY': 'an attribute of the recipient',
  'contact.language': 'the language of the recipient, such as pt-BR',
  'contact.tags': 'the tags of the recipient, a list',
  'business.name': 'the name of the business',
  'business.postal_address': 'the postal address of the business',
  'business.time_zone': 'its time zone, in which dates are given',
  unsubscribe_url: 'where the recipient stops all mail of this kind',
  preferences_url: 'where the recipient chooses what to get',
  view_url: 'where the recipient of a marketing mail sees it in a browser',
}

/** Our own variables come last, so a caller's variable cannot pose as our contact or link. */
export function templateVariables(around: Surroundings, variables: Variables = {}): Variables {
  const { contact, business } = around
  return {
    ...variables,
    contact: {
      name: contact?.name ?? null,
      first_name: contact?.first_name ?? null,
      last_name: contact?.last_name ?? null,
      email: contact?.email ?? null,
      phone: contact?.phone ?? null,
      language: contact?.language ?? null,
      attributes: contact?.attributes ?? {},
      tags: contact?.tags ?? [],
    },
    business: {
      name: business.name,
      postal_address: business.postalAddress,
      time_zone: business.timeZone,
    },
    unsubscribe_url: around.unsubscribeUrl,
    preferences_url: around.preferencesUrl,
    view_url: around.viewUrl,
    [shownName]: Object.fromEntries((around.shownKeys ?? []).map((key) => [key, true])),
  }
}

/** The names, of those a template uses, that the sending call has to provide. */
export function neededVariables(names: readonly string[]): string[] {
  return names.filter(
    (name) =>
      !(
        Object.hasOwn(ownVariables, name) ||
        isOfShown(name) ||
        /^contact\.(?:attributes\.|tags\.|tags$)/.test(name)
      ),
  )
}

const isOfShown = (name: string) => name.startsWith(`${shownName}.`)

/** The keys of all filters of the blocks of a template that uses these names. */
export function everyKeyShown(names: readonly string[]): string[] {
  return names.filter(isOfShown).map((name) => name.slice(shownName.length + 1))
}

/** A filter of blocks. */
export interface Condition {
  /** Equal for equal filters. */
  key: string
  filter: Filter
}

/** The bits of the conditions that a recipient fits; `all` for previews. Null: fits none. */
export type ShownBlocks = number | 'all' | null

export function keysShown(
  conditions: readonly Condition[],
  bits: ShownBlocks | undefined,
): string[] {
  if (bits === null || bits === undefined) return []
  const fits = (n: number) => bits === 'all' || (bits & (1 << n)) !== 0
  return conditions.flatMap(({ key }, n) => (fits(n) ? [key] : []))
}
