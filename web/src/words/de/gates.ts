import { gates as words } from 'crier-server/campaigns/preflight/words/de.ts'
import type { gates as english } from '../en/gates.ts'
import { feeds } from './feeds.ts'

export const gates: typeof english = {
  ...words,
  findings: {
    ...words.findings,
    feed_unreadable: ({ fault }) => feeds.unreadable(String(fault)),
    feed_away: ({ fault }) => feeds.unreadable(String(fault)),
    feed_empty: () =>
      'Der Feed hat noch keine Beiträge, deshalb zeigt die E-Mail einen erfundenen.',
  },
  advice: {
    ...words.advice,
    feed_unreadable: 'Geben Sie die Adresse eines RSS-, Atom- oder JSON-Feeds an.',
    feed_away:
      'Prüfen Sie später noch einmal. Bis seine Links und Bilder einmal zu sehen waren, wartet jede E-Mail auf Freigabe.',
    feed_empty: 'Prüfen Sie noch einmal, sobald der erste Beitrag erschienen ist.',
  },
}
