import { automations as english } from './en/automations.ts'
import { texts } from './texts.ts'

export const automationWords = texts(english, {
  de: async () => (await import('./de/automations.ts')).automations,
  fr: async () => (await import('./fr/automations.ts')).automations,
})
