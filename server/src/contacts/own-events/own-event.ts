/** A business's own events, such as orders and visits, which it reports with contact.track. */

export const ownEventLimits = {
  nameLength: 64,
  idLength: 128,
  /** Events per call. */
  events: 1_000,
  properties: 50,
  propertyKeyLength: 64,
  propertyLength: 1_000,
  /** Entries of a list among the properties, such as the items of a cart, and what each says. */
  items: 50,
  itemProperties: 20,
  /** The highest value of an event, in units of its currency. */
  value: 1_000_000_000_000,
  /** How many days ago an event may have happened. */
  days: 3_660,
  /** How many minutes the caller's clock may be ahead. */
  minutesAhead: 5,
} as const

/**
 * Names are lower case without dots: names with a dot are the service's own, such as
 * message.opened.
 */
const ownEventName = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** Names that callers write when they mean an event of the service, such as `message.opened`. */
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

/**
 * The valid spelling of a name, `placed_order` for `Placed Order`; undefined where there is none.
 */
export function suggestOwnEventName(text: string): string | undefined {
  const name = text
    .slice(0, ownEventLimits.nameLength)
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '_')
  return isOwnEventName(name) ? name : undefined
}

/** Three capital letters, as ISO 4217 names currencies. */
export const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text)
