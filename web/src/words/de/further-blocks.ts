import type { furtherBlocks as english } from '../en/further-blocks.ts'

export const furtherBlocks: typeof english = {
  src: 'Adresse des Bildes',
  srcHint: 'Kommt vom Hochladen, oder ist eine eigene Adresse.',
  alt: 'Was es zeigt',
  altHint: 'Wird vorgelesen und erscheint, wo Bilder aus sind.',
  decorative: 'Es schmückt nur',
  width: 'Breite in Pixeln',
  background: 'Hintergrund',
  padding: 'Abstand oben und unten',
  paddings: { '': 'Üblich', small: 'Klein', medium: 'Mittel', large: 'Groß' },
  name: 'Name',
  price: 'Preis',
  quantity: 'Menge',
  buttonText: 'Text der Schaltfläche',
  buttonHint: 'Leer gelassen gibt es keine. Sie führt dorthin, wohin das Bild führt.',
  each: 'Wiederholen für jeden Eintrag von',
  eachHint:
    'Eine Liste eines Ereignisses, zum Beispiel event.items. Im Block heißt ein Eintrag {{ item.name }}, {{ item.price }} und so weiter.',
  code: 'Code',
  legal: 'Hier stehen Ihr Name, Ihre Postanschrift und der Abmeldelink.',
  codeText: 'Text über dem Code',
  side: 'Seite des Bildes',
  sides: { '': 'Wo der Text beginnt', left: 'Links', right: 'Rechts' },
  linksHint: 'Netzwerke ohne Adresse fehlen in der E-Mail.',
  row: (n) => `Zeile ${n}`,
  total: (n) => `Summe ${n}`,
  addRow: 'Zeile hinzufügen',
  addTotal: 'Summe hinzufügen',
  shown: {
    title: 'Nur anzeigen für',
    all: 'Alle sehen diesen Baustein.',
    choose: 'Auswählen, wer ihn sieht',
    change: 'Ändern',
    toAll: 'Für alle anzeigen',
    dialog: 'Diesen Baustein nur anzeigen für …',
    about:
      'Alle anderen bekommen die E-Mail ohne ihn. Entschieden wird beim Versand, für jeden Kontakt einzeln.',
    take: 'Nur für diese anzeigen',
    cancel: 'Abbrechen',
  },
  feed: {
    buttonHint: 'Ohne Text kein Button. Er führt zum Beitrag.',
    shows: {
      pictures: 'Bilder zeigen',
      texts: 'Anfang des Textes zeigen',
      dates: 'Autor und Datum zeigen',
    },
    items: [
      {
        title: 'Titel des neuesten Beitrags',
        about: 'Ana · 30. November',
        text: 'Der Anfang seines Textes, wie er im Feed steht.',
      },
      {
        title: 'Titel des Beitrags davor',
        about: 'Leo · 24. November',
        text: 'Empfänger sehen, was seit ihrer letzten E-Mail neu ist.',
      },
    ],
  },
  removeEntry: (name) => `${name} löschen`,
}
