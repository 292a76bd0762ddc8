import type {
  recentCalls as englishCalls,
  connections as englishConnections,
  limits as englishLimits,
  passkeys as englishPasskeys,
  sessions as englishSessions,
} from '../en/account.ts'

export const connections: typeof englishConnections = {
  title: 'Verbindungen',
  about: 'Apps, die in den von Ihnen freigegebenen Unternehmen für Sie handeln dürfen.',
  empty:
    'Noch keine App verbunden. Geben Sie diese Adresse einem Assistenten; er leitet Sie zur Zustimmung hierher.',
  another: 'Um einen weiteren Assistenten zu verbinden, geben Sie ihm diese Adresse.',
  copyAddress: 'Adresse kopieren',
  unverified: 'Name nicht geprüft',
  host: 'Leitet weiter an',
  may: 'Berechtigungen',
  always: 'Ihre Unternehmen und deren Nutzung sehen',
  readOnly: 'Nur Lesezugriff',
  onThisComputer: 'Läuft auf diesem Computer',
  in: 'In',
  nowhere: 'keinem Unternehmen mehr',
  connected: (when) => `verbunden am ${when}`,
  used: (when) => `zuletzt verwendet ${when}`,
  neverUsed: 'noch nie verwendet',
  lateReuse: (times, when) =>
    `Ein altes Token wurde verwendet, nachdem es ersetzt worden war (${times}, zuletzt ${when}). Vielleicht hat die App eine alte Kopie behalten, vielleicht hat jemand anderes eine. Widerrufen Sie im Zweifel den Zugriff.`,
  codeReuse: (times, when) =>
    `Der Autorisierungscode dieser Verbindung wurde erneut gesendet (${times}, zuletzt ${when}) und abgelehnt. Vielleicht hat die App ihn doppelt gesendet, vielleicht hat jemand anderes ihn gesehen. Widerrufen Sie im Zweifel den Zugriff.`,
  times: (count) => (count === 1 ? 'einmal' : `${count}-mal`),
  unnamed: 'App ohne Namen',
  lately: 'Letzte Aufrufe',
  kept: 'Aktivität im Protokoll',
  nothingLately:
    'Keine Aktivität im Protokoll: kein Versand, kein Import, kein Export, keine geänderten Einstellungen.',
  allInLog: 'Alles im Protokoll ansehen',
  limit: 'Einschränken',
  limitTitle: (name) => `${name} einschränken`,
  limitText:
    'Gilt ab dem nächsten Aufruf der App. Um ein entferntes Unternehmen wieder freizugeben, verbinden Sie die App neu.',
  masked: 'Sieht Adressen nur gekürzt',
  maskedHint: 'Assistenten sehen Adressen und Nummern als a…@example.com und +41…67.',
  takesOut: 'Darf Daten aus Crier herausgeben',
  takesOutHint:
    'Exportiert Kontakte, sendet Ereignisse an neue Adressen und entfernt Absenderdomains.',
  keeps: 'Behält Zugriff auf',
  limited: 'Limits gespeichert. Sie gelten ab dem nächsten Aufruf.',
  revoke: 'Widerrufen',
  revokeTitle: (name) => `Zugriff für ${name} widerrufen?`,
  revokeText:
    'Die App verliert sofort den Zugriff und wird nicht benachrichtigt. Von ihr angelegte Webhooks werden pausiert. Nachrichten in der Warteschlange werden noch gesendet.',
  revokeDo: 'Zugriff widerrufen',
  revoked: 'Zugriff widerrufen',
  more: 'Ältere Verbindungen anzeigen',
}

