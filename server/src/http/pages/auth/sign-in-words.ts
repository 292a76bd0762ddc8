/** The words of the pages on which a member signs in by mail, and the language of such a page. */

import type { FastifyRequest } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import type { Refusal } from '../../../core/errors.ts'
import { acceptedLanguages } from '../../../core/recipient-words/languages.ts'

export const signInWords = (language: MailLanguage): SignInWords =>
  language === 'de' ? german : english

const english = {
  title: 'Sign in',
  lead: 'We mail you a link; there is no password.',
  address: 'Your email address',
  send: 'Send me a link',
  checkTitle: 'Check your mail',
  /** Around the address, which is shown in bold. */
  checkText: [
    'If ',
    ' can sign in here, a link is on its way to it. It works once, for 10 minutes.',
  ],
  checkOpen: 'Open it in this browser to go on.',
  noMail: 'No mail leaves this machine.',
  openInbox: 'Open the test inbox',
  elsewhereTitle: 'Sign in to Crier',
  elsewhereText: [
    'You are signing in as ',
    ', in another browser than the one that asked for the link.',
  ],
  notYou: 'If you did not ask for this, close the page: nothing has happened.',
  /** What is wrong with the address, or that too many links were asked for. */
  faultOf: ({ message }: Refusal): string => message,
}

export type SignInWords = typeof english

const german: SignInWords = {
  title: 'Anmelden',
  lead: 'Wir schicken Ihnen einen Link per E-Mail; ein Passwort gibt es nicht.',
  address: 'Ihre E-Mail-Adresse',
  send: 'Link schicken',
  checkTitle: 'Sehen Sie in Ihr Postfach',
  checkText: [
    'Wenn sich ',
    ' hier anmelden kann, ist ein Link dorthin unterwegs. Er gilt einmal und 10 Minuten lang.',
  ],
  checkOpen: 'Öffnen Sie ihn in diesem Browser, um fortzufahren.',
  noMail: 'Keine Mail verlässt diesen Rechner.',
  openInbox: 'Testpostfach öffnen',
  elsewhereTitle: 'Bei Crier anmelden',
  elsewhereText: [
    'Sie melden sich als ',
    ' an, in einem anderen Browser als dem, der den Link angefordert hat.',
  ],
  notYou: 'Wenn Sie das nicht wollten, schließen Sie die Seite: Es ist nichts geschehen.',
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
