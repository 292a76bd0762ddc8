import * as english from './en/imports.ts'
import { texts } from './texts.ts'

export const importWords = texts(english.imports, {
  de: async () => (await import('./de/imports.ts')).imports,
  fr: async () => (await import('./fr/imports.ts')).imports,
})

export const exportWords = texts(english.exports, {
  de: async () => (await import('./de/imports.ts')).exports,
  fr: async () => (await import('./fr/imports.ts')).exports,
})
