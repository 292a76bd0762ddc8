import type { senderRequirements as english } from '../en/sender-requirements.ts'

export const senderRequirements: typeof english = {
  spf: 'SPF a échoué. Publiez l’enregistrement SPF de votre domaine, avec le serveur qui envoie.',
  dkim: 'DKIM a échoué. Publiez l’enregistrement DKIM de votre domaine.',
  dmarc:
    'DMARC a échoué, ou il n’y a pas d’enregistrement DMARC. Publiez-en un sous _dmarc de votre domaine.',
  alignment:
    'L’adresse d’expéditeur ne correspond pas au domaine que SPF ou DKIM authentifie. Envoyez depuis le domaine dont vous avez publié les enregistrements.',
  ptr: 'L’adresse du serveur de messagerie n’a pas d’enregistrement DNS inverse (PTR). C’est à la personne qui exploite le serveur de le définir.',
  mx: 'Le domaine de l’expéditeur n’a pas d’enregistrement MX ou A.',
  tls: 'La connexion n’était pas chiffrée (TLS). C’est à la personne qui exploite le serveur de messagerie de l’activer.',
  unsubscribe: 'L’en-tête List-Unsubscribe pour la désinscription en un clic manque.',
}
