import { operator as english } from './en/operator.ts'
import { texts } from './texts.ts'

export const operatorWords = texts(english, {
  de: async () => (await import('./de/operator.ts')).operator,
  fr: async () => (await import('./fr/operator.ts')).operator,
})
