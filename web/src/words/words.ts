/** The app's texts in the reader's language. English ships with the app, others load on demand. */
import { en } from './en/en.ts'

export type Words = typeof en
export type Language = 'en' | 'de'

export let words: Words = en
export let language: Language = 'en'

const key = 'crier-language'

export function chosenLanguage(): Language {
  const kept = localStorage.getItem(key) ?? languageInCookie()
  if (kept === 'en' || kept === 'de') return kept
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en'
}

function languageInCookie(): string | undefined {
  const entries = document.cookie.split('; ').map((entry) => entry.split('='))
  return entries.find(([name]) => name === key)?.[1]
}

export async function loadWords(): Promise<void> {
  language = chosenLanguage()
  if (language === 'de') words = (await import('./de/de.ts')).de
  document.documentElement.lang = language
}

/** Redraws everything with the new texts. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(key, chosen)
  // For the pages and the mail of the next sign-in, by which signing out has cleared the storage.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on https alone.
  document.cookie = `${key}=${chosen}; path=/; max-age=31536000; samesite=lax`
  location.reload()
}

export const number = (value: number) => new Intl.NumberFormat(language).format(value)

export const percent = (value: number) =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value)

export const day = (iso: string) =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' }).format(
    new Date(iso),
  )

export const moment = (iso: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  )

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [86_400 * 30, 'month'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

/** Such as `2 hours ago`, or `2h ago` where there is little room. */
export function ago(iso: string, style: 'long' | 'narrow' = 'long'): string {
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000
  const [size, unit] = steps.find(([least]) => Math.abs(seconds) >= least) ?? [1, 'second']
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style })
  return format.format(unit === 'second' ? 0 : Math.round(seconds / size), unit)
}
