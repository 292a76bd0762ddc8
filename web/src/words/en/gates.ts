/** What is said about the checks before a start, with those of a feed. */
import { gates as words } from 'crier-server/campaigns/preflight/words/en.ts'
import type { CheckWords } from 'crier-server/campaigns/preflight/words/sentences.ts'
import { feeds } from './feeds.ts'

export const gates: CheckWords = {
  ...words,
  findings: {
    ...words.findings,
    feed_unreadable: ({ fault }) => feeds.unreadable(String(fault)),
    feed_away: ({ fault }) => feeds.unreadable(String(fault)),
    feed_empty: () => 'The feed has no posts yet, so the email shows an invented one.',
  },
  advice: {
    ...words.advice,
    feed_unreadable: 'Enter the address of an RSS, Atom or JSON Feed.',
    feed_away:
      'Check again later. Until its links and pictures have been seen, each email waits for approval.',
    feed_empty: 'Check again once the first post is published.',
  },
}