export const sessions: typeof englishSessions = {
  title: 'Sitzungen',
  about:
    'Browser, in denen Sie angemeldet sind. Eine Sitzung läuft 30 Tage nach der letzten Nutzung ab, eine über Ihre Firma nach höchstens einem Tag.',
  this: 'dieser Browser',
  unknown: 'Unbekannter Browser',
  on: (browser, system) => `${browser} auf ${system}`,
  since: (when) => `Angemeldet ${when}`,
  seen: (when) => `zuletzt gesehen ${when}`,
  from: 'von',
  end: 'Sitzung beenden',
  endTitle: (name) => `Sitzung in ${name} beenden?`,
  endText:
    'Dieser Browser wird sofort abgemeldet. Nicht gespeicherte Änderungen bleiben dort ungespeichert.',
  signOut: 'Abmelden',
  signOutTitle: 'In diesem Browser abmelden?',
  signOutText: 'Zum erneuten Anmelden fordern Sie einen neuen Anmeldelink per E-Mail an.',
  ended: 'Sitzung beendet',
  others: 'Alle anderen Sitzungen beenden',
  othersTitle: 'Alle anderen Sitzungen beenden?',
  othersText: 'Alle Browser außer diesem werden sofort abgemeldet.',
  othersEnded: (count) => (count === 1 ? 'Eine Sitzung beendet' : `${count} Sitzungen beendet`),
  alone: 'Sie sind sonst nirgends angemeldet.',
}

export const passkeys: typeof englishPasskeys = {
  title: 'Passkeys',
  about:
    'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN an statt mit einem Link per E-Mail. Wer Ihre E-Mails liest, kann das nicht.',
  oldBrowser: 'Dieser Browser ist dafür zu alt.',
  needHttps: 'Dafür braucht diese Installation eine Adresse mit https.',
  none: 'Sie haben noch keinen Passkey.',
  add: 'Passkey hinzufügen',
  addText: 'Ihr Browser fragt als Nächstes nach Fingerabdruck, Gesicht oder PIN.',
  go: 'Weiter',
  name: 'Name',
  nameHint: 'Damit Sie später wissen, wo er liegt, zum Beispiel „Mein Telefon“.',
  added: (when) => `Hinzugefügt ${when}`,
  used: (when) => `zuletzt benutzt ${when}`,
  unused: 'noch nicht benutzt',
  wasAdded: 'Passkey hinzugefügt',
  rename: 'Umbenennen',
  renamed: 'Name gespeichert',
  remove: 'Entfernen',
  removeTitle: (name) => `„${name}“ entfernen?`,
  removeText:
    'Niemand kann sich mehr damit anmelden. Löschen Sie ihn auch auf Ihrem Gerät, das ihn sonst weiter anbietet.',
  removed: 'Passkey entfernt',
  cancelled: 'Abgebrochen. Mit „Weiter“ versuchen Sie es erneut.',
  known: 'Auf diesem Gerät haben Sie bereits einen Passkey.',
}

export const limits: typeof englishLimits = {
  readOnly: 'Nur Lesezugriff',
  readOnlyHint: 'Solange das Häkchen gesetzt ist, kann nichts geändert oder gesendet werden.',
  perDay: 'Empfänger pro 24 Stunden',
  perDayHint:
    'Je Unternehmen. Leer lassen für kein eigenes Limit; die Limits des Unternehmens gelten immer.',
  perDayOfKey: 'Alle Arten von Nachrichten zählen.',
  used: (used, limit) => `${used} von ${limit} Empfängern in 24 Stunden`,
  none: 'kein eigenes Empfängerlimit',
  transactional: 'Transaktionale Empfänger pro 24 Stunden',
  transactionalHint: 'Belege, Passwort-Mails und Ähnliches. Leer lassen für kein Limit.',
  transactionalOfConnection:
    'Belege, Passwort-Mails und Ähnliches. Leer lassen für kein Limit. Bei einem Limit bis 100 geht dieselbe Nachricht an höchstens 50 Personen.',
  transactionalUsed: (used, limit) => `${used} von ${limit} transaktionalen Empfängern`,
  transactionalNone: 'kein Limit für Belege und Ähnliches',
  signInAgain:
    'Um mehr zu erlauben, melden Sie sich zuerst neu an. Die Anmeldung darf höchstens 15 Minuten her sein.',
}

export const recentCalls: typeof englishCalls = {
  title: 'Letzte Aufrufe',
  none: 'Keine Aufrufe in den letzten 30 Tagen. Neue Aufrufe erscheinen nach wenigen Sekunden.',
  done: 'ausgeführt',
  failed: 'abgelehnt',
  refused: (code) => (code === 'internal' ? 'interner Fehler' : `abgelehnt: ${code}`),
}
