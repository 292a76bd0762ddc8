import type { fields as english } from '../en/fields.ts'

export const fields: typeof english = {
  own: 'Code personnel',
  or: (name, fallback) => `${name} (ou « ${fallback} »)`,
  names: {
    'contact.first_name': 'Prénom',
    'contact.last_name': 'Nom de famille',
    'contact.name': 'Nom complet',
    'contact.email': 'Adresse e-mail',
    'contact.phone': 'Numéro de téléphone',
    'contact.language': 'Langue',
    'business.name': 'Votre nom d’expéditeur',
    'item.title': 'Titre du dernier article',
    'feed.title': 'Nom du flux',
  },
}
