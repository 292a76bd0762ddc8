import { gates as words } from 'crier-server/campaigns/preflight/words/fr.ts'
import type { gates as english } from '../en/gates.ts'
import { feeds } from './feeds.ts'

export const gates: typeof english = {
  ...words,
  findings: {
    ...words.findings,
    feed_unreadable: ({ fault }) => feeds.unreadable(String(fault)),
    feed_away: ({ fault }) => feeds.unreadable(String(fault)),
    feed_empty: () => 'Le flux n’a pas encore d’article : l’e-mail en montre un inventé.',
  },
  advice: {
    ...words.advice,
    feed_unreadable: 'Indiquez l’adresse d’un flux RSS, Atom ou JSON Feed.',
    feed_away:
      'Vérifiez plus tard. Tant que ses liens et images n’ont pas été vus, chaque e-mail attend une approbation.',
    feed_empty: 'Vérifiez de nouveau quand le premier article aura paru.',
  },
}
