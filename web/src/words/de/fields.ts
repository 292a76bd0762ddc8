import type { fields as english } from '../en/fields.ts'

export const fields: typeof english = {
  own: 'Eigener Code',
  or: (name, fallback) => `${name} (sonst „${fallback}“)`,
  names: {
    'contact.first_name': 'Vorname',
    'contact.last_name': 'Nachname',
    'contact.name': 'Name',
    'contact.email': 'E-Mail-Adresse',
    'contact.phone': 'Telefonnummer',
    'contact.language': 'Sprache',
    'business.name': 'Ihr Absendername',
    'item.title': 'Titel des neuesten Beitrags',
    'feed.title': 'Name des Feeds',
  },
}
