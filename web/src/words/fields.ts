import { fields as english } from './en/fields.ts'
import { texts } from './texts.ts'

export const fieldWords = texts(english, {
  de: async () => (await import('./de/fields.ts')).fields,
  fr: async () => (await import('./fr/fields.ts')).fields,
})
