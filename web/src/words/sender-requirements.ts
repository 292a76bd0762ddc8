import { senderRequirements as english } from './en/sender-requirements.ts'
import { texts } from './texts.ts'

export const requirementWords = texts(english, {
  de: async () => (await import('./de/sender-requirements.ts')).senderRequirements,
  fr: async () => (await import('./fr/sender-requirements.ts')).senderRequirements,
})
