import { contacts as english } from './en/contacts.ts'
import { texts } from './texts.ts'

export const contactWords = texts(english, {
  de: async () => (await import('./de/contacts.ts')).contacts,
  fr: async () => (await import('./fr/contacts.ts')).contacts,
})
