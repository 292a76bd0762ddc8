/** The answers to keywords, in the language of the person who sent the text. */
import type { SmsProfile } from '../accounts/businesses/business.ts'
import { chooseLanguage, wordsIn } from '../core/recipient-words/languages.ts'
import { parseMailbox } from '../lib/email/mailbox.ts'
import { withoutEnd } from '../lib/text/trim-end.ts'

/** `language`: the contact's, as a BCP 47 tag, if the number belongs to a contact. */
export type AnswerText = (business: SmsProfile, language?: string | null) => string

export const stopAnswer: AnswerText = (business, language) =>
  smsWords(business, language).stopped(business.name)

export const startAnswer: AnswerText = (business, language) =>
  smsWords(business, language).started(business.name)

/** `sms_help` says how to reach the business. Without it, the business's mail address is given. */
export const helpAnswer: AnswerText = (business, language) => {
  const { name, help, sender } = business
  const words = smsWords(business, language)
  const contact =
    help ?? (sender === null ? undefined : words.writeTo(parseMailbox(sender).address))
  return words.help(name, contact === undefined ? '' : `${withoutEnd(contact, /[.\s]/)}. `)
}

function smsWords(business: SmsProfile, language: string | null | undefined) {
  return wordsIn(chooseLanguage(language, business.language)).sms
}
