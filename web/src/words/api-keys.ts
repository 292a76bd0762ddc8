import { apiKeys as english } from './en/api-keys.ts'
import { texts } from './texts.ts'

export const keyWords = texts(english, {
  de: async () => (await import('./de/api-keys.ts')).apiKeys,
  fr: async () => (await import('./fr/api-keys.ts')).apiKeys,
})
