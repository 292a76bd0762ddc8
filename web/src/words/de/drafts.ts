import type { drafts as english } from '../en/drafts.ts'

export const drafts: typeof english = {
  retrying:
    'Noch nicht gespeichert: Der Dienst ist nicht zu erreichen. Ihre Änderungen sind in diesem Browser aufgehoben und werden gespeichert, sobald er antwortet.',
  found: (ago) => `Ihre ungespeicherten Änderungen (${ago}) sind noch hier.`,
  discard: 'Verwerfen',
  both: 'Zwei Fassungen',
  who: {
    somebody: 'Jemand anderes',
    you: 'Ein anderes Fenster von Ihnen',
    program: 'Ein Assistent oder ein Programm',
    programOf: (email) => `Ein Assistent oder ein Programm von ${email}`,
  },
  stale: (ago) =>
    `hat${ago === undefined ? '' : ` ${ago}`} eine andere Fassung gespeichert. Ihre Änderungen sind noch hier. Welche Fassung soll gelten?`,
  theirs: 'Gespeichert',
  yours: 'Ihre',
  takeTheirs: 'Die gespeicherte nehmen',
  keepMine: 'Meine behalten',
  merged: 'Jemand anderes hat inzwischen andere Teile gespeichert. Beides bleibt erhalten.',
}
