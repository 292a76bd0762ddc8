import type { proposals as english } from '../en/proposals.ts'

export const proposals: typeof english = {
  title: 'E-mails proposés',
  none: 'Aucun assistant n’a proposé d’e-mails. Ce qu’un assistant écrit à une seule personne vous attend ici.',
  about:
    'Des assistants ont écrit ces e-mails, chacun à une personne. Rien n’est envoyé sans votre accord : les envois se font entre 8 h et 20 h, trois par jour au plus à une même personne.',
  from: (name) => `De ${name}`,
  member: 'un membre ou une clé d’API',
  kinds: { marketing: 'Promotionnel', transactional: 'Transactionnel' },
  waiting: (count) => `${count} en attente`,
  states: {
    approved: 'Approuvé',
    sent: 'Envoyé',
    refused: 'Refusé',
    failed: 'Échoué',
    cancelled: 'Annulé',
  },
  sampled: (read, sample, waiting) =>
    sample === waiting
      ? `${read} lus sur ${sample}. Lisez-les tous pour les approuver ensemble.`
      : `${read} lus sur ${sample}. Lisez ces ${sample} e-mails pour approuver les ${waiting} ensemble.`,
  pleaseRead: 'À lire',
  approve: 'Approuver',
  approveAll: (count) => `Approuver les ${count}`,
  refuse: 'Refuser',
  refuseAll: (count) => `Refuser les ${count}`,
  reason: 'Motif',
  reasonHint: 'L’assistant le lit.',
  edit: 'Modifier',
  subject: 'Objet',
  text: 'Texte',
  save: 'Enregistrer',
  discard: 'Annuler',
  toldApproved: (count) => `${count} ${count === 1 ? 'e-mail approuvé' : 'e-mails approuvés'}`,
  toldRefused: (count) => `${count} ${count === 1 ? 'e-mail refusé' : 'e-mails refusés'}`,
  toldSaved: 'Enregistré',
}
