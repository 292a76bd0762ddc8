import type { domains as english } from '../en/domains.ts'

export const domains: typeof english = {
  title: 'Domaines',
  add: 'Ajouter un domaine',
  addText:
    'Le domaine depuis lequel vous envoyez des e-mails, par exemple mail.example.com. Vous obtenez ensuite les enregistrements DNS à ajouter.',
  name: 'Domaine',
  empty:
    'Aucun domaine pour l’instant. Envoyer depuis votre propre domaine inspire confiance. Ajoutez-le, puis ajoutez les enregistrements DNS indiqués.',
  addedByApp:
    'Une application connectée a ajouté ce domaine. Tant que vous n’avez pas confirmé qu’il est à vous, les e-mails dont les liens y transmettent des données de vos lecteurs attendent votre accord.',
  isOurs: 'Ce domaine est à nous',
  status: {
    pending: 'Enregistrements DNS manquants',
    verified: 'Vérifié',
    degraded: 'Enregistrements DNS incorrects',
  },
  check: 'Vérifier maintenant',
  checked: (when) => `vérifié ${when}`,
  never: 'pas encore vérifié',
  zone: 'Copier comme fichier de zone',
  remove: 'Supprimer',
  removeText:
    'Plus aucun e-mail n’en est envoyé. Vous pourrez supprimer ses enregistrements DNS après une semaine.',
  removed: 'Domaine supprimé',
  failed: 'L’action a échoué',
  record: 'Type',
  host: 'Nom',
  value: 'Valeur',
  state: 'Statut',
  found: 'Trouvé :',
  states: { ok: 'Trouvé', missing: 'Manquant', wrong: 'Incorrect', unknown: 'Pas encore vérifié' },
  neededFor: {
    verification: 'obligatoire',
    marketing: 'pour le marketing',
    tracking: 'pour le suivi',
    key_change: 'pour une nouvelle clé',
    nothing: 'recommandé',
  },
  verdicts: {
    pending: (missing) =>
      `Pas encore vérifié : il manque ${missing} enregistrements DNS. Créez-les chez le fournisseur du domaine. La vérification se refait automatiquement.`,
    verified: (missing) =>
      missing === '0'
        ? 'Vérifié et prêt pour le marketing.'
        : `Vérifié. ${missing} enregistrements manquent encore ou sont incorrects.`,
    degraded: () =>
      'L’enregistrement DKIM a disparu. Créez-le de nouveau, sinon les messageries se méfient de vos e-mails.',
  },
  remedies: {
    missing: 'Créez cet enregistrement, avec exactement cette valeur.',
    wrong: 'Remplacez la valeur trouvée par celle-ci.',
    unknown: 'Le DNS n’a pas répondu. Il sera interrogé de nouveau.',
  },
  refusedBy: {
    title: 'Refusé par des fournisseurs',
    text: (provider, kind, time) => `${provider} a refusé ${kind} de ce domaine ${time} :`,
    kinds: { transactional: 'des e-mails transactionnels', marketing: 'des e-mails marketing' },
    held: (time) => `L’envoi vers ce fournisseur est suspendu ; prochaine tentative ${time}.`,
  },
  warmUp: {
    title: 'Préchauffage',
    text: (first, days) =>
      `Un fournisseur qui ne connaît pas encore ce domaine reçoit au plus ${first} e-mails marketing le premier jour, puis davantage chaque jour. Après ${days} jours, il n’y a plus de limite. Les reçus ne sont jamais limités.`,
    none: 'Aucun e-mail marketing envoyé pour l’instant.',
    provider: 'Fournisseur',
    today: (sent, most) => `${sent} sur ${most} aujourd’hui`,
    free: (sent) => `${sent} aujourd’hui, sans limite`,
    daysLeft: (days) => `encore ${days} ${days === '1' ? 'jour' : 'jours'}`,
    held: {
      refusals: (time) => `Suspendu : le fournisseur a refusé l’expéditeur. Reprise ${time}.`,
      allowance: (time) => `La limite du jour est atteinte. Reprise ${time}.`,
    },
  },
}
