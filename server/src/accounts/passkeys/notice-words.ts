/** The words of the mail about a passkey, in the languages of the mails for members. */
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'
import type { PasskeyEvent } from './passkey.ts'

interface Notice {
  event: PasskeyEvent
  name: string
  at: Date
}

export function passkeyMailWords(
  language: MailLanguage,
  { event, name, at }: Notice,
): ServiceMailWords {
  const locale = language === 'en' ? 'en-GB' : language
  const moment = at.toLocaleString(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return { en: english, de: german, fr: french }[language](event)(withoutLinks(name), moment)
}

type Words = (name: string, moment: string) => ServiceMailWords

const english = (event: PasskeyEvent): Words => {
  const button = 'See your passkeys'
  const otherwise =
    'If this wasn’t you, someone can read your email or use your browser: remove passkeys you don’t know, and end all other sessions.'
  const of: Record<PasskeyEvent, Words> = {
    added: (name, moment) => ({
      subject: 'A passkey was added to your Crier account',
      message: `The passkey “${name}” was added on ${moment} UTC.`,
      button,
      terms: 'You can sign in with it from now on, without a mail.',
      otherwise,
    }),
    removed: (name, moment) => ({
      subject: 'A passkey was removed from your Crier account',
      message: `The passkey “${name}” was removed on ${moment} UTC.`,
      button,
      terms: 'Nobody can sign in with it any more.',
      otherwise,
    }),
    copied: (name, moment) => ({
      subject: 'A passkey of your Crier account may have been copied',
      message: `The passkey “${name}” answered on ${moment} UTC with an old counter, as a copy of it would. We refused it.`,
      button,
      terms: 'Remove this passkey and add a new one, unless you know the reason.',
      otherwise: 'You can sign in by email as before.',
    }),
  }
  return of[event]
}

const german = (event: PasskeyEvent): Words => {
  const button = 'Passkeys ansehen'
  const otherwise =
    'Wenn Sie es nicht waren, liest jemand Ihre E-Mails oder benutzt Ihren Browser: Entfernen Sie unbekannte Passkeys und beenden Sie alle anderen Sitzungen.'
  const of: Record<PasskeyEvent, Words> = {
    added: (name, moment) => ({
      subject: 'Ihrem Crier-Konto wurde ein Passkey hinzugefügt',
      message: `Der Passkey „${name}“ wurde am ${moment} UTC hinzugefügt.`,
      button,
      terms: 'Sie können sich ab jetzt damit anmelden, ohne E-Mail.',
      otherwise,
    }),
    removed: (name, moment) => ({
      subject: 'Ein Passkey Ihres Crier-Kontos wurde entfernt',
      message: `Der Passkey „${name}“ wurde am ${moment} UTC entfernt.`,
      button,
      terms: 'Niemand kann sich mehr damit anmelden.',
      otherwise,
    }),
    copied: (name, moment) => ({
      subject: 'Ein Passkey Ihres Crier-Kontos wurde möglicherweise kopiert',
      message: `Der Passkey „${name}“ hat am ${moment} UTC mit einem alten Zähler geantwortet, wie es eine Kopie täte. Wir haben ihn abgewiesen.`,
      button,
      terms:
        'Entfernen Sie diesen Passkey und fügen Sie einen neuen hinzu, wenn Sie den Grund nicht kennen.',
      otherwise: 'Per E-Mail können Sie sich weiterhin anmelden.',
    }),
  }
  return of[event]
}

const french = (event: PasskeyEvent): Words => {
  const button = 'Voir vos clés d’accès'
  const otherwise =
    'Si ce n’était pas vous, quelqu’un lit vos e-mails ou utilise votre navigateur : supprimez les clés d’accès inconnues et mettez fin à toutes les autres sessions.'
  const of: Record<PasskeyEvent, Words> = {
    added: (name, moment) => ({
      subject: 'Une clé d’accès a été ajoutée à votre compte Crier',
      message: `La clé d’accès « ${name} » a été ajoutée le ${moment} UTC.`,
      button,
      terms: 'Vous pouvez désormais vous connecter avec elle, sans e-mail.',
      otherwise,
    }),
    removed: (name, moment) => ({
      subject: 'Une clé d’accès de votre compte Crier a été supprimée',
      message: `La clé d’accès « ${name} » a été supprimée le ${moment} UTC.`,
      button,
      terms: 'Plus personne ne peut se connecter avec elle.',
      otherwise,
    }),
    copied: (name, moment) => ({
      subject: 'Une clé d’accès de votre compte Crier a peut-être été copiée',
      message: `La clé d’accès « ${name} » a répondu le ${moment} UTC avec un ancien compteur, comme le ferait une copie. Nous l’avons refusée.`,
      button,
      terms:
        'Supprimez cette clé et ajoutez-en une nouvelle, sauf si vous en connaissez la raison.',
      otherwise: 'Vous pouvez toujours vous connecter par e-mail.',
    }),
  }
  return of[event]
}
