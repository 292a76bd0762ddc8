import type { templates as english } from '../en/templates.ts'

export const templates: typeof english = {
  title: 'Vorlagen',
  empty:
    'Eine Vorlage ist eine Mail oder SMS mit Lücken, die jede Sendung füllt. Assistenten und Programme speichern sie.',
  name: 'Vorlage',
  channel: 'Art',
  version: 'Fassung',
  updated: 'Geändert',
  preview: 'Als Text',
  data: 'Gefüllt mit',
  datas: { sample: 'Üblichen Werten', longest: 'Den längsten Werten', empty: 'Keinen Werten' },
  needs: 'Was jede Sendung angeben muss',
  source: 'Quelltext',
  subject: 'Betreff',
  preheader: 'Vorschauzeile',
  bytes: (size) => `${size} Bytes HTML`,
  parts: (count) => `Teile einer SMS: ${count}`,
  warnings: 'Bitte ansehen',
}
