import type { furtherBlocks as english } from '../en/further-blocks.ts'

export const furtherBlocks: typeof english = {
  background: 'Hintergrund',
  padding: 'Abstand oben und unten',
  paddings: { '': 'Üblich', small: 'Klein', medium: 'Mittel', large: 'Groß' },
  name: 'Name',
  price: 'Preis',
  quantity: 'Menge',
  buttonText: 'Text der Schaltfläche',
  buttonHint: 'Leer gelassen gibt es keine. Sie führt dorthin, wohin das Bild führt.',
  code: 'Code',
  codeText: 'Text über dem Code',
  side: 'Seite des Bildes',
  sides: { '': 'Wo der Text beginnt', left: 'Links', right: 'Rechts' },
  linksHint: 'Netzwerke ohne Adresse fehlen in der E-Mail.',
  row: (n) => `Zeile ${n}`,
  total: (n) => `Summe ${n}`,
  addRow: 'Zeile hinzufügen',
  addTotal: 'Summe hinzufügen',
  removeEntry: (name) => `${name} löschen`,
}
