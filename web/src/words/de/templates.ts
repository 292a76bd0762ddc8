import type { templates as english } from '../en/templates.ts'

export const templates: typeof english = {
  title: 'Vorlagen',
  create: 'Neue Vorlage',
  empty:
    'Eine Vorlage ist eine Mail oder SMS mit Lücken, die jede Sendung füllt. Menschen, Assistenten und Programme speichern sie.',
  name: 'Vorlage',
  channel: 'Art',
  version: 'Fassung',
  updated: 'Geändert',
  all: 'Alle Vorlagen',
}
