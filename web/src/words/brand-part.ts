import { brandPart as english } from './en/brand-part.ts'
import { texts } from './texts.ts'

export const brandPartWords = texts(english, {
  de: async () => (await import('./de/brand-part.ts')).brandPart,
  fr: async () => (await import('./fr/brand-part.ts')).brandPart,
})
