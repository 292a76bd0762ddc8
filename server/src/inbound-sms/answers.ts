/** The answers to keywords, in the language of the word, the contact or the business. */
import type { SmsProfile } from '../accounts/businesses/business.ts'
import {
  chooseLanguage,
  type RecipientLanguage,
  wordsIn,
} from '../core/recipient-words/languages.ts'
import { parseMailbox } from '../lib/email/mailbox.ts'
import { withoutEnd } from '../lib/text/trim-end.ts'

export interface AnswerLanguages {
  /** Those in which the text is a keyword; empty for STOP and others that every language has. */
  languages: readonly RecipientLanguage[]
  /** The contact's, as a BCP 47 tag, if the number belongs to a contact. */
  contact?: string | null | undefined
}

export type AnswerText = (business: SmsProfile, spoken: AnswerLanguages) => string

export const stopAnswer: AnswerText = (business, spoken) =>
  smsWords(business, spoken).stopped(business.name)

export const startAnswer: AnswerText = (business, spoken) =>
  smsWords(business, spoken).started(business.name)

/** `sms_help` says how to reach the business. Without it, the business's mail address is given. */
export const helpAnswer: AnswerText = (business, spoken) => {
  const { name, help, sender } = business
  const words = smsWords(business, spoken)
  const contact =
    help ?? (sender === null ? undefined : words.writeTo(parseMailbox(sender).address))
  return words.help(name, contact === undefined ? '' : `${withoutEnd(contact, /[.\s]/)}. `)
}

/** A word of several languages is answered in the contact's or the business's, if it is one. */
function smsWords(business: SmsProfile, { languages, contact }: AnswerLanguages) {
  const [first] = languages
  if (first === undefined) return wordsIn(chooseLanguage(contact, business.language)).sms
  const own = [contact, business.language].flatMap((tag) => (tag ? [chooseLanguage(tag)] : []))
  return wordsIn(own.find((language) => languages.includes(language)) ?? first).sms
}
