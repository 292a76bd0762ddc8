import type { removals as english } from '../en/removals.ts'

export const removals: typeof english = {
  title: 'Für 24 Stunden zurückgestellt',
  about:
    'Assistenten haben etwas angeordnet, das sich nicht rückgängig machen lässt. Es geschieht nach 24 Stunden, wenn Sie es nicht abbrechen, oder sofort, wenn Sie es bestätigen.',
  erase: (person) => `${person} löschen`,
  merge: (other, person) => `${other} mit ${person} zusammenführen`,
  domain: (domain) => `Die Domain ${domain} entfernen`,
  by: 'Angeordnet von',
  due: (when) => `geschieht am ${when}`,
  waits: 'wartet auf Sie, weil der Assistent gestoppt oder getrennt wurde',
  cancel: 'Abbrechen',
  complete: 'Jetzt ausführen',
  toldCancelled: 'Abgebrochen. Nichts wurde entfernt.',
  toldCompleted: 'Erledigt',
}
