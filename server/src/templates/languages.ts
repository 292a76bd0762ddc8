/** The languages of a compiled template. */
import { lookUpLanguage } from '../lib/text/language-tag.ts'
import type { Compiled } from './compile.ts'
import { neededVariables } from './variables.ts'

/** The form that fits a person's language best, else that of the first language. */
export function compiledFor(compiled: Compiled, language: string | null | undefined): Compiled {
  const { translations } = compiled
  if (!translations) return compiled
  const tag = lookUpLanguage(translations, language)
  return (tag !== undefined && translations[tag]) || compiled
}

/** A form for each language. The first language has no tag. */
export function everyLanguage(compiled: Compiled): { language?: string; compiled: Compiled }[] {
  const others = Object.entries(compiled.translations ?? {})
  return [
    { compiled },
    ...others.map(([language, translation]) => ({ language, compiled: translation })),
  ]
}

/** The names that the sending call has to provide, in any of the languages. */
export function neededIn(compiled: Compiled): string[] {
  const names = everyLanguage(compiled).flatMap((entry) => entry.compiled.variables)
  return neededVariables([...new Set(names)])
}
