import { brand as english } from './en/brand.ts'
import { texts } from './texts.ts'

export const brandWords = texts(english, {
  de: async () => (await import('./de/brand.ts')).brand,
  fr: async () => (await import('./fr/brand.ts')).brand,
})
