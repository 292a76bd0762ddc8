/** The words of the pages on which a member signs in by mail. */
import type { Refusal } from '../../../core/errors.ts'

export const english = {
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
