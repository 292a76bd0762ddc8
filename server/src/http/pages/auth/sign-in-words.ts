/** The words of the pages on which a member signs in by mail, and the language of such a page. */

import type { FastifyRequest } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import type { Refusal } from '../../../core/errors.ts'
import { acceptedLanguages } from '../../../core/recipient-words/languages.ts'

export const signInWords = (language: MailLanguage): SignInWords =>
  language === 'de' ? german : english

const english = {
  title: 'Sign in',
  lead: 'We email you a sign-in link. You don’t need a password.',
  address: 'Your email address',
  send: 'Email me a link',
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
  notYou: 'Wenn Sie das nicht angefordert haben, schließen Sie die Seite. Es ist nichts passiert.',
  faultOf: ({ code }) =>
    code === 'rate_limited'
      ? 'Es wurden zu viele Links angefordert. Bitte warten Sie eine Viertelstunde.'
      : 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ana@example.com.',
}

/** The app sets it when a person chooses a language there. */
const languageCookie = 'crier-language'

/** The language of a page for members: the one they chose in the app, else what the browser asks for. */
export function pageLanguageOf({ cookies, headers }: FastifyRequest): MailLanguage {
  const wanted = [cookies[languageCookie], ...acceptedLanguages(headers['accept-language'])]
  for (const tag of wanted) {
    const primary = tag?.slice(0, 3).split('-', 1)[0]?.toLowerCase()
    if (primary === 'en' || primary === 'de') return primary
  }
  return 'en'
}
