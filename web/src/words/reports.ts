import { reports as english } from './en/reports.ts'
import { texts } from './texts.ts'

export const reportWords = texts(english, {
  de: async () => (await import('./de/reports.ts')).reports,
  fr: async () => (await import('./fr/reports.ts')).reports,
})
