import * as english from './en/factors.ts'
import { texts } from './texts.ts'

export const factorWords = texts(english.factors, {
  de: async () => (await import('./de/factors.ts')).factors,
  fr: async () => (await import('./fr/factors.ts')).factors,
})

export const confirmWords = texts(english.confirm, {
  de: async () => (await import('./de/factors.ts')).confirm,
  fr: async () => (await import('./fr/factors.ts')).confirm,
})

export const ruleWords = texts(english.rules, {
  de: async () => (await import('./de/factors.ts')).rules,
  fr: async () => (await import('./fr/factors.ts')).rules,
})

export const addressWords = texts(english.address, {
  de: async () => (await import('./de/factors.ts')).address,
  fr: async () => (await import('./fr/factors.ts')).address,
})

export const ownershipWords = texts(english.ownership, {
  de: async () => (await import('./de/factors.ts')).ownership,
  fr: async () => (await import('./fr/factors.ts')).ownership,
})

export const companyAccountWords = texts(english.companyAccounts, {
  de: async () => (await import('./de/factors.ts')).companyAccounts,
  fr: async () => (await import('./fr/factors.ts')).companyAccounts,
})
