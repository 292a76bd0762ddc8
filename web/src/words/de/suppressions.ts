import type { suppressions as english } from '../en/suppressions.ts'

export const suppressions: typeof english = {
  about:
    'Adressen, an die dieses Unternehmen nicht sendet. Eine Spam-Meldung stoppt nur Werbung; eine gescheiterte Zustellung stoppt alle Mails, bis ein Inhaber die Sperre aufhebt.',
  find: 'Eine E-Mail-Adresse oder Telefonnummer finden',
  empty:
    'Keine Adresse ist gesperrt. Adressen, die unzustellbar sind oder sich beschweren, erscheinen hier.',
  notThere: 'Diese Adresse ist nicht gesperrt: Diese Liste hält keine Nachricht an sie zurück.',
  part: 'Geben Sie eine ganze Adresse ein oder eine Nummer mit Ländervorwahl. Crier bewahrt die meisten als Hashes auf, in denen sich kein Teil finden lässt.',
  all: 'Alle Adressen zeigen',
  unjudged:
    'Einige dieser Adressen wurden nach einer früheren Regel gesperrt, und die Antwort des Mailservers ist nicht mehr gespeichert. Vielleicht galt sie dem Absender. Heben Sie die Sperre bei Adressen auf, von denen Sie wissen, dass sie funktionieren.',
  onlyUnjudged: 'Nur diese zeigen',
  notJudgeable: 'Nach einer früheren Regel gesperrt; die Antwort ist nicht mehr gespeichert.',
  importList: 'Eine Liste importieren',
  unnamed: 'Eine Adresse, die kein Kontakt hat',
  hashed: (start) => `SHA-256 ${start}…`,
  channels: { email: 'E-Mail', sms: 'SMS' },
  anyChannel: 'Nur durch ihren Hash bekannt',
  reasons: {
    bounce: 'Mails an sie waren unzustellbar',
    complaint: 'Wer sie hat, meldete eine Nachricht als Spam',
    manual: 'Jemand aus diesem Unternehmen hat sie gesperrt',
    stop: 'Wer sie hat, antwortete STOP',
    unsubscribed: 'Wer sie hat, meldete sich anderswo ab, wie eine importierte Liste sagt',
  },
  stops: { marketing: 'keine Werbung', everything: 'keine Nachrichten' },
  since: (when) => `seit ${when}`,
  lift: 'Aufheben',
  liftTitle: (name) => `Wieder an ${name} schreiben?`,
  liftText:
    'Die Adresse kommt auf diese Liste zurück, wenn sie wieder unzustellbar ist oder sich beschwert.',
  why: 'Warum wieder an sie geschrieben werden darf',
  whyHint: 'Das Protokoll bewahrt den Grund auf.',
  liftDo: 'Sperre aufheben',
  lifted: 'Nachrichten dürfen wieder an diese Adresse gehen.',
  gone: 'Diese Adresse stand nicht mehr auf der Liste.',
  stays: 'Aufgehoben für Belege. Eine Spam-Meldung hält weiterhin Werbung von dieser Adresse fern.',
}
