import { forms as english } from './en/forms.ts'
import { texts } from './texts.ts'

export const formWords = texts(english, {
  de: async () => (await import('./de/forms.ts')).forms,
  fr: async () => (await import('./fr/forms.ts')).forms,
})
