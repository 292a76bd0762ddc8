/** Why a feed cannot be read, in the languages of mails to owners; others have the English words. */
import type { MailLanguage } from '../accounts/businesses/mail-language.ts'

/** By the words of `problem`. */
export const feedProblems: Record<Exclude<MailLanguage, 'en'>, Record<string, string>> = {
  de: {
    'has an address that cannot be reached from here':
      'Die Adresse ist von hier aus nicht erreichbar',
    'has a host name that does not exist': 'Den Namen des Servers gibt es nicht',
    'takes no connection': 'Der Server nimmt keine Verbindung an',
    'has no valid certificate': 'Das Zertifikat ist ungültig',
    'does not speak HTTP': 'Der Server spricht kein HTTP',
    'does not answer in time': 'Der Server antwortet nicht rechtzeitig',
    'sends on to an address that is none': 'Er leitet an eine ungültige Adresse weiter',
    'is larger than 5 MB': 'Der Feed ist größer als 5 MB',
    'ends before its end': 'Die Antwort bricht vor ihrem Ende ab',
    'sends on from address to address': 'Er leitet immer weiter',
    'is nested too deeply': 'Der Feed ist zu tief verschachtelt',
    'has too many items': 'Der Feed hat zu viele Beiträge',
    'is a web page: give the address of its feed':
      'Das ist eine Webseite: Geben Sie die Adresse ihres Feeds an',
    'is no RSS, Atom or JSON Feed': 'Das ist weder RSS noch Atom noch ein JSON-Feed',
    'is JSON with a fault': 'Das JSON ist fehlerhaft',
    'is JSON, but no JSON Feed': 'Das ist JSON, aber kein JSON-Feed',
    'is no JSON': 'Das ist kein JSON',
    'has no list where the mapping says': 'Dort, wo die Zuordnung es sagt, steht keine Liste',
    'has no title and address where the mapping says':
      'Dort, wo die Zuordnung es sagt, stehen keine Titel und Adressen',
  },
  fr: {
    'has an address that cannot be reached from here': 'Son adresse n’est pas joignable d’ici',
    'has a host name that does not exist': 'Le nom du serveur n’existe pas',
    'takes no connection': 'Le serveur n’accepte pas de connexion',
    'has no valid certificate': 'Le certificat n’est pas valide',
    'does not speak HTTP': 'Le serveur ne parle pas HTTP',
    'does not answer in time': 'Le serveur ne répond pas à temps',
    'sends on to an address that is none': 'Il renvoie à une adresse qui n’en est pas une',
    'is larger than 5 MB': 'Le flux dépasse 5 Mo',
    'ends before its end': 'La réponse s’interrompt avant la fin',
    'sends on from address to address': 'Il renvoie d’adresse en adresse',
    'is nested too deeply': 'Le flux est trop imbriqué',
    'has too many items': 'Le flux a trop d’articles',
    'is a web page: give the address of its feed':
      'C’est une page web : donnez l’adresse de son flux',
    'is no RSS, Atom or JSON Feed': 'Ce n’est ni RSS, ni Atom, ni JSON Feed',
    'is JSON with a fault': 'Le JSON est erroné',
    'is JSON, but no JSON Feed': 'C’est du JSON, mais pas un JSON Feed',
    'is no JSON': 'Ce n’est pas du JSON',
    'has no list where the mapping says':
      'Il n’y a pas de liste à l’endroit indiqué par la correspondance',
    'has no title and address where the mapping says':
      'Il n’y a ni titre ni adresse aux endroits indiqués par la correspondance',
  },
}

const answers = 'answers '
const answered = { de: 'Der Server antwortet mit', fr: 'Le serveur répond' }

export function feedProblemIn(language: keyof typeof feedProblems, problem: string): string {
  if (problem.startsWith(answers)) return `${answered[language]} ${problem.slice(answers.length)}`
  return feedProblems[language][problem] ?? problem
}
