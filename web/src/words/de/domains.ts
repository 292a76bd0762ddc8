import type { domains as english } from '../en/domains.ts'

export const domains: typeof english = {
  title: 'Domains',
  add: 'Domain hinzufügen',
  addText:
    'Die Domain, von der Sie E-Mails senden, zum Beispiel mail.example.com. Danach sehen Sie die DNS-Einträge, die Sie setzen müssen.',
  name: 'Domain',
  empty:
    'Noch keine Domains. Eine eigene Absenderdomain schafft Vertrauen. Fügen Sie sie hinzu und setzen Sie dann die angezeigten DNS-Einträge.',
  addedByApp:
    'Eine verbundene App hat diese Domain hinzugefügt. Solange Sie nicht bestätigen, dass sie Ihnen gehört, warten Mails auf Ihre Freigabe, deren Links Angaben der Lesenden dorthin mitgeben.',
  isOurs: 'Das ist unsere Domain',
  status: {
    pending: 'DNS-Einträge fehlen',
    verified: 'Bestätigt',
    degraded: 'DNS-Einträge fehlerhaft',
  },
  check: 'Jetzt prüfen',
  checked: (when) => `geprüft ${when}`,
  never: 'noch nicht geprüft',
  zone: 'Als Zonendatei kopieren',
  remove: 'Entfernen',
  removeText:
    'Von ihr werden keine E-Mails mehr gesendet. Ihre DNS-Einträge können Sie nach einer Woche löschen.',
  removed: 'Domain entfernt',
  failed: 'Das hat nicht geklappt',
  record: 'Typ',
  host: 'Name',
  value: 'Wert',
  state: 'Status',
  found: 'Gefunden:',
  states: { ok: 'Gefunden', missing: 'Fehlt', wrong: 'Falsch', unknown: 'Noch nicht geprüft' },
  neededFor: {
    verification: 'erforderlich',
    marketing: 'für Werbung',
    tracking: 'für das Tracking',
    key_change: 'für einen neuen Schlüssel',
    nothing: 'empfohlen',
  },
  verdicts: {
    pending: (missing) =>
      missing === '1'
        ? 'Noch nicht bestätigt: Es fehlt ein DNS-Eintrag. Tragen Sie ihn beim Anbieter der Domain ein. Wir prüfen automatisch.'
        : `Noch nicht bestätigt: Es fehlen ${missing} DNS-Einträge. Tragen Sie sie beim Anbieter der Domain ein. Wir prüfen automatisch.`,
    verified: (missing) =>
      missing === '0'
        ? 'Bestätigt und bereit für Marketing.'
        : `Bestätigt. ${missing === '1' ? 'Ein Eintrag fehlt oder ist' : `${missing} Einträge fehlen oder sind`} falsch.`,
    degraded: () =>
      'Der DKIM-Eintrag wird nicht mehr gefunden. Tragen Sie ihn wieder ein, sonst landen Ihre E-Mails leicht im Spam.',
  },
  remedies: {
    missing: 'Legen Sie diesen Eintrag an, genau mit diesem Wert.',
    wrong: 'Ersetzen Sie den gefundenen Wert durch diesen.',
    unknown: 'Das DNS hat nicht geantwortet. Wir fragen automatisch noch einmal.',
  },
  refusedBy: {
    title: 'Von Anbietern abgelehnt',
    text: (provider, kind, time) => `${provider} hat ${time} ${kind} dieser Domain abgelehnt:`,
    kinds: { transactional: 'transaktionale E-Mails', marketing: 'Werbung' },
    held: (time) => `Der Versand dorthin ist angehalten; der nächste Versuch ist ${time}.`,
  },
  warmUp: {
    title: 'Warm-up',
    text: (first, days) =>
      `Ein Anbieter, der diese Domain noch nicht kennt, erhält am ersten Tag höchstens ${first} Werbe-E-Mails und jeden Tag mehr. Nach ${days} Tagen gibt es kein Limit mehr. Belege sind nie begrenzt.`,
    none: 'Noch keine Werbung gesendet.',
    provider: 'Anbieter',
    today: (sent, most) => `${sent} von ${most} heute`,
    free: (sent) => `${sent} heute, ohne Limit`,
    daysLeft: (days) => `noch ${days} ${days === '1' ? 'Tag' : 'Tage'}`,
    held: {
      refusals: (time) =>
        `Angehalten: Der Anbieter hat den Absender abgelehnt. Es geht ${time} weiter.`,
      allowance: (time) => `Das heutige Limit ist erreicht. Es geht ${time} weiter.`,
    },
  },
}
