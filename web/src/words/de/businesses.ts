import type { businesses as english } from '../en/businesses.ts'

export const businesses: typeof english = {
  title: 'Alle Unternehmen',
  tier: (name) => `Tarif ${name}`,
  waiting: (count) => `${count} freizugeben`,
  going: (count) => `${count} im Versand`,
  nothing: 'Nichts wartet',
  lacks: {
    postal_address: 'Keine Postanschrift',
    sender_domain: 'Keine Absenderdomain',
  },
  emails: 'E-Mails in diesem Monat',
  of: (used, limit) => `${used} von ${limit}`,
  unlimited: (used) => `${used}, ohne Grenze`,
  csv: 'Verbrauch als CSV',
  csvText: 'Verbrauch dieses Monats, eine Zeile je Zähler',
  more: 'Mehr anzeigen',
  failed: 'Der Verbrauch konnte nicht gelesen werden',
}
