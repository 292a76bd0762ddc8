import { company as english } from './en/company.ts'
import { texts } from './texts.ts'

export const companyWords = texts(english, {
  de: async () => (await import('./de/company.ts')).company,
  fr: async () => (await import('./fr/company.ts')).company,
})
