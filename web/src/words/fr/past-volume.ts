import type { pastVolume as english } from '../en/past-volume.ts'

export const pastVolume: typeof english = {
  question: 'Avez-vous déjà envoyé depuis ce domaine ?',
  text: 'Si vous venez d’un autre service, indiquez combien d’e-mails le domaine y envoyait un jour normal. Dès que l’opérateur de ce service l’approuve, le préchauffage commence au jour correspondant.',
  perDay: 'E-mails par jour',
  note: 'D’où et depuis quand (facultatif)',
  send: 'Demander l’approbation',
  waiting: (mails, when) =>
    `Vous avez indiqué ${mails} e-mails par jour ${when}. L’opérateur n’a pas encore répondu.`,
  approved: (mails, when) =>
    `L’opérateur a approuvé ${mails} e-mails par jour ${when}. Le préchauffage a commencé au jour correspondant.`,
  refused: (mails, when) =>
    `L’opérateur a refusé vos ${mails} e-mails par jour ${when}. Le préchauffage commence au jour 1.`,
  answer: 'Réponse de l’opérateur :',
  newProvider: (most) =>
    `Un fournisseur auquel ce domaine n’a pas encore envoyé commence avec ${most} e-mails.`,
}
