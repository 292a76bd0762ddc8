import type { pastVolume as english } from '../en/past-volume.ts'

export const pastVolume: typeof english = {
  question: 'Sie haben von dieser Domain schon gesendet?',
  text: 'Wenn Sie von einem anderen Dienst kommen, sagen Sie, wie viele Mails die Domain dort an einem gewöhnlichen Tag gesendet hat. Wer diesen Dienst betreibt, kann das bestätigen; das Aufwärmen beginnt dann beim passenden Tag.',
  perDay: 'Mails am Tag',
  note: 'Von wo und seit wann (freiwillig)',
  send: 'Angabe senden',
  waiting: (mails, when) =>
    `Sie haben ${when} ${mails} Mails am Tag angegeben. Die Antwort des Betreibers steht noch aus.`,
  approved: (mails, when) =>
    `Der Betreiber hat ${when} ${mails} Mails am Tag bestätigt. Das Aufwärmen begann beim passenden Tag.`,
  refused: (mails, when) =>
    `Der Betreiber hat Ihre Angabe von ${mails} Mails am Tag ${when} abgelehnt. Das Aufwärmen beginnt beim ersten Tag.`,
  answer: 'Antwort des Betreibers:',
  newProvider: (most) =>
    `Ein Anbieter, an den diese Domain noch nicht gesendet hat, beginnt mit ${most} Mails.`,
}
