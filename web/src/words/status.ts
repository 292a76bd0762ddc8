import { status as english } from './en/status.ts'
import { texts } from './texts.ts'

export const statusWords = texts(english, {
  de: async () => (await import('./de/status.ts')).status,
  fr: async () => (await import('./fr/status.ts')).status,
})
