import type { FastifyRequest } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { acceptedLanguages } from '../../../core/recipient-words/languages.ts'

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
