import type { suppressions as english } from '../en/suppressions.ts'

export const suppressions: typeof english = {
  about:
    'Adressen, an die dieses Unternehmen nicht sendet. Eine Spam-Beschwerde sperrt nur Werbung; eine fehlgeschlagene Zustellung sperrt alle E-Mails, bis ein Inhaber die Sperre aufhebt.',
  find: 'E-Mail-Adresse oder Telefonnummer suchen',
  empty:
    'Keine gesperrten Adressen. Adressen, die unzustellbar sind oder sich beschweren, erscheinen hier.',
  notThere: 'Diese Adresse ist nicht gesperrt.',
  part: 'Geben Sie die ganze Adresse ein oder eine Nummer mit Ländervorwahl. Crier speichert die meisten als Hashes und kann nicht nach Teilen suchen.',
  all: 'Alle Adressen anzeigen',
  unjudged:
    'Einige dieser Adressen wurden nach einer früheren Regel gesperrt, und die Antwort des Mailservers ist nicht mehr gespeichert. Vielleicht betraf sie den Absender. Heben Sie die Sperre bei Adressen auf, von denen Sie wissen, dass sie funktionieren.',
  onlyUnjudged: 'Nur diese anzeigen',
  notJudgeable: 'Nach einer früheren Regel gesperrt; die Antwort ist nicht mehr gespeichert.',
  importList: 'Liste importieren',
  unnamed: 'Adresse ohne Kontakt',
  hashed: (start) => `SHA-256 ${start}…`,
  channels: { email: 'E-Mail', sms: 'SMS' },
  anyChannel: 'Nur Hash',
  reasons: {
    bounce: 'E-Mails waren unzustellbar',
    complaint: 'Hat eine Nachricht als Spam gemeldet',
    manual: 'Von einem Mitglied gesperrt',
    stop: 'Hat STOP geantwortet',
    unsubscribed: 'Anderswo abgemeldet, laut importierter Liste',
  },
  stops: { marketing: 'keine Werbung', everything: 'keine Nachrichten' },
  since: (when) => `seit ${when}`,
  lift: 'Aufheben',
  liftTitle: (name) => `Sperre von ${name} aufheben?`,
  liftText:
    'Die Adresse kommt auf diese Liste zurück, wenn sie wieder unzustellbar ist oder sich beschwert.',
  why: 'Grund',
  whyHint: 'Wird im Protokoll gespeichert.',
  liftDo: 'Sperre aufheben',
  lifted: 'Sperre aufgehoben',
  gone: 'Diese Adresse war nicht mehr gesperrt.',
  stays: 'Für Belege aufgehoben. Werbung bleibt wegen einer Spam-Beschwerde gesperrt.',
}
