import type {
  recentCalls as englishCalls,
  connections as englishConnections,
  limits as englishLimits,
  sessions as englishSessions,
} from '../en/account.ts'

export const connections: typeof englishConnections = {
  title: 'Verbindungen',
  about: 'Apps, die für Sie handeln dürfen, in jedem Unternehmen, das Sie ihnen gegeben haben.',
  empty:
    'Noch ist nichts verbunden. Geben Sie diese Adresse einem Assistenten: Er schickt Sie zur Zustimmung hierher.',
  another: 'Um einen weiteren Assistenten zu verbinden, geben Sie ihm diese Adresse.',
  copyAddress: 'Adresse kopieren',
  unverified: 'Name nicht geprüft',
  host: 'Schickt Sie zurück zu',
  may: 'Darf',
  always: 'Ihre Unternehmen und deren Nutzung sehen',
  readOnly: 'Liest nur',
  in: 'In',
  nowhere: 'keinem Unternehmen mehr',
  connected: (when) => `verbunden ${when}`,
  used: (when) => `benutzt ${when}`,
  neverUsed: 'noch nicht benutzt',
  lateReuse: (times, when) =>
    `Ein altes Token wurde benutzt, nachdem es ersetzt war (${times}, zuletzt ${when}). Die App hat vielleicht eine alte Kopie behalten, oder jemand anderes hat eine. Im Zweifel widerrufen.`,
  codeReuse: (times, when) =>
    `Der Code, mit dem diese Verbindung entstand, wurde noch einmal gesendet (${times}, zuletzt ${when}) und abgelehnt. Die App hat ihn vielleicht doppelt gesendet, oder jemand anderes hat ihn gesehen. Im Zweifel widerrufen.`,
  times: (count) => (count === 1 ? 'einmal' : `${count}-mal`),
  unnamed: 'Eine App ohne Namen',
  lately: 'Letzte Aufrufe',
  kept: 'Was das Protokoll davon festhält',
  nothingLately:
    'Nichts, was das Protokoll festhält: keine Sendung, kein Import, kein Export, keine Einstellung.',
  allInLog: 'Alles davon im Protokoll',
  limit: 'Einschränken',
  limitTitle: (name) => `${name} einschränken`,
  limitText:
    'Es gilt vom nächsten Aufruf an. Ein Unternehmen, das Sie wegnehmen, kommt nur zurück, wenn Sie die App neu verbinden.',
  keeps: 'Sie behält',
  limited: 'Die Grenzen gelten vom nächsten Aufruf an',
  revoke: 'Widerrufen',
  revokeTitle: (name) => `${name} widerrufen?`,
  revokeText:
    'Der Zugang endet sofort. Die App erfährt es nicht. Webhooks, die sie angelegt hat, halten an. Nachrichten, die schon warten, gehen noch hinaus.',
  revokeDo: 'Zugang widerrufen',
  revoked: 'Die App hat keinen Zugang mehr',
  more: 'Ältere Verbindungen zeigen',
}

export const sessions: typeof englishSessions = {
  title: 'Sitzungen',
  about:
    'Browser, in denen Sie angemeldet sind. Eine Sitzung endet von selbst 30 Tage nach ihrer letzten Nutzung.',
  this: 'dieser Browser',
  unknown: 'Ein unbekannter Browser',
  on: (browser, system) => `${browser} auf ${system}`,
  since: (when) => `Angemeldet ${when}`,
  seen: (when) => `zuletzt gesehen ${when}`,
  from: 'von',
  end: 'Beenden',
  endTitle: (name) => `${name} beenden?`,
  endText:
    'Dieser Browser ist sofort abgemeldet. Was dort getippt und nicht gespeichert wurde, bleibt ungespeichert.',
  signOut: 'Abmelden',
  signOutTitle: 'In diesem Browser abmelden?',
  signOutText: 'Zurück kommen Sie mit einem Link, den Sie per Mail erhalten.',
  ended: 'Die Sitzung ist beendet',
  others: 'Alle anderen beenden',
  othersTitle: 'Alle anderen Sitzungen beenden?',
  othersText: 'Jeder Browser außer diesem ist sofort abgemeldet.',
  othersEnded: (count) => (count === 1 ? 'Eine Sitzung beendet' : `${count} Sitzungen beendet`),
  alone: 'Sonst sind Sie nirgends angemeldet.',
}

export const limits: typeof englishLimits = {
  readOnly: 'Nur lesen',
  readOnlyHint: 'Nichts wird geändert oder gesendet, bis Sie das Häkchen entfernen.',
  perDay: 'Empfänger in 24 Stunden',
  perDayHint:
    'In jedem Unternehmen. Leer für keine eigene Grenze; die Grenzen des Unternehmens gelten immer.',
  perDayOfKey: 'Nachrichten jeder Art zählen.',
  used: (used, limit) => `${used} von ${limit} Empfängern in 24 Stunden`,
  none: 'keine eigene Grenze für Empfänger',
  transactional: 'Davon transaktional, in 24 Stunden',
  transactionalHint:
    'Belege, Mails zum Zurücksetzen des Passworts und Ähnliches. Leer für keine Grenze.',
  transactionalOfConnection:
    'Belege, Mails zum Zurücksetzen des Passworts und Ähnliches. Leer für keine Grenze. Bei höchstens 100 geht dieselbe Nachricht an höchstens 50 Personen.',
  transactionalUsed: (used, limit) => `${used} von ${limit} für transaktionale Nachrichten`,
  transactionalNone: 'keine Grenze für transaktionale Nachrichten',
  signInAgain:
    'Um mehr zu erlauben, melden Sie sich zuerst neu an: Die Anmeldung darf höchstens 15 Minuten alt sein.',
}

export const recentCalls: typeof englishCalls = {
  title: 'Letzte Aufrufe',
  none: 'Kein Aufruf in den letzten 30 Tagen. Ein neuer Aufruf erscheint nach einigen Sekunden.',
  done: 'ausgeführt',
  failed: 'abgelehnt',
  refused: (code) => (code === 'internal' ? 'in Crier gescheitert' : `abgelehnt: ${code}`),
}
