/** The words of the mail of a magic link, in English and German. */
import type { ServiceMailWords } from '../../lib/email/service-mail.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'

interface Link {
  connects: boolean
  /** Where a connection leads to. */
  leadsTo: string | undefined
}

export function signInMailWords(language: MailLanguage, link: Link): ServiceMailWords {
  return { en: english, de: german }[language](link)
}

function english({ connects, leadsTo = 'an address of its own' }: Link): ServiceMailWords {
  return {
    subject: connects ? 'Confirm a connection to Crier' : 'Your sign-in link for Crier',
    message: connects
      ? `Somebody, most likely you, wants to connect an app to your Crier account. The app is reached at ${leadsTo}.`
      : 'Somebody, most likely you, wants to sign in to Crier.',
    button: connects ? 'Confirm and connect' : 'Sign in',
    terms: 'The link works once, for 10 minutes. Open it in the browser you started in.',
    otherwise: 'If it was not you, do nothing: without the link nobody gets in.',
  }
}

function german({ connects, leadsTo = 'einer eigenen Adresse' }: Link): ServiceMailWords {
  return {
    subject: connects
      ? 'Bestätigen Sie eine Verbindung mit Crier'
      : 'Ihr Link zur Anmeldung bei Crier',
    message: connects
      ? `Jemand, höchstwahrscheinlich Sie, will eine App mit Ihrem Konto bei Crier verbinden. Die App ist unter ${leadsTo} zu erreichen.`
      : 'Jemand, höchstwahrscheinlich Sie, will sich bei Crier anmelden.',
    button: connects ? 'Bestätigen und verbinden' : 'Anmelden',
    terms:
      'Der Link gilt einmal und 10 Minuten lang. Öffnen Sie ihn in dem Browser, in dem Sie angefangen haben.',
    otherwise: 'Wenn Sie es nicht waren, tun Sie nichts: Ohne den Link kommt niemand hinein.',
  }
}
