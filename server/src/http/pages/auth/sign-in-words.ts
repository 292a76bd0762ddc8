/** The words of the pages on which a member signs in by mail. German is loaded when asked for. */
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { english, type SignInWords } from './sign-in-english.ts'

export async function signInWords(language: MailLanguage): Promise<SignInWords> {
  return language === 'de' ? (await import('./sign-in-german.ts')).german : english
}
