import type { abTests as english } from '../en/ab-tests.ts'

export const abTests: typeof english = {
  title: 'A/B-Test',
  about:
    'Mehrere Betreffzeilen gehen an einen Teil der Empfänger. Die anderen warten und bekommen die, auf die mehr Menschen reagieren.',
  aboutSms:
    'Mehrere Texte gehen an einen Teil der Empfänger. Die anderen warten und bekommen den, auf den mehr Menschen reagieren.',
  start: 'Anderen Betreff testen',
  startSms: 'Anderen Text testen',
  another: 'Weiteren hinzufügen',
  subject: (letter) => `Betreff ${letter}`,
  text: (letter) => `Text ${letter}`,
  drop: (letter) => `${letter} entfernen`,
  sample: 'Teil der Empfänger, in Prozent',
  by: 'Entschieden nach',
  byWays: { clicks: 'Klicks von Menschen', opens: 'Öffnungen von Menschen' },
  hours: 'Entschieden nach, in Stunden',
  usual: 'Üblicher Anteil, in Prozent',
  usualHint: 'Wie viele sonst reagieren. Nur für die Schätzung darunter.',
  needs: (people, usual, better) =>
    `Um ${usual} von ${better} jenseits des Zufalls zu unterscheiden, braucht jede Variante ${people} Menschen.`,
  has: (people) => `Jede Variante bekommt ${people}.`,
  enough: 'Das genügt.',
  tooFew:
    'Das sind zu wenige: Vermutlich wird keine Variante Sieger, und die anderen bekommen die führende.',
  save: 'Test speichern',
  end: 'Test beenden',
  saved: 'Der Test ist gespeichert',
  ended: 'Der Test wurde beendet',
  unsaved: 'Geändert und noch nicht gespeichert.',
  variant: 'Variante',
  sent: 'Gesendet',
  acted: { clicks: 'Geklickt', opens: 'Geöffnet' },
  between: (low, high) => `zwischen ${low} und ${high}`,
  points: (low, high) => `${low} bis ${high} Prozentpunkte`,
  won: (letter) => `Variante ${letter} hat gewonnen.`,
  chosen: (letter) => `Ein Mensch hat Variante ${letter} gewählt.`,
  leadIsReal: (letter, lead) => `Variante ${letter} führt jenseits des Zufalls: um ${lead} (95 %).`,
  leadIsChance: (letter, lead) =>
    `Keine Variante ist jenseits des Zufalls besser. ${letter} führt um ${lead} (95 %), und dieser Bereich enthält auch gar keinen Vorsprung.`,
  othersGot: (letter) => `Die anderen bekommen Variante ${letter}.`,
  decidesIn: (time) => `Entschieden wird ${time}.`,
  choose: (letter) => `${letter} an die anderen senden`,
  chooseTitle: (letter) => `Variante ${letter} jetzt an die anderen senden?`,
  chooseText: 'Der Test endet, und alle, die noch warten, bekommen sie.',
}
