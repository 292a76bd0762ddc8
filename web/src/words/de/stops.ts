import type { stops as english } from '../en/stops.ts'

export const stops: typeof english = {
  title: 'Versand stoppen',
  about:
    'Pausiert in Sekunden alle Kampagnen und Automationen dieses Unternehmens. Nichts geht verloren, und Sie können jederzeit fortsetzen.',
  stopAll: 'Gesamten Versand stoppen',
  withMessages: 'Auch Belege und andere Nachrichten, die Assistenten und API-Schlüssel senden',
  withConnections: 'Auch alle Assistenten stoppen',
  stopped: (when) => `Der gesamte Versand ist seit ${when} gestoppt.`,
  stoppedWithMessages: (when) =>
    `Der gesamte Versand einschließlich der Nachrichten von Assistenten und API-Schlüsseln ist seit ${when} gestoppt.`,
  resumeAll: 'Versand fortsetzen',
  waitsForAdmin: 'Ein Administrator oder Inhaber setzt ihn fort.',
  toldStopped: (campaigns, automations) =>
    `Versand gestoppt: ${campaigns} ${campaigns === 1 ? 'Kampagne' : 'Kampagnen'} und ${automations} ${automations === 1 ? 'Automation' : 'Automationen'} pausiert`,
  toldResumed: 'Versand fortgesetzt',
  assistants: 'Assistenten in diesem Unternehmen',
  yours: 'von Ihnen',
  stop: 'Stoppen',
  stopNamed: (name) => `${name} stoppen`,
  resume: 'Fortsetzen',
  resumeNamed: (name) => `${name} fortsetzen`,
  isStopped: 'Gestoppt',
  toldAssistantStopped: (name) =>
    `${name} ist gestoppt. Nachrichten warten, und Kampagnen sind pausiert.`,
  toldAssistantResumed: (name) => `${name} darf wieder handeln`,
  lastDay: 'In den letzten 24 Stunden',
  nothing: 'Nichts.',
  onlyLatest: 'Es war so viel Verkehr, dass nur das Neueste gezählt ist.',
  times: (count) => `${count}×`,
  done: {
    'campaign.save': 'Kampagnen gespeichert',
    'contact.created': 'Kontakte hinzugefügt',
    'contact.updated': 'Kontakte geändert',
    'form.save': 'Formulare gespeichert',
    'segment.save': 'Segmente gespeichert',
    'sequence.save': 'Automationen gespeichert',
    'template.save': 'Vorlagen gespeichert',
  },
  undo: {
    'campaign.pause': 'Pausieren',
    'campaign.unschedule': 'Planung aufheben',
    'import.cancel': 'Abbrechen',
    'import.undo': 'Rückgängig machen',
    'message.cancel': 'Abbrechen',
    'proposal.cancel': 'Abbrechen',
    'removal.cancel': 'Abbrechen',
    'sequence.pause': 'Pausieren',
    'sequence.stop': 'Beenden',
    'webhook.delete': 'Löschen',
  },
  toldUndone: 'Erledigt',
}
