/** Texts for people about addresses and times. */

import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { isLoopback } from '../../../oauth/clients/redirect-uri.ts'

const longestName = 80

/** Made when first used, as all of `Intl` here: the data of graphemes takes 12 ms of each start. */
let graphemes: Intl.Segmenter | undefined

/** A stranger's name, short enough not to push the rest off the page. */
export function shortName(name: string, nameless: string): string {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const parts = Array.from(graphemes.segment(name), ({ segment }) => segment)
  const short = parts.slice(0, longestName).join('')
  return parts.length > longestName ? `${short}…` : short || nameless
}

export interface Destination {
  /** The host or its equivalent, shown in bold. */
  place: string
  kind: 'program' | 'website' | 'app'
  /** Whether it is on the web, where the code reaches somebody else's server. */
  hosted: boolean
}

/** The destination of a redirect URI. */
export function destinationOf(redirectUri: string): Destination {
  const { host, protocol } = new URL(redirectUri)
  if (isLoopback(redirectUri)) {
    return { place: host, kind: 'program', hosted: false }
  }
  if (/^https?:$/.test(protocol)) return { place: host, kind: 'website', hosted: true }
  return { place: protocol.slice(0, -1), kind: 'app', hosted: false }
}

const stamps = new Map<MailLanguage, Intl.DateTimeFormat>()

export function fullTime(moment: Date, language: MailLanguage): string {
  const stamp =
    stamps.get(language) ??
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'UTC',
    })
  stamps.set(language, stamp)
  return `${stamp.format(moment)} UTC`
}

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

const justNow: Record<MailLanguage, string> = {
  en: 'just now',
  de: 'gerade eben',
  fr: 'à l’instant',
}

/** `2 hours ago`; within a minute `just now`. */
export function ago(moment: Date, now: Date, language: MailLanguage): string {
  const seconds = (now.getTime() - moment.getTime()) / 1000
  const step = steps.find(([size]) => seconds >= size)
  if (!step) return justNow[language]
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'always' })
  return format.format(-Math.floor(seconds / step[0]), step[1])
}
