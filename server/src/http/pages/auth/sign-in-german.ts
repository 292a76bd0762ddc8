import type { SignInWords } from './sign-in-english.ts'

export const german: SignInWords = {
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
