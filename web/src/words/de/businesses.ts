import type { businesses as english } from '../en/businesses.ts'

export const businesses: typeof english = {
  title: 'Alle Unternehmen',
  tier: (name) => `Tarif ${name}`,
  waiting: (count) => `${count} freizugeben`,
  going: (count) => `${count} im Versand`,
  nothing: 'Nichts ausstehend',
  lacks: {
    postal_address: 'Keine Postanschrift',
    sender_domain: 'Keine Absenderdomain',
  },
  emails: 'E-Mails in diesem Monat',
  of: (used, limit) => `${used} von ${limit}`,
  unlimited: (used) => `${used}, ohne Limit`,
  csv: 'Verbrauch als CSV',
  file: 'Verbrauch als Datei',
  month: 'Monat',
  csvText:
    'Eine Zeile je Unternehmen und Messwert. Bei vergangenen Monaten steht der Verbrauch neben den heutigen Limits.',
  more: 'Mehr anzeigen',
  failed: 'Der Verbrauch konnte nicht geladen werden',
  add: {
    title: 'Neues Unternehmen',
    about: 'Sie werden Inhaber. Es beginnt mit dem, was Sie zum Kopieren auswählen.',
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
        'Sprache, Zeitzone, Farbe, Tracking, Freigabe und Aufbewahrung. Nicht Postanschrift und Absender.',
      templates: 'Jeweils die aktuelle Version.',
      forms: 'Als Entwürfe, mit ihren Themen. Prüfen Sie sie vor dem Veröffentlichen.',
      segments:
        'Mit ihren Themen. Segmente, die sich auf eine Kampagne beziehen, werden nicht kopiert.',
    },
    never: 'Kontakte, Einwilligungen, Domains, Schlüssel und Mitglieder werden nie kopiert.',
    noOwner: 'Sie sind noch von keinem Unternehmen Inhaber, das sich kopieren ließe.',
    create: 'Unternehmen anlegen',
    done: (name) => `${name} angelegt`,
    copied: 'Kopiert',
    count: { settings: 'Die Einstellungen' },
    leftOut: 'Nicht kopiert',
    why: {
      names_campaign: 'Bezieht sich auf eine Kampagne; Kampagnen werden nicht kopiert.',
      names_what_is_not_copied:
        'Bezieht sich auf eine Vorlage, ein Formular oder ein Segment, das nicht kopiert wurde.',
    },
    open: 'Unternehmen öffnen',
  },
}
