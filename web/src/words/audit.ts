import { audit as english } from './en/audit.ts'
import { texts } from './texts.ts'

export const auditWords = texts(english, {
  de: async () => (await import('./de/audit.ts')).audit,
  fr: async () => (await import('./fr/audit.ts')).audit,
})
