/** The words of the mail about API keys that ended with their maker's membership. */
import type { MailLanguage } from '../../accounts/businesses/mail-language.ts'
import { type ServiceMailWords, withoutLinks } from '../../lib/email/service-mail.ts'
import type { NoticeOfEnd } from './key-queries.ts'

type Notice = Pick<NoticeOfEnd, 'maker' | 'businessName'>

export function keysEndedWords(
  language: MailLanguage,
  { maker, businessName }: Notice,
  keys: readonly string[],
): ServiceMailWords {
  const names = { maker: withoutLinks(maker), businessName: withoutLinks(businessName) }
  return { en: english, de: german, fr: french }[language](names, keys.map(withoutLinks))
}

function english({ maker, businessName }: Notice, keys: readonly string[]): ServiceMailWords {
  const named = keys.map((key) => `“${key}”`).join(', ')
  return {
    subject: 'API keys of your business have ended',
    message: `${maker} is no longer a member of “${businessName}”. The API keys that they made have ended with that: ${named}.`,
    button: 'See the API keys',
    terms:
      'Programs that use these keys are refused from now on, and webhooks that they made pause.',
    otherwise: 'Make a new key for whatever must go on.',
  }
}

function german({ maker, businessName }: Notice, keys: readonly string[]): ServiceMailWords {
  const named = keys.map((key) => `„${key}“`).join(', ')
  return {
    subject: 'API-Schlüssel Ihres Unternehmens gelten nicht mehr',
    message: `${maker} ist kein Mitglied von „${businessName}“ mehr. Damit gelten auch die API-Schlüssel nicht mehr, die diese Person angelegt hat: ${named}.`,
    button: 'API-Schlüssel ansehen',
    terms:
      'Programme mit diesen Schlüsseln werden ab jetzt abgewiesen, und Webhooks, die sie angelegt haben, ruhen.',
    otherwise: 'Legen Sie für alles, was weiterlaufen soll, einen neuen Schlüssel an.',
  }
}

function french({ maker, businessName }: Notice, keys: readonly string[]): ServiceMailWords {
  const named = keys.map((key) => `« ${key} »`).join(', ')
  return {
    subject: 'Des clés API de votre entreprise ont pris fin',
    message: `${maker} n’est plus membre de « ${businessName} ». Les clés API que cette personne avait créées ont donc pris fin : ${named}.`,
    button: 'Voir les clés API',
    terms:
      'Les programmes qui utilisent ces clés sont désormais refusés, et les webhooks qu’elles ont créés sont en pause.',
    otherwise: 'Créez une nouvelle clé pour tout ce qui doit continuer.',
  }
}
