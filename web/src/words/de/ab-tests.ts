import type { abTests as english } from '../en/ab-tests.ts'

export const abTests: typeof english = {
  title: 'A/B-Test',
  about:
    'Jede Betreffzeile geht an einen Teil der Empfänger. Alle anderen warten und erhalten die erfolgreichste.',
  aboutSms:
    'Jeder Text geht an einen Teil der Empfänger. Alle anderen warten und erhalten den erfolgreichsten.',
  start: 'Anderen Betreff testen',
  startSms: 'Anderen Text testen',
  another: 'Weiteren hinzufügen',
  subject: (letter) => `Betreff ${letter}`,
  text: (letter) => `Text ${letter}`,
  drop: (letter) => `${letter} entfernen`,
  sample: 'Anteil der Empfänger, in Prozent',
  by: 'Gewinnkriterium',
  byWays: { clicks: 'Klicks von Personen', opens: 'Öffnungen von Personen' },
  hours: 'Gewinner ermitteln nach, in Stunden',
  usual: 'Übliche Rate, in Prozent',
  usualHint: 'Ihre übliche Öffnungs- oder Klickrate. Nur für die Schätzung unten.',
  needs: (people, usual, better) =>
    `Um ${usual} statistisch signifikant von ${better} zu unterscheiden, braucht jede Variante ${people} Personen.`,
  has: (people) => `Jede Variante erhält ${people}.`,
  enough: 'Das reicht.',
  tooFew:
    'Das sind zu wenige: Vermutlich gewinnt keine Variante signifikant, und die übrigen Empfänger erhalten die führende.',
  save: 'Test speichern',
  end: 'Test beenden',
  saved: 'Test gespeichert',
  ended: 'Test beendet',
  unsaved: 'Nicht gespeicherte Änderungen.',
  variant: 'Variante',
  sent: 'Gesendet',
  acted: { clicks: 'Geklickt', opens: 'Geöffnet' },
  between: (low, high) => `zwischen ${low} und ${high}`,
  points: (low, high) => `${low} bis ${high} Prozentpunkte`,
  won: (letter) => `Variante ${letter} hat gewonnen.`,
  chosen: (letter) => `Variante ${letter} wurde von Hand gewählt.`,
  tooEarly: (people: string) =>
    `Noch zu früh für einen Vorsprung: Jede Variante braucht ${people} gesendete Nachrichten.`,
  leadIsReal: (letter, lead) =>
    `Variante ${letter} führt statistisch signifikant, um ${lead} (95 % Konfidenz).`,
  leadIsChance: (letter, lead) =>
    `Keine Variante führt statistisch signifikant. ${letter} liegt um ${lead} vorn (95 % Konfidenz); auch gar kein Unterschied ist möglich.`,
  othersGot: (letter) => `Die übrigen Empfänger erhalten Variante ${letter}.`,
  decidesIn: (time) => `Der Gewinner wird ${time} ermittelt.`,
  choose: (letter) => `${letter} an den Rest senden`,
  chooseTitle: (letter) => `Variante ${letter} jetzt an den Rest senden?`,
  chooseText: 'Der Test endet, und alle noch Wartenden erhalten diese Variante.',
}
