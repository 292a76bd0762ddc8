import * as english from './en/account.ts'
import { texts } from './texts.ts'

export const connectionWords = texts(english.connections, {
  de: async () => (await import('./de/account.ts')).connections,
  fr: async () => (await import('./fr/account.ts')).connections,
})

export const sessionWords = texts(english.sessions, {
  de: async () => (await import('./de/account.ts')).sessions,
  fr: async () => (await import('./fr/account.ts')).sessions,
})

export const passkeyWords = texts(english.passkeys, {
  de: async () => (await import('./de/account.ts')).passkeys,
  fr: async () => (await import('./fr/account.ts')).passkeys,
})

export const limitWords = texts(english.limits, {
  de: async () => (await import('./de/account.ts')).limits,
  fr: async () => (await import('./fr/account.ts')).limits,
})

export const recentCallWords = texts(english.recentCalls, {
  de: async () => (await import('./de/account.ts')).recentCalls,
  fr: async () => (await import('./fr/account.ts')).recentCalls,
})
