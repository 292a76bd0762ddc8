import { foreignMail as english } from './en/foreign-mail.ts'
import { texts } from './texts.ts'

export const foreignMailWords = texts(english, {
  de: async () => (await import('./de/foreign-mail.ts')).foreignMail,
  fr: async () => (await import('./fr/foreign-mail.ts')).foreignMail,
})
