import { drafts as english } from './en/drafts.ts'
import { texts } from './texts.ts'

export const draftWords = texts(english, {
  de: async () => (await import('./de/drafts.ts')).drafts,
  fr: async () => (await import('./fr/drafts.ts')).drafts,
})
