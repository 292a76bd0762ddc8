import type { foreignMail as english } from '../en/foreign-mail.ts'

export const foreignMail: typeof english = {
  about:
    'Collez le HTML ou le MJML d’un e-mail, ou choisissez son fichier : un export de Mailchimp, Klaviyo, Brevo ou d’un autre outil. Il devient des blocs que vous pouvez modifier.',
  paste: 'HTML ou MJML',
  choose: 'Choisir un fichier',
  convert: 'Convertir en blocs',
  before: 'Avant',
  after: 'En blocs',
  pictures:
    'Les images d’autres sites ne sont pas chargées ici. Elles restent où elles sont : importez vos propres copies avant de fermer l’ancien compte.',
  use: 'Utiliser ces blocs',
  back: 'Modifier le HTML',
  notes: 'À vérifier',
  allFine: 'Tout est devenu des blocs.',
  keptAsHtml: (count) =>
    count === 1
      ? '1 partie reste en HTML, car aucun bloc ne lui correspond.'
      : `${count} parties restent en HTML, car aucun bloc ne leur correspond.`,
  removed: (count) =>
    count === 1
      ? '1 formulaire, script, vidéo ou cadre a été retiré : aucune messagerie ne l’affiche.'
      : `${count} formulaires, scripts, vidéos ou cadres ont été retirés : aucune messagerie ne les affiche.`,
  picturesLost: (count) =>
    count === 1
      ? '1 image n’a pas d’adresse complète et a été laissée de côté : importez-la.'
      : `${count} images n’ont pas d’adresse complète et ont été laissées de côté : importez-les.`,
  blocksLost: (count) =>
    count === 1
      ? '1 bloc à la fin ne tenait pas dans un seul e-mail.'
      : `${count} blocs à la fin ne tenaient pas dans un seul e-mail.`,
  unknown:
    'Ces champs ne sont pas connus ici. Chacun est maintenant une place vide, à remplir ou à supprimer avant l’envoi :',
  known: (count) =>
    count === 1
      ? '1 champ est devenu l’un des vôtres.'
      : `${count} champs sont devenus les vôtres.`,
}
