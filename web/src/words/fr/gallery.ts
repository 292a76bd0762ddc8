import type { gallery as english } from '../en/gallery.ts'

export const gallery: typeof english = {
  about:
    'Chaque e-mail est affiché à vos couleurs. Les emplacements à compléter sont signalés : remplissez-les ou supprimez leurs blocs avant l’envoi.',
  aboutTexts:
    'Chaque texte tient dans un seul SMS une fois complété. Les emplacements à compléter sont signalés.',
  business: 'Votre entreprise',
  groups: 'Objectifs',
  all: 'Tous',
  news: 'Actualités',
  offers: 'Offres',
  events: 'Événements',
  relations: 'Relation client',
  orders: 'Commandes et rendez-vous',
}
