import { campaigns as english } from './en/campaigns.ts'
import { texts } from './texts.ts'

export const campaignWords = texts(english, {
  de: async () => (await import('./de/campaigns.ts')).campaigns,
  fr: async () => (await import('./fr/campaigns.ts')).campaigns,
})
