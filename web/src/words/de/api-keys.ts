import type { apiKeys as english } from '../en/api-keys.ts'

export const apiKeys: typeof english = {
  title: 'API-Schlüssel',
  add: 'Neuer Schlüssel',
  about:
    'Für Programme, die niemanden anmelden können. Ein Schlüssel endet, wenn geht, wer ihn angelegt hat.',
  empty:
    'Es gibt noch keinen Schlüssel. Mit einem ruft ein Skript, ein Shop oder eine Automation Crier für Sie auf.',
  onlyAdmins: 'API-Schlüssel legen Admins und Inhaber an. Fragen Sie jemanden von ihnen.',
  name: 'Name',
  nameHint: 'Das Programm, das ihn benutzen wird.',
  may: 'Er darf',
  scopes: {
    'meta:read': 'Dieses Unternehmen und seine Nutzung sehen',
    'audience:read': 'Kontakte und ihre Antworten sehen',
    'forms:read': 'Formulare sehen',
    'audience:write': 'Kontakte anlegen, ändern und löschen',
    'forms:write': 'Formulare anlegen, ändern und einsenden',
    'messaging:send': 'E-Mails und SMS senden: Echte Personen erhalten sie',
    'provisioning:write': 'Domains und Webhooks einrichten, die bestimmen, wohin Daten gehen',
  },
  expires: 'Letzter Tag',
  expiresHint: 'Leer für einen Schlüssel ohne Ende.',
  recipients: 'Empfänger in 24 Stunden',
  networks: 'Netze, aus denen er gilt',
  networksHint: 'Etwa 203.0.113.0/24. Leer für überall.',
  signInAgain:
    'Ein Schlüssel wird binnen 15 Minuten nach dem Anmelden angelegt. Was Sie eingegeben haben, bleibt hier.',
  shownOnce: 'Ihr neuer Schlüssel',
  copyNow: 'Kopieren Sie ihn jetzt. Er wird nicht noch einmal gezeigt, und Crier behält ihn nicht.',
  maySend: (count) => `Er darf in 24 Stunden an ${count} Empfänger senden.`,
  limitText: 'Es gilt vom nächsten Aufruf an.',
  limited: 'Die Grenzen gelten vom nächsten Aufruf an',
  inLog: 'Was er tat, im Protokoll',
  revoke: 'Schlüssel widerrufen',
  revokeText: (name) =>
    `„${name}“ gilt sofort nicht mehr: Der nächste Aufruf wird abgelehnt, und Webhooks, die auf ihm beruhen, halten an.`,
  revoked: 'Der Schlüssel gilt nicht mehr',
  made: (when, by) => `angelegt am ${when} von ${by}`,
  somebodyGone: 'jemandem, der gegangen ist',
  used: (when) => `Benutzt ${when}`,
  neverUsed: 'Noch nicht benutzt',
  until: (when) => `bis ${when}`,
  smtp: {
    title: 'Per SMTP senden',
    about:
      'Für Läden, Websites und Geräte, die nur Mail senden können: Jede Mail, die sie einreichen, wird eine Nachricht, mit denselben Grenzen und Ereignissen wie jede andere.',
    host: 'Server',
    startTls: 'Port mit STARTTLS',
    tls: 'Port mit TLS',
    user: 'Benutzername',
    anyUser: 'Beliebig',
    password: 'Passwort',
    aKey: 'Ein API-Schlüssel, der E-Mail senden darf',
  },
}
