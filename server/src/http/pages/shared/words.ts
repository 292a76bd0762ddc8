/** Texts for people about scopes, addresses and times. */

import type { Scope } from '../../../core/operation.ts'
import { isLoopback } from '../../../oauth/clients/redirect-uri.ts'

export interface ScopeWords {
  text: string
  /** A reason for caution, shown with a mark. */
  careful?: string
}

export const scopeWords: Record<Scope, ScopeWords> = {
  'meta:read': { text: 'See your businesses and their usage' },
  'forms:read': { text: 'See your forms' },
  'forms:write': { text: 'Make and change forms, and submit them' },
  'audience:read': { text: 'See your contacts and what they answered' },
  'audience:write': {
    text: 'Add, change and erase contacts',
    careful: 'what is erased is gone for good',
  },
  'messaging:send': { text: 'Send email and SMS', careful: 'real people get them' },
  'provisioning:write': {
    text: 'Set up sender domains and webhooks',
    careful: 'they decide where data goes',
  },
}

const longestName = 80
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A stranger's name, short enough not to push the rest off the page. */
export function shortName(name: string): string {
  const parts = Array.from(graphemes.segment(name), ({ segment }) => segment)
  const short = parts.slice(0, longestName).join('')
  return parts.length > longestName ? `${short}…` : short || 'An app without a name'
}

export interface Destination {
  /** The host or its equivalent, shown in bold. */
  place: string
  note: string
  /** Whether it is on the web, where the code reaches somebody else's server. */
  hosted: boolean
}

/** The destination of a redirect URI, in words for a person. */
export function destinationOf(redirectUri: string): Destination {
  const { host, protocol } = new URL(redirectUri)
  if (isLoopback(redirectUri)) {
    return { place: host, note: 'a program on this computer', hosted: false }
  }
  if (/^https?:$/.test(protocol)) return { place: host, note: 'a website', hosted: true }
  return { place: protocol.slice(0, -1), note: 'an app on this device', hosted: false }
}

const stamp = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

export function fullTime(moment: Date): string {
  return `${stamp.format(moment)} UTC`
}

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** `2 hours ago`; within a minute `just now`. */
export function ago(moment: Date, now: Date): string {
  const seconds = (now.getTime() - moment.getTime()) / 1000
  const step = steps.find(([size]) => seconds >= size)
  return step ? relative.format(-Math.floor(seconds / step[0]), step[1]) : 'just now'
}
