import type { home as english } from '../en/home.ts'

export const home: typeof english = {
  ready: (business) => `${business} einrichten`,
  progress: (done, of) => `${done} von ${of} nötigen Schritten erledigt`,
  steps: {
    postal_address: {
      name: 'Postanschrift hinzufügen',
      about: 'Werbe-E-Mails müssen die Postanschrift des Absenders nennen.',
      action: 'Anschrift hinzufügen',
    },
    sender_domain: {
      name: 'Von Ihrer eigenen Domain senden',
      about:
        'Senden können Sie, sobald die DNS-Einträge gefunden sind. Das können Sie später erledigen.',
      notNeeded:
        'Hier nicht nötig: Diese Installation behält E-Mails im Testpostfach oder sendet sie ohne eigene Domain.',
      action: 'Domain einrichten',
    },
    contacts: {
      name: 'Kontakte hinzufügen',
      about:
        'Importieren Sie eine CSV-Datei, fügen Sie Personen einzeln hinzu oder sammeln Sie sie mit einem Formular auf Ihrer Website.',
      action: 'Datei importieren',
    },
    test: {
      name: 'Test-E-Mail an sich selbst senden',
      about: 'Eine kurze E-Mail an Ihre eigene Adresse zeigt, dass alles funktioniert.',
      action: 'Test senden',
      sent: (email) => `Ein Test ist unterwegs an ${email}`,
      subject: 'Ein Test von Crier',
      text: 'Dies ist ein Test. Wenn Sie ihn lesen können, funktionieren Ihre E-Mails.',
      failed: 'Der Test wurde nicht gesendet',
      inbox: 'Testpostfach öffnen',
    },
  },
  assistant: {
    title: 'Assistenten verbinden',
    about:
      'Geben Sie diese Adresse einem Assistenten, der MCP unterstützt. Er leitet Sie zur Zustimmung hierher.',
    copy: 'Adresse kopieren',
  },
  waits: {
    title: 'Zu erledigen',
    nothing: 'Nichts zu erledigen.',
    approval: (name) => `„${name}“ wartet auf Freigabe`,
    automation: (name) => `Eine Automation wartet auf Sie: „${name}“`,
    automationPaused: (name) =>
      `Die Automation „${name}“ ist pausiert: Es sind mehr Personen eingetreten als freigegeben`,
    refused: (name) => `„${name}“ wurde abgelehnt`,
    decide: 'Prüfen',
    proposals: (count) =>
      count === '1'
        ? '1 vorgeschlagene E-Mail wartet auf Freigabe'
        : `${count} vorgeschlagene E-Mails warten auf Freigabe`,
    replies: (count) => (count === '1' ? '1 Antwort zu prüfen' : `${count} Antworten zu prüfen`),
    domain: (domain) => `Bei ${domain} fehlen DNS-Einträge oder sind falsch`,
    webhook: (url) => `Zustellungen an ${url} schlagen fehl`,
    open: 'Öffnen',
  },
  growth: 'E-Mail-Abonnenten, letzte 30 Tage',
  going: {
    title: 'Laufende Kampagnen',
    nothing: 'Keine laufenden Kampagnen.',
    all: 'Alle Kampagnen',
  },
  numbers: {
    title: 'Dieser Monat',
    contacts: 'Kontakte',
    emails: 'E-Mails',
    sms: 'SMS',
    calls: 'API-Aufrufe',
    of: (limit) => `von ${limit}`,
    perDay: (total) => `E-Mails pro Tag in diesem Monat, insgesamt ${total}`,
  },
}
