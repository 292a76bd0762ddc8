/** The words of the mail of a magic link, in the languages of the mails for members. */
import type { ServiceMailWords } from '../../lib/email/service-mail.ts'
import type { MailLanguage } from '../businesses/mail-language.ts'

interface Link {
  connects: boolean
  /** Where a connection leads to. */
  leadsTo: string | undefined
}

export function signInMailWords(language: MailLanguage, link: Link): ServiceMailWords {
  return { en: english, de: german, fr: french }[language](link)
}

function english({ connects, leadsTo = 'an address of its own' }: Link): ServiceMailWords {
  return {
    subject: connects ? 'Confirm the connection to Crier' : 'Your sign-in link for Crier',
    message: connects
      ? `Someone, most likely you, wants to connect an app to your Crier account. The app is at ${leadsTo}.`
      : 'Someone, most likely you, wants to sign in to Crier.',
    button: connects ? 'Confirm and connect' : 'Sign in',
    terms: 'The link works once and expires in 10 minutes. Open it in the browser you started in.',
    otherwise: 'If this wasn’t you, ignore this email. Nobody can sign in without the link.',
  }
}

function german({ connects, leadsTo = 'einer eigenen Adresse' }: Link): ServiceMailWords {
  return {
    subject: connects ? 'Bestätigen Sie die Verbindung mit Crier' : 'Ihr Anmeldelink für Crier',
    message: connects
      ? `Jemand, vermutlich Sie, möchte eine App mit Ihrem Crier-Konto verbinden. Die App ist unter ${leadsTo} erreichbar.`
      : 'Jemand, vermutlich Sie, möchte sich bei Crier anmelden.',
    button: connects ? 'Bestätigen und verbinden' : 'Anmelden',
    terms:
      'Der Link gilt einmal und läuft nach 10 Minuten ab. Öffnen Sie ihn in dem Browser, in dem Sie begonnen haben.',
    otherwise:
      'Wenn Sie es nicht waren, ignorieren Sie diese E-Mail. Ohne den Link kann sich niemand anmelden.',
  }
}

function french({ connects, leadsTo = 'une adresse qui lui est propre' }: Link): ServiceMailWords {
  return {
    subject: connects ? 'Confirmez la connexion à Crier' : 'Votre lien de connexion à Crier',
    message: connects
      ? `Quelqu’un, sans doute vous, souhaite connecter une application à votre compte Crier. L’application se trouve à : ${leadsTo}.`
      : 'Quelqu’un, sans doute vous, souhaite se connecter à Crier.',
    button: connects ? 'Confirmer et connecter' : 'Se connecter',
    terms:
      'Le lien fonctionne une seule fois et expire dans 10 minutes. Ouvrez-le dans le navigateur où vous avez commencé.',
    otherwise:
      'Si ce n’était pas vous, ignorez cet e-mail. Personne ne peut se connecter sans ce lien.',
  }
}
