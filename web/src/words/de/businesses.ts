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
  file: 'Verbrauch als Datei',
  month: 'Monat',
  csvText:
    'Eine Zeile je Unternehmen und Zähler. Ein vergangener Monat zeigt, was darin gezählt wurde, neben den heutigen Grenzen.',
  more: 'Mehr anzeigen',
  failed: 'Der Verbrauch konnte nicht gelesen werden',
  add: {
    title: 'Neues Unternehmen',
    about: 'Es gehört Ihnen und beginnt mit dem, was Sie zum Kopieren wählen.',
    name: 'Name',
    from: 'Kopieren von',
    what: 'Was kopiert wird',
    kinds: {
      settings: 'Einstellungen',
      templates: 'Vorlagen',
      forms: 'Formulare',
      segments: 'Segmente',
    },
    hints: {
      settings:
        'Sprache, Zeitzone, Farbe, Erfassung, Freigabe und Aufbewahrung. Nicht Postanschrift und Absender.',
      templates: 'Jede in ihrer jetzigen Fassung.',
      forms: 'Als Entwürfe, mit ihren Themen: sehen Sie sie an, bevor Sie sie veröffentlichen.',
      segments: 'Mit ihren Themen. Solche, die eine Kampagne nennen, bleiben zurück.',
    },
    never: 'Kontakte, Einwilligungen, Domains, Schlüssel und Mitglieder werden nie kopiert.',
    noOwner: 'Ihnen gehört noch kein Unternehmen, von dem etwas kopiert werden kann.',
    create: 'Anlegen',
    done: (name) => `${name} ist angelegt`,
    copied: 'Kopiert',
    count: { settings: 'Die Einstellungen' },
    leftOut: 'Nicht kopiert',
    why: {
      names_campaign: 'Es nennt eine Kampagne, und Kampagnen werden nicht kopiert.',
      names_what_is_not_copied:
        'Es nennt eine Vorlage, ein Formular oder ein Segment, das nicht kopiert wurde.',
    },
    open: 'Öffnen',
  },
}
