/** The texts that many pages share, and how numbers and times are written. */
import { shell as english } from './en/shell.ts'
import { language, texts } from './texts.ts'

export const words = texts(english, {
  de: async () => (await import('./de/shell.ts')).shell,
  fr: async () => (await import('./fr/shell.ts')).shell,
})

export type Words = typeof words

/** Between a name and what it names. */
export const colon = language === 'fr' ? '\u00a0: ' : ': '

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

/** With the length of the next finer unit: what rounds to 60 minutes is an hour. */
const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit, finer: number][] = [
  [86_400 * 30, 'month', 86_400],
  [86_400, 'day', 3_600],
  [3_600, 'hour', 60],
  [60, 'minute', 0],
]

/** Such as `2 hours ago`, or `2h ago` where there is little room. */
export function ago(iso: string, style: 'long' | 'narrow' = 'long'): string {
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000
  const [size, unit] = steps.find(([least, , finer]) => Math.abs(seconds) >= least - finer / 2) ?? [
    1,
    'second',
  ]
  if (unit === 'second') return words.justNow
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style })
  return format.format(Math.round(seconds / size), unit)
}
