import type { proposals as english } from '../en/proposals.ts'

export const proposals: typeof english = {
  title: 'Vorgeschlagene E-Mails',
  none: 'Kein Assistent hat E-Mails vorgeschlagen. Was einer an einzelne Personen schreibt, wartet hier auf Sie.',
  about:
    'Diese E-Mails haben Assistenten geschrieben, jede an eine Person. Gesendet wird nur, was Sie freigeben: zwischen 8 und 20 Uhr und höchstens drei am Tag an eine Person.',
  from: (name) => `Von ${name}`,
  member: 'einem Mitglied oder API-Schlüssel',
  kinds: { marketing: 'Werbung', transactional: 'Transaktional' },
  waiting: (count) => `${count} warten`,
  states: {
    approved: 'Freigegeben',
    sent: 'Gesendet',
    refused: 'Abgelehnt',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  sampled: (read, sample, waiting) =>
    sample === waiting
      ? `${read} von ${sample} gelesen. Lesen Sie alle, um sie zusammen freizugeben.`
      : `${read} von ${sample} gelesen. Lesen Sie diese ${sample}, um alle ${waiting} zusammen freizugeben.`,
  pleaseRead: 'Bitte lesen',
  approve: 'Freigeben',
  approveAll: (count) => `Alle ${count} freigeben`,
  refuse: 'Ablehnen',
  refuseAll: (count) => `Alle ${count} ablehnen`,
  reason: 'Grund',
  reasonHint: 'Der Assistent liest ihn.',
  edit: 'Bearbeiten',
  subject: 'Betreff',
  text: 'Inhalt',
  save: 'Speichern',
  discard: 'Abbrechen',
  toldApproved: (count) => `${count} ${count === 1 ? 'E-Mail' : 'E-Mails'} freigegeben`,
  toldRefused: (count) => `${count} ${count === 1 ? 'E-Mail' : 'E-Mails'} abgelehnt`,
  toldSaved: 'Gespeichert',
}
