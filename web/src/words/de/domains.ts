import type { domains as english } from '../en/domains.ts'

export const domains: typeof english = {
  title: 'Domains',
  add: 'Domain hinzufügen',
  addText:
    'Die Domain, von der Ihre Mails kommen, etwa mail.example.com. Sie bekommen die DNS-Einträge, die zu setzen sind.',
  name: 'Domain',
  empty:
    'Mails von der eigenen Domain wird vertraut. Fügen Sie sie hinzu und setzen Sie die Einträge, die Sie bekommen.',
  status: { pending: 'Einträge fehlen', verified: 'Geprüft', degraded: 'Gestört' },
  check: 'Jetzt prüfen',
  checked: (when) => `geprüft ${when}`,
  never: 'noch nicht geprüft',
  zone: 'Alles als Zonendatei kopieren',
  remove: 'Entfernen',
  removeText:
    'Von ihr gehen keine Mails mehr hinaus. Was Sie im DNS gesetzt haben, kann in einer Woche gelöscht werden.',
  removed: 'Die Domain wurde entfernt',
  failed: 'Das wurde nicht getan',
  record: 'Eintrag',
  host: 'Name',
  value: 'Wert',
  state: 'Zustand',
  found: 'Gefunden:',
  states: { ok: 'Gefunden', missing: 'Fehlt', wrong: 'Falsch', unknown: 'Noch nicht gesehen' },
  neededFor: {
    verification: 'nötig',
    marketing: 'für Werbung',
    tracking: 'für das Zählen',
    key_change: 'für einen neuen Schlüssel',
    nothing: 'empfohlen',
  },
  refusedBy: {
    title: 'Von Anbietern abgelehnt',
    text: (provider, kind, time) => `${provider} hat ${time} ${kind} dieser Domain abgelehnt:`,
    kinds: { transactional: 'Transaktionsmail', marketing: 'Werbung' },
    held: (time) => `Die Mail dorthin wartet; der nächste Versuch ist ${time}.`,
  },
  warmUp: {
    title: 'Aufwärmen der Werbung',
    text: (first, days) =>
      `Ein Anbieter, der die Domain noch nicht kennt, bekommt am ersten Tag höchstens ${first} Werbemails und jeden Tag mehr. Nach ${days} Tagen gibt es keine Grenze mehr. Belege sind nie begrenzt.`,
    none: 'Noch ging keine Werbung hinaus.',
    provider: 'Anbieter',
    today: (sent, most) => `${sent} von ${most} heute`,
    free: (sent) => `${sent} heute, ohne Grenze`,
    daysLeft: (days) => `noch ${days} Tage`,
    held: {
      refusals: (time) => `Wartet: der Anbieter lehnte den Absender ab. Es geht ${time} weiter.`,
      allowance: (time) => `Das Höchste von heute ging hinaus. Es geht ${time} weiter.`,
    },
  },
}
