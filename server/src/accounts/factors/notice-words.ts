/** The words of the mails about second factors, in the languages of the mails for members. */
import type { ServiceMailWords } from '../../lib/email/service-mail.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'
import type { FactorEvent } from './factor.ts'

interface Notice {
  event: FactorEvent
  at: Date
}

export function factorMailWords(language: MailLanguage, { event, at }: Notice): ServiceMailWords {
  const locale = language === 'en' ? 'en-GB' : language
  const moment = at.toLocaleString(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const { button, otherwise, of } = { en: english, de: german, fr: french }[language]
  const [subject, message, terms] = of[event](moment)
  return { subject, message, button, terms, otherwise }
}

interface Words {
  button: string
  otherwise: string
  /** The subject, the message, and what follows from it. */
  of: Record<FactorEvent, (moment: string) => [string, string, string]>
}

const english: Words = {
  button: 'See your sign-in methods',
  otherwise:
    'If this wasn’t you, someone can read your mail or use your browser: change your mailbox’s password, end all other sessions, and tell an owner of your business.',
  of: {
    app_added: (moment) => [
      'An authenticator app was added to your Crier account',
      `An authenticator app was added on ${moment} UTC.`,
      'From now on, signing in by mail also asks for its code.',
    ],
    app_removed: (moment) => [
      'The authenticator app was removed from your Crier account',
      `The authenticator app was removed on ${moment} UTC.`,
      'Its codes no longer work.',
    ],
    codes_made: (moment) => [
      'New recovery codes for your Crier account',
      `Ten new recovery codes were made on ${moment} UTC.`,
      'Earlier recovery codes no longer work.',
    ],
    recovery_code_used: (moment) => [
      'A recovery code of your Crier account was used',
      `A recovery code was used on ${moment} UTC.`,
      'It no longer works. Make new codes before the last one is used.',
    ],
    guessed: (moment) => [
      'Wrong codes for your Crier account',
      `On ${moment} UTC someone who can sign in with your mailbox or browser entered five wrong codes within 15 minutes.`,
      'Nobody can use a code for up to 15 minutes. Passkeys still work.',
    ],
  },
}

const german: Words = {
  button: 'Anmeldemethoden ansehen',
  otherwise:
    'Wenn Sie es nicht waren, liest jemand Ihre E-Mails oder benutzt Ihren Browser: Ändern Sie das Passwort Ihres Postfachs, beenden Sie alle anderen Sitzungen und informieren Sie einen Inhaber Ihres Unternehmens.',
  of: {
    app_added: (moment) => [
      'Ihrem Crier-Konto wurde eine Authentifizierungs-App hinzugefügt',
      `Am ${moment} UTC wurde eine Authentifizierungs-App hinzugefügt.`,
      'Ab jetzt wird bei der Anmeldung per E-Mail auch ihr Code verlangt.',
    ],
    app_removed: (moment) => [
      'Die Authentifizierungs-App Ihres Crier-Kontos wurde entfernt',
      `Am ${moment} UTC wurde die Authentifizierungs-App entfernt.`,
      'Ihre Codes gelten nicht mehr.',
    ],
    codes_made: (moment) => [
      'Neue Wiederherstellungscodes für Ihr Crier-Konto',
      `Am ${moment} UTC wurden zehn neue Wiederherstellungscodes erstellt.`,
      'Frühere Wiederherstellungscodes gelten nicht mehr.',
    ],
    recovery_code_used: (moment) => [
      'Ein Wiederherstellungscode Ihres Crier-Kontos wurde benutzt',
      `Am ${moment} UTC wurde ein Wiederherstellungscode benutzt.`,
      'Er gilt nicht mehr. Erstellen Sie neue Codes, bevor der letzte verbraucht ist.',
    ],
    guessed: (moment) => [
      'Falsche Codes für Ihr Crier-Konto',
      `Am ${moment} UTC hat jemand, der sich mit Ihrem Postfach oder Browser anmelden kann, fünf falsche Codes in 15 Minuten eingegeben.`,
      'Bis zu 15 Minuten lang wird kein Code angenommen. Passkeys funktionieren weiterhin.',
    ],
  },
}

const french: Words = {
  button: 'Voir vos méthodes de connexion',
  otherwise:
    'Si ce n’était pas vous, quelqu’un lit vos e-mails ou utilise votre navigateur : changez le mot de passe de votre messagerie, mettez fin à toutes les autres sessions et prévenez un propriétaire de votre entreprise.',
  of: {
    app_added: (moment) => [
      'Une application d’authentification a été ajoutée à votre compte Crier',
      `Une application d’authentification a été ajoutée le ${moment} UTC.`,
      'Désormais, la connexion par e-mail demande aussi son code.',
    ],
    app_removed: (moment) => [
      'L’application d’authentification de votre compte Crier a été supprimée',
      `L’application d’authentification a été supprimée le ${moment} UTC.`,
      'Ses codes ne fonctionnent plus.',
    ],
    codes_made: (moment) => [
      'Nouveaux codes de récupération pour votre compte Crier',
      `Dix nouveaux codes de récupération ont été créés le ${moment} UTC.`,
      'Les codes de récupération précédents ne fonctionnent plus.',
    ],
    recovery_code_used: (moment) => [
      'Un code de récupération de votre compte Crier a été utilisé',
      `Un code de récupération a été utilisé le ${moment} UTC.`,
      'Il ne fonctionne plus. Créez de nouveaux codes avant d’utiliser le dernier.',
    ],
    guessed: (moment) => [
      'Codes erronés pour votre compte Crier',
      `Le ${moment} UTC, quelqu’un qui peut se connecter avec votre messagerie ou votre navigateur a saisi cinq codes erronés en 15 minutes.`,
      'Aucun code n’est accepté pendant 15 minutes au plus. Les clés d’accès fonctionnent toujours.',
    ],
  },
}
