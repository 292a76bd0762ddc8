import type { refusals as english } from '../en/refusals.ts'

export const refusals: typeof english = {
  reasons: {
    unknown_field: () => 'Ce champ est inconnu ici.',
    missing: () => 'Cette information manque.',
    not_a_choice: ({ allowed }) => `Valeurs possibles : ${String(allowed)}.`,
    wrong_form: () => 'Cette information n’a pas la bonne forme.',
    wrong_type: () => 'Cette information n’est pas du bon type.',
    empty: () => 'Cette information ne peut pas être vide.',
    too_short: ({ limit }) => `Au moins ${String(limit)} caractères.`,
    too_long: ({ limit }) => `Au plus ${String(limit)} caractères.`,
    too_few: ({ limit }) => `Au moins ${String(limit)} éléments.`,
    too_many: ({ limit }) => `Au plus ${String(limit)} éléments.`,
    below_minimum: ({ limit }) => `Au moins ${String(limit)}.`,
    above_maximum: ({ limit }) => `Au plus ${String(limit)}.`,
    address_of_another: () =>
      'Cette adresse ou ce numéro de téléphone appartient déjà à un autre contact.',
    erased: () =>
      'Cette personne a été effacée de l’entreprise et ne peut pas être ajoutée de nouveau.',
    stop: () =>
      'Cette personne a répondu STOP par SMS. Elle seule peut revenir en arrière, en répondant START.',
    name_taken: () => 'Ce nom existe déjà. Choisissez-en un autre.',
    in_use: () => 'C’est encore utilisé. Modifiez d’abord ce qui l’utilise.',
    too_many_segments: () => 'Le nombre maximal de segments est atteint. Supprimez-en un d’abord.',
    domain_not_verified: () => 'Ce domaine n’est pas encore vérifié et ne peut pas envoyer.',
    too_late: () => 'Il est trop tard : le message est déjà en route ou terminé.',
    changed_meanwhile: () => 'Cela a été modifié entre-temps. Rechargez et vérifiez de nouveau.',
    approval_limit: () =>
      'Il y a plus de destinataires que permis sans approbation. Une personne doit approuver la campagne.',
    approval: () =>
      'Plus de personnes que prévu sont entrées dans cette automatisation. Une personne la reprend dans l’application.',
    drifted: () =>
      'Le contenu, la règle ou l’expéditeur ont changé depuis l’aperçu. Regardez de nouveau l’aperçu.',
    two_people: () =>
      'Une deuxième personne suppose assez de membres qui peuvent approuver : approbateurs, administrateurs ou propriétaires.',
    ordered_anew: () =>
      'La campagne a été retirée puis soumise de nouveau entre-temps. Vérifiez-la encore une fois.',
    paused: () =>
      'La campagne a été mise en pause entre-temps pour une autre raison. Vérifiez-la encore une fois.',
    marketing: () =>
      'Ce modèle vient d’un e-mail marketing de la galerie et ne peut pas être marqué comme transactionnel.',
    automation: () => 'C’est une automatisation, et non une campagne unique.',
    no_match: () => 'Aucun modèle ne correspond. Décrivez-le autrement.',
  },
  filter: 'Une condition du filtre est incomplète ou incorrecte. Vérifiez-les.',
  codes: {
    unauthorized: 'Votre session est terminée. Reconnectez-vous.',
    scope_required: 'L’autorisation nécessaire manque.',
    tier_required: 'La formule de cette entreprise n’en permet pas davantage.',
    role_required: 'Votre rôle dans cette entreprise ne le permet pas.',
    forbidden_origin: 'Cette requête venait d’un autre site.',
    not_found: 'Cela n’existe pas, ou n’existe plus.',
    gone: 'Cela n’existe plus.',
    erased: 'Cette personne a été effacée.',
    cursor_expired: 'La liste n’est plus à jour. Rechargez la page.',
    unsupported_media_type: 'Ce type de fichier n’est pas pris en charge.',
    rate_limited: 'Trop de requêtes. Réessayez dans un instant.',
    internal: 'Une erreur s’est produite dans le service. Réessayez.',
    unavailable: 'Le service est indisponible pour le moment. Réessayez dans un instant.',
  },
}
