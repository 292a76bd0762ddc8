import type { pastVolume as english } from '../en/past-volume.ts'

export const pastVolume: typeof english = {
  question: 'Haben Sie von dieser Domain schon gesendet?',
  text: 'Wenn Sie von einem anderen Dienst wechseln, geben Sie an, wie viele E-Mails die Domain dort an einem üblichen Tag gesendet hat. Bestätigt der Betreiber dieses Dienstes die Angabe, beginnt die Warm-up-Phase am passenden Tag.',
  perDay: 'E-Mails pro Tag',
  note: 'Von wo und seit wann (optional)',
  send: 'Bestätigung anfordern',
  waiting: (mails, when) =>
    `Sie haben ${when} ${mails} E-Mails pro Tag angegeben. Der Betreiber hat noch nicht geantwortet.`,
  approved: (mails, when) =>
    `Der Betreiber hat ${when} ${mails} E-Mails pro Tag bestätigt. Die Warm-up-Phase begann am passenden Tag.`,
  refused: (mails, when) =>
    `Der Betreiber hat Ihre Angabe von ${mails} E-Mails pro Tag ${when} abgelehnt. Die Warm-up-Phase beginnt am ersten Tag.`,
  answer: 'Antwort des Betreibers:',
  newProvider: (most) =>
    `Ein Anbieter, an den diese Domain noch nicht gesendet hat, beginnt mit ${most} E-Mails.`,
}
