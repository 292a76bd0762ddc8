import type { suppressions as english } from '../en/suppressions.ts'

export const suppressions: typeof english = {
  about:
    'Les adresses auxquelles cette entreprise n’envoie pas. Une plainte pour spam ne bloque que le marketing ; un échec de distribution bloque tous les e-mails jusqu’à ce qu’un propriétaire lève le blocage.',
  find: 'Rechercher une adresse e-mail ou un numéro de téléphone',
  empty: 'Aucune adresse bloquée. Les adresses en rejet ou en plainte apparaissent ici.',
  notThere: 'Cette adresse n’est pas bloquée.',
  part: 'Saisissez l’adresse complète, ou un numéro avec l’indicatif du pays. Crier conserve la plupart sous forme d’empreintes et ne peut donc pas chercher par fragments.',
  all: 'Afficher toutes les adresses',
  unjudged:
    'Certaines de ces adresses ont été bloquées selon une règle antérieure, et la réponse du serveur de messagerie n’est plus conservée. Elle concernait peut-être l’expéditeur. Levez le blocage des adresses que vous savez valides.',
  onlyUnjudged: 'Afficher seulement celles-ci',
  notJudgeable: 'Bloquée selon une règle antérieure ; la réponse n’est plus conservée.',
  importList: 'Importer une liste',
  unnamed: 'Adresse sans contact',
  hashed: (start) => `SHA-256 ${start}…`,
  channels: { email: 'E-mail', sms: 'SMS' },
  anyChannel: 'Empreinte seulement',
  reasons: {
    bounce: 'E-mails rejetés',
    complaint: 'A signalé un message comme spam',
    manual: 'Bloquée par un membre',
    stop: 'A répondu STOP',
    unsubscribed: 'Désinscription ailleurs, d’après une liste importée',
  },
  stops: { marketing: 'pas de marketing', everything: 'aucun message' },
  since: (when) => `depuis le ${when}`,
  lift: 'Débloquer',
  liftTitle: (name) => `Lever le blocage de ${name} ?`,
  liftText: 'L’adresse revient dans cette liste en cas de nouvel échec ou de nouvelle plainte.',
  why: 'Raison',
  whyHint: 'Conservée dans le journal d’audit.',
  liftDo: 'Lever le blocage',
  lifted: 'Blocage levé',
  gone: 'Cette adresse n’était plus bloquée.',
  stays: 'Débloquée pour les reçus. Le marketing reste bloqué à cause d’une plainte pour spam.',
}
