import * as english from './en/proposals.ts'
import { texts } from './texts.ts'

export const proposalWords = texts(english.proposals, {
  de: async () => (await import('./de/proposals.ts')).proposals,
  fr: async () => (await import('./fr/proposals.ts')).proposals,
})
