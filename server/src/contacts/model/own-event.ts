/** What a business names its own events: orders, visits, whatever it tells by contact.track. */

export const ownEventLimits = {
  nameLength: 64,
  idLength: 128,
  /** Of a call. */
  events: 1_000,
  properties: 50,
  propertyKeyLength: 64,
  propertyLength: 1_000,
  /** Of a value, in units of its currency. */
  value: 1_000_000_000_000,
  /** Days that an event may lie back. */
  days: 3_660,
  /** Minutes that the caller's clock may be ahead. */
  minutesAhead: 5,
  /** Days within which the last link that was followed is what brought an event's value. */
  attributionDays: 5,
} as const

/** Lower case without dots: names with a dot are the service's own, such as message.opened. */
const ownEventName = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** What somebody writes who means `message.opened`. */
export const reservedNames: readonly string[] = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'replied',
  'submitted',
]

export const isOwnEventName = (text: string): boolean =>
  ownEventName.test(text) && !reservedNames.includes(text)

/** `placed_order` for `Placed Order`; undefined where nothing like it is a name. */
export function ownEventNameMeant(text: string): string | undefined {
  const name = text
    .slice(0, ownEventLimits.nameLength)
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '_')
  return isOwnEventName(name) ? name : undefined
}
