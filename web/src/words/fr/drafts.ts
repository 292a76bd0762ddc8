import type { drafts as english } from '../en/drafts.ts'

export const drafts: typeof english = {
  retrying:
    'Pas encore enregistré : le service est injoignable. Vos modifications sont conservées dans ce navigateur et seront enregistrées dès qu’il répondra.',
  found: (ago) => `Vos modifications non enregistrées (${ago}) sont toujours là.`,
  discard: 'Abandonner les modifications',
  both: 'Deux versions',
  who: {
    somebody: 'Quelqu’un d’autre',
    you: 'Une autre de vos fenêtres',
    program: 'Un assistant ou un programme',
    programOf: (email) => `Un assistant ou un programme de ${email}`,
  },
  stale: (ago) =>
    `a enregistré une autre version${ago === undefined ? '' : ` ${ago}`}. Vos modifications sont toujours là. Quelle version voulez-vous garder ?`,
  theirs: 'Enregistrée',
  yours: 'La vôtre',
  takeTheirs: 'Prendre la version enregistrée',
  keepMine: 'Garder la mienne',
  merged:
    'Quelqu’un d’autre a enregistré d’autres parties entre-temps. Les deux modifications sont conservées.',
}
