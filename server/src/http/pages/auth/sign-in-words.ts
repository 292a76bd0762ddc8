/** The words of the pages on which a member signs in by mail, and the language of such a page. */

import type { FastifyRequest } from 'fastify'
import { type MailLanguage, mailLanguageAmong } from '../../../accounts/businesses/mail-language.ts'
import type { Refusal } from '../../../core/errors.ts'
import { acceptedLanguages } from '../../../core/recipient-words/languages.ts'

export const signInWords = (language: MailLanguage): SignInWords =>
  ({ en: english, de: german, fr: french })[language]

const english = {
  title: 'Sign in',
  lead: 'We email you a sign-in link. You don’t need a password.',
  address: 'Your email address',
  send: 'Email me a link',
  usePasskey: 'Sign in with a passkey',
  companyFirst:
    'Your company has its people sign in at the company alone. Sign in to Crier there first, then connect the app again.',
  companyOnly: 'Your company has its people sign in at the company alone.',
  byCompany: 'Sign in with your company',
  signInAt: (name: string): string => `Sign in with ${name}`,
  passkeyFault: 'That passkey did not work. Try again, or sign in by email.',
  checkTitle: 'Check your email',
  /** Around the address, which is shown in bold. */
  checkText: [
    'If ',
    ' can sign in here, we sent a link to it. It works once and expires in 10 minutes.',
  ],
  checkOpen: 'Open it in this browser to continue.',
  noMail: 'No email leaves this machine.',
  openInbox: 'Open the test inbox',
  elsewhereTitle: 'Sign in to Crier',
  elsewhereText: [
    'You are signing in as ',
    ', in a different browser from the one that requested the link.',
  ],
  hereText: ['You are signing in as ', '.'],
  notYou: 'If you did not request this, close the page. Nothing has happened.',
  /** What is wrong with the address, or that too many links were asked for. */
  faultOf: ({ message }: Refusal): string => message,
}

export type SignInWords = typeof english

const german: SignInWords = {
  title: 'Anmelden',
  lead: 'Wir senden Ihnen einen Anmeldelink per E-Mail. Ein Passwort brauchen Sie nicht.',
  address: 'Ihre E-Mail-Adresse',
  send: 'Link anfordern',
  usePasskey: 'Mit Passkey anmelden',
  companyFirst:
    'Ihre Firma lässt ihre Leute nur über die Firma anmelden. Melden Sie sich zuerst dort bei Crier an, und verbinden Sie dann die App erneut.',
  companyOnly: 'Ihre Firma lässt ihre Leute nur über die Firma anmelden.',
  byCompany: 'Über Ihre Firma anmelden',
  signInAt: (name) => `Mit ${name} anmelden`,
  passkeyFault:
    'Dieser Passkey hat nicht funktioniert. Versuchen Sie es erneut, oder melden Sie sich per E-Mail an.',
  checkTitle: 'Prüfen Sie Ihr Postfach',
  checkText: [
    'Wenn sich ',
    ' hier anmelden kann, haben wir einen Link dorthin gesendet. Er gilt einmal und läuft nach 10 Minuten ab.',
  ],
  checkOpen: 'Öffnen Sie ihn in diesem Browser, um fortzufahren.',
  noMail: 'Keine E-Mail verlässt diesen Rechner.',
  openInbox: 'Testpostfach öffnen',
  elsewhereTitle: 'Bei Crier anmelden',
  elsewhereText: [
    'Sie melden sich als ',
    ' an, in einem anderen Browser als dem, in dem der Link angefordert wurde.',
  ],
  hereText: ['Sie melden sich als ', ' an.'],
  notYou: 'Wenn Sie das nicht angefordert haben, schließen Sie die Seite. Es ist nichts passiert.',
  faultOf: ({ code }) =>
    code === 'rate_limited'
      ? 'Es wurden zu viele Links angefordert. Bitte warten Sie eine Viertelstunde.'
      : 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ana@example.com.',
}

const french: SignInWords = {
  title: 'Se connecter',
  lead: 'Nous vous envoyons un lien de connexion par e-mail. Vous n’avez pas besoin de mot de passe.',
  address: 'Votre adresse e-mail',
  send: 'M’envoyer un lien',
  usePasskey: 'Se connecter avec une clé d’accès',
  companyFirst:
    'Votre entreprise n’autorise que la connexion par l’entreprise. Connectez-vous d’abord à Crier par elle, puis connectez de nouveau l’application.',
  companyOnly: 'Votre entreprise n’autorise que la connexion par l’entreprise.',
  byCompany: 'Se connecter par votre entreprise',
  signInAt: (name) => `Se connecter avec ${name}`,
  passkeyFault: 'Cette clé d’accès n’a pas fonctionné. Réessayez, ou connectez-vous par e-mail.',
  checkTitle: 'Consultez votre messagerie',
  checkText: [
    'Si ',
    ' peut se connecter ici, nous y avons envoyé un lien. Il fonctionne une seule fois et expire dans 10 minutes.',
  ],
  checkOpen: 'Ouvrez-le dans ce navigateur pour continuer.',
  noMail: 'Aucun e-mail ne quitte cette machine.',
  openInbox: 'Ouvrir la boîte de test',
  elsewhereTitle: 'Se connecter à Crier',
  elsewhereText: [
    'Vous vous connectez en tant que ',
    ', dans un autre navigateur que celui qui a demandé le lien.',
  ],
  hereText: ['Vous vous connectez en tant que ', '.'],
  notYou: 'Si vous n’avez rien demandé, fermez cette page. Il ne s’est rien passé.',
  faultOf: ({ code }) =>
    code === 'rate_limited'
      ? 'Trop de liens ont été demandés. Patientez un quart d’heure.'
      : 'Indiquez une adresse e-mail, par exemple ana@example.com.',
}

/** The app sets it when a person chooses a language there. */
const languageCookie = 'crier-language'

/** The language of a page for members: the one they chose in the app, else what the browser asks for. */
export function pageLanguageOf({ cookies, headers }: FastifyRequest): MailLanguage {
  return mailLanguageAmong([
    cookies[languageCookie],
    ...acceptedLanguages(headers['accept-language']),
  ])
}
