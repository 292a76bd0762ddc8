import type { drafts as english } from '../en/drafts.ts'

export const drafts: typeof english = {
  retrying:
    'Noch nicht gespeichert: Der Dienst ist nicht erreichbar. Ihre Änderungen sind in diesem Browser gesichert und werden gespeichert, sobald er antwortet.',
  found: (ago) => `Ihre ungespeicherten Änderungen (${ago}) sind noch hier.`,
  discard: 'Änderungen verwerfen',
  both: 'Zwei Versionen',
  who: {
    somebody: 'Jemand anderes',
    you: 'Ein anderes Fenster von Ihnen',
    program: 'Ein Assistent oder ein Programm',
    programOf: (email) => `Ein Assistent oder ein Programm von ${email}`,
  },
  stale: (ago) =>
    `hat${ago === undefined ? '' : ` ${ago}`} eine andere Version gespeichert. Ihre Änderungen sind noch hier. Welche Version soll gelten?`,
  theirs: 'Gespeichert',
  yours: 'Ihre',
  takeTheirs: 'Gespeicherte Version verwenden',
  keepMine: 'Meine behalten',
  merged:
    'Jemand anderes hat inzwischen andere Teile gespeichert. Beide Änderungen bleiben erhalten.',
}
