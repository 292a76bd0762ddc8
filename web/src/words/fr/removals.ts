import type { removals as english } from '../en/removals.ts'

export const removals: typeof english = {
  title: 'En attente pendant 24 heures',
  about:
    'Des assistants ont ordonné ce qui ne peut pas être annulé. Ce sera fait après 24 heures, sauf si vous l’annulez, ou tout de suite si vous le confirmez.',
  erase: (person) => `Effacer ${person}`,
  merge: (other, person) => `Fusionner ${other} avec ${person}`,
  domain: (domain) => `Retirer le domaine ${domain}`,
  by: 'Ordonné par',
  due: (when) => `prévu le ${when}`,
  waits: 'attend votre décision, car l’assistant a été arrêté ou déconnecté',
  cancel: 'Annuler',
  complete: 'Exécuter maintenant',
  toldCancelled: 'Annulé. Rien n’a été retiré.',
  toldCompleted: 'C’est fait',
}
