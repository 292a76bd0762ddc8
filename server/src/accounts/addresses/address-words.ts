/** The words of the mails and of the page about the change of an address. */
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'

/** Which mailbox a link belongs to, and what it does. */
export type AddressAct = 'old' | 'new' | 'undo'

/** What the press of a link's button did. */
export type AddressOutcome = 'waits' | 'changed' | 'undone'

interface Addresses {
  oldEmail: string
  newEmail: string
}

export function addressMailWords(
  language: MailLanguage,
  act: AddressAct,
  { oldEmail, newEmail }: Addresses,
): ServiceMailWords {
  const shown = { from: withoutLinks(oldEmail), to: withoutLinks(newEmail) }
  return { en: english, de: german, fr: french }[language].mail[act](shown)
}

export const addressPageWords = (language: MailLanguage) =>
  ({ en: english, de: german, fr: french })[language]

interface Words {
  mail: Record<AddressAct, (shown: { from: string; to: string }) => ServiceMailWords>
  title: string
  text: Record<AddressAct, string>
  button: Record<AddressAct, string>
  from: string
  to: string
  done: Record<AddressOutcome, string>
  goOn: string
}

const english: Words = {
  mail: {
    old: ({ from, to }) => ({
      subject: 'Confirm the change of your Crier address',
      message: `You asked to change the address by which you sign in from ${from} to ${to}.`,
      button: 'Confirm the change',
      terms: 'Both addresses have to confirm within 24 hours.',
      otherwise:
        'If this wasn’t you, do not confirm. Someone can use your session: sign in and end all other sessions.',
    }),
    new: ({ from, to }) => ({
      subject: 'Confirm your new Crier address',
      message: `${from} asked to sign in to Crier with ${to} from now on.`,
      button: 'Confirm this address',
      terms: 'Both addresses have to confirm within 24 hours.',
      otherwise: 'If you don’t know about this, ignore this mail. Nothing happens.',
    }),
    undo: ({ to }) => ({
      subject: 'Your Crier address was changed',
      message: `You now sign in to Crier with ${to}.`,
      button: 'Undo the change',
      terms: 'You can undo it for 7 days. That also ends all sessions.',
      otherwise: 'If it was you, there is nothing to do.',
    }),
  },
  title: 'Change of address',
  text: {
    old: 'Confirm that you want to sign in with the new address.',
    new: 'Confirm that this address is yours.',
    undo: 'Go back to the old address. All sessions end.',
  },
  button: { old: 'Confirm', new: 'Confirm', undo: 'Undo the change' },
  from: 'Old address',
  to: 'New address',
  done: {
    waits: 'Confirmed. Now confirm in the other mailbox too.',
    changed: 'The address was changed. Sign in with it from now on.',
    undone: 'The change was undone, and all sessions were ended.',
  },
  goOn: 'Go to Crier',
}

const german: Words = {
  mail: {
    old: ({ from, to }) => ({
      subject: 'Bestätigen Sie die Änderung Ihrer Crier-Adresse',
      message: `Sie möchten die Adresse, mit der Sie sich anmelden, von ${from} in ${to} ändern.`,
      button: 'Änderung bestätigen',
      terms: 'Beide Adressen müssen innerhalb von 24 Stunden bestätigen.',
      otherwise:
        'Wenn Sie es nicht waren, bestätigen Sie nicht. Jemand kann Ihre Sitzung benutzen: Melden Sie sich an, und beenden Sie alle anderen Sitzungen.',
    }),
    new: ({ from, to }) => ({
      subject: 'Bestätigen Sie Ihre neue Crier-Adresse',
      message: `${from} möchte sich künftig mit ${to} bei Crier anmelden.`,
      button: 'Diese Adresse bestätigen',
      terms: 'Beide Adressen müssen innerhalb von 24 Stunden bestätigen.',
      otherwise: 'Wenn Sie davon nichts wissen, ignorieren Sie diese E-Mail. Es geschieht nichts.',
    }),
    undo: ({ to }) => ({
      subject: 'Ihre Crier-Adresse wurde geändert',
      message: `Sie melden sich jetzt mit ${to} bei Crier an.`,
      button: 'Änderung rückgängig machen',
      terms: 'Das geht 7 Tage lang und beendet auch alle Sitzungen.',
      otherwise: 'Wenn Sie es waren, ist nichts zu tun.',
    }),
  },
  title: 'Änderung der Adresse',
  text: {
    old: 'Bestätigen Sie, dass Sie sich mit der neuen Adresse anmelden möchten.',
    new: 'Bestätigen Sie, dass diese Adresse Ihnen gehört.',
    undo: 'Kehren Sie zur alten Adresse zurück. Alle Sitzungen werden beendet.',
  },
  button: { old: 'Bestätigen', new: 'Bestätigen', undo: 'Änderung rückgängig machen' },
  from: 'Alte Adresse',
  to: 'Neue Adresse',
  done: {
    waits: 'Bestätigt. Bestätigen Sie nun auch im anderen Postfach.',
    changed: 'Die Adresse wurde geändert. Melden Sie sich ab jetzt mit ihr an.',
    undone: 'Die Änderung wurde rückgängig gemacht, und alle Sitzungen wurden beendet.',
  },
  goOn: 'Weiter zu Crier',
}

const french: Words = {
  mail: {
    old: ({ from, to }) => ({
      subject: 'Confirmez le changement de votre adresse Crier',
      message: `Vous avez demandé à remplacer l’adresse avec laquelle vous vous connectez, ${from}, par ${to}.`,
      button: 'Confirmer le changement',
      terms: 'Les deux adresses doivent confirmer dans les 24 heures.',
      otherwise:
        'Si ce n’était pas vous, ne confirmez pas. Quelqu’un peut utiliser votre session\u00a0: connectez-vous et mettez fin à toutes les autres sessions.',
    }),
    new: ({ from, to }) => ({
      subject: 'Confirmez votre nouvelle adresse Crier',
      message: `${from} demande à se connecter désormais à Crier avec ${to}.`,
      button: 'Confirmer cette adresse',
      terms: 'Les deux adresses doivent confirmer dans les 24 heures.',
      otherwise: 'Si vous n’êtes pas au courant, ignorez cet e-mail. Rien ne se passera.',
    }),
    undo: ({ to }) => ({
      subject: 'Votre adresse Crier a été modifiée',
      message: `Vous vous connectez maintenant à Crier avec ${to}.`,
      button: 'Annuler le changement',
      terms: 'Vous pouvez l’annuler pendant 7 jours. Cela met aussi fin à toutes les sessions.',
      otherwise: 'Si c’était vous, il n’y a rien à faire.',
    }),
  },
  title: 'Changement d’adresse',
  text: {
    old: 'Confirmez que vous voulez vous connecter avec la nouvelle adresse.',
    new: 'Confirmez que cette adresse est à vous.',
    undo: 'Revenez à l’ancienne adresse. Toutes les sessions prennent fin.',
  },
  button: { old: 'Confirmer', new: 'Confirmer', undo: 'Annuler le changement' },
  from: 'Ancienne adresse',
  to: 'Nouvelle adresse',
  done: {
    waits: 'Confirmé. Confirmez maintenant aussi dans l’autre messagerie.',
    changed: 'L’adresse a été modifiée. Connectez-vous désormais avec elle.',
    undone: 'Le changement a été annulé et toutes les sessions ont pris fin.',
  },
  goOn: 'Aller à Crier',
}
