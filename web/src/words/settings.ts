import * as english from './en/settings.ts'
import { texts } from './texts.ts'

export const settingsWords = texts(english.settings, {
  de: async () => (await import('./de/settings.ts')).settings,
  fr: async () => (await import('./fr/settings.ts')).settings,
})

export const memberWords = texts(english.members, {
  de: async () => (await import('./de/settings.ts')).members,
  fr: async () => (await import('./fr/settings.ts')).members,
})
