import type { businesses as english } from '../en/businesses.ts'

export const businesses: typeof english = {
  title: 'Toutes les entreprises',
  tier: (name) => `Formule ${name}`,
  waiting: (count) => `${count} à approuver`,
  going: (count) => `${count} en cours d’envoi`,
  nothing: 'Rien en attente',
  lacks: {
    postal_address: 'Pas d’adresse postale',
    sender_domain: 'Pas de domaine d’envoi',
  },
  emails: 'E-mails ce mois-ci',
  of: (used, limit) => `${used} sur ${limit}`,
  unlimited: (used) => `${used}, sans limite`,
  csv: 'Consommation en CSV',
  file: 'Export de la consommation',
  month: 'Mois',
  csvText:
    'Une ligne par entreprise et par mesure. Pour les mois passés, la consommation est affichée avec les limites d’aujourd’hui.',
  more: 'Afficher plus',
  failed: 'La consommation n’a pas pu être chargée',
  add: {
    title: 'Nouvelle entreprise',
    about: 'Vous en devenez propriétaire. Elle démarre avec ce que vous choisissez de copier.',
    name: 'Nom',
    from: 'Copier depuis',
    what: 'Ce qu’il faut copier',
    kinds: {
      settings: 'Paramètres',
      templates: 'Modèles',
      forms: 'Formulaires',
      segments: 'Segments',
    },
    hints: {
      settings:
        'Langue, fuseau horaire, couleur, suivi, approbation et conservation. Ni l’adresse postale ni l’expéditeur.',
      templates: 'La version actuelle de chacun.',
      forms: 'En brouillons, avec leurs thèmes. Relisez-les avant de les publier.',
      segments: 'Avec leurs thèmes. Les segments qui dépendent d’une campagne ne sont pas copiés.',
    },
    never: 'Les contacts, consentements, domaines, clés et membres ne sont jamais copiés.',
    noOwner: 'Vous n’êtes encore propriétaire d’aucune entreprise à copier.',
    create: 'Créer l’entreprise',
    done: (name) => `${name} : entreprise créée`,
    copied: 'Copié',
    count: { settings: 'Les paramètres' },
    leftOut: 'Non copié',
    why: {
      names_campaign: 'Dépend d’une campagne, et les campagnes ne sont pas copiées.',
      names_what_is_not_copied:
        'Dépend d’un modèle, d’un formulaire ou d’un segment qui n’a pas été copié.',
    },
    open: 'Ouvrir l’entreprise',
  },
}
