import type { apiKeys as english } from '../en/api-keys.ts'

export const apiKeys: typeof english = {
  title: 'API-Schlüssel',
  add: 'Neuer Schlüssel',
  about:
    'Für Programme, die sich nicht als Person anmelden können. Ein Schlüssel wird ungültig, wenn das Mitglied ausscheidet, das ihn angelegt hat.',
  empty:
    'Noch keine API-Schlüssel. Mit einem Schlüssel kann ein Skript, ein Shop oder eine Automation Crier aufrufen.',
  onlyAdmins:
    'Nur Administratoren und Inhaber können API-Schlüssel anlegen. Wenden Sie sich an sie.',
  name: 'Name',
  nameHint: 'Das Programm, das den Schlüssel verwendet.',
  test: 'Testschlüssel: zum Ausprobieren von Code. Er erreicht niemanden und keine echten Daten.',
  isTest: 'Testschlüssel',
  task: 'Aufgabe',
  taskHint: 'Setzt die Berechtigungen und die Rolle, die sie braucht, und keine anderen.',
  ownChoice: 'Berechtigungen selbst wählen',
  tasks: {
    send: 'Belege und Benachrichtigungen senden',
    contacts: 'Kontakte auf dem neuesten Stand halten',
    forms: 'Formulare anlegen und einsenden',
    read: 'Kontakte, Formulare und Ergebnisse lesen',
  },
  may: 'Berechtigungen',
  scopes: {
    'meta:read': 'Dieses Unternehmen und seine Nutzung sehen',
    'audience:read': 'Kontakte und ihre Antworten sehen',
    'forms:read': 'Formulare sehen',
    'audience:write': 'Kontakte anlegen, ändern und löschen',
    'forms:write': 'Formulare anlegen, ändern und einsenden',
    'messaging:send': 'E-Mails und SMS an echte Personen senden',
    'provisioning:write': 'Domains und Webhooks einrichten, die bestimmen, wohin Daten gehen',
  },
  role: 'Rolle',
  roleHint: 'Höchstens Ihre eigene Rolle in diesem Unternehmen.',
  as: (role) => `Rolle: ${role}`,
  expires: 'Gültig bis',
  expiresHint: 'Leer lassen für einen unbefristeten Schlüssel.',
  recipients: 'Empfänger pro 24 Stunden',
  networks: 'Erlaubte Netze',
  networksHint: 'Zum Beispiel 203.0.113.0/24. Leer lassen, um alle Netze zu erlauben.',
  signInAgain:
    'Zum Anlegen eines Schlüssels darf die Anmeldung höchstens 15 Minuten her sein. Ihre Eingaben bleiben erhalten.',
  shownOnce: 'Ihr neuer Schlüssel',
  copyNow: 'Kopieren Sie ihn jetzt. Er wird nicht noch einmal angezeigt.',
  maySend: (count) => `Er darf pro 24 Stunden an ${count} Empfänger senden.`,
  limitText: 'Gilt ab dem nächsten Aufruf.',
  limited: 'Limits gespeichert. Sie gelten ab dem nächsten Aufruf.',
  inLog: 'Aktivität im Protokoll ansehen',
  isHeld: 'Angehalten',
  takeOver: 'Übernehmen',
  takeOverTitle: (name: string) => `${name} übernehmen?`,
  takeOverText:
    'Der Schlüssel läuft unter Ihrem Namen weiter, auch wenn die der anderen Person angehalten sind oder sie entfernt wird. An Programmen ändert sich nichts. Die andere Person kann noch eine Kopie haben: Ersetzen Sie den Schlüssel bei Gelegenheit durch einen neuen.',
  takenOver: 'API-Schlüssel übernommen',
  revoke: 'Schlüssel widerrufen',
  revokeText: (name) =>
    `„${name}“ wird sofort ungültig. Der nächste Aufruf wird abgelehnt, und Webhooks, die davon abhängen, werden pausiert.`,
  revoked: 'API-Schlüssel widerrufen',
  dependent: (count) =>
    count === 1
      ? 'Ein Webhook hängt von diesem Schlüssel ab.'
      : `${count} Webhooks hängen von diesem Schlüssel ab.`,
  dependentText:
    'Wählen Sie, wer sie jeweils weiterführt. Ein pausierter hält seine Ereignisse 30 Tage lang zurück.',
  made: (when, by) => `angelegt am ${when} von ${by}`,
  somebodyGone: 'einem ausgeschiedenen Mitglied',
  used: (when) => `Zuletzt verwendet ${when}`,
  neverUsed: 'Noch nie verwendet',
  until: (when) => `gültig bis ${when}`,
  smtp: {
    title: 'Per SMTP senden',
    about:
      'Für Shops, Websites und Geräte, die nur E-Mails senden können. Jede eingelieferte E-Mail wird zu einer Nachricht mit denselben Limits und Ereignissen wie jede andere.',
    host: 'Server',
    startTls: 'Port mit STARTTLS',
    tls: 'Port mit TLS',
    user: 'Benutzername',
    anyUser: 'Beliebig',
    password: 'Passwort',
    aKey: 'Ein API-Schlüssel, der E-Mails senden darf',
  },
}
