import type { gallery as english } from '../en/gallery.ts'

export const gallery: typeof english = {
  about:
    'Alle Vorlagen erscheinen in Ihrem Design. Leere Stellen für Ihre Angaben sind markiert: vor dem Versand ausfüllen oder den Baustein löschen.',
  aboutTexts:
    'Jede Nachricht passt mit Ihren Angaben in eine SMS. Die Stellen dafür sind markiert.',
  business: 'Ihr Unternehmen',
  groups: 'Anlässe',
  all: 'Alle',
  news: 'Neuigkeiten',
  offers: 'Angebote',
  events: 'Veranstaltungen',
  relations: 'Kundenbindung',
  orders: 'Bestellungen und Termine',
}
