import type { home as english } from '../en/home.ts'

export const home: typeof english = {
  ready: (business) => `${business} einrichten`,
  progress: (done, of) => `${done} von ${of} nötigen`,
  steps: {
    postal_address: {
      name: 'Anschrift angeben',
      about: 'Werbemails nennen die Anschrift ihres Absenders.',
      action: 'Anschrift angeben',
    },
    sender_domain: {
      name: 'Von der eigenen Domain senden',
      about: 'Mails gehen hinaus, sobald deren DNS-Einträge gefunden sind. Das hat Zeit.',
      notNeeded:
        'Hier nicht nötig: Diese Installation behält Mails in ihrem Testpostfach oder sendet sie ohne eigene Domain.',
      action: 'Domain einrichten',
    },
    contacts: {
      name: 'Kontakte hinzufügen',
      about:
        'Viele auf einmal aus einer CSV-Datei, einzeln oder durch ein Formular auf Ihrer Website.',
      action: 'Datei importieren',
    },
    test: {
      name: 'Sich selbst einen Test senden',
      about: 'Eine kurze Mail an die eigene Adresse zeigt, dass alles geht.',
      action: 'Test senden',
      sent: (email) => `Ein Test ist unterwegs an ${email}`,
      subject: 'Ein Test von Crier',
      text: 'Dies ist ein Test. Wenn Sie ihn lesen können, funktionieren Ihre Mails.',
      failed: 'Der Test wurde nicht gesendet',
      inbox: 'Testpostfach öffnen',
    },
  },
  assistant: {
    title: 'Einen Assistenten verbinden',
    about:
      'Geben Sie diese Adresse einem Assistenten, der MCP spricht. Er findet den Rest heraus und schickt Sie zum Zustimmen hierher.',
    copy: 'Adresse kopieren',
  },
  waits: {
    title: 'Wartet auf Sie',
    nothing: 'Nichts wartet auf Sie.',
    approval: (name) => `„${name}“ wartet auf Freigabe`,
    decide: 'Ansehen und entscheiden',
    replies: (count) => `${count} Antworten warten auf eine Entscheidung`,
    domain: (domain) => `Die DNS-Einträge von ${domain} sind zu reparieren`,
    webhook: (url) => `Keine Antwort von ${url}`,
    open: 'Öffnen',
  },
  going: { title: 'Laufende Kampagnen', nothing: 'Keine Kampagne läuft.', all: 'Alle Kampagnen' },
  numbers: {
    title: 'Dieser Monat',
    contacts: 'Kontakte',
    emails: 'E-Mails',
    sms: 'SMS',
    calls: 'Aufrufe',
    of: (limit) => `von ${limit}`,
    perDay: (total) => `E-Mails nach Tagen in diesem Monat, zusammen ${total}`,
  },
}
