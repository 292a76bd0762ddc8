import { campaignWords } from '../words/campaigns.ts'
import { language } from '../words/texts.ts'

export interface Schedule {
  /** What the clocks of the zone show. */
  at: string
  zone: string
}

const forms = {
  long: { dateStyle: 'full', timeStyle: 'short' },
  medium: { dateStyle: 'medium', timeStyle: 'short' },
  /** In the column of a list. */
  listed: { dateStyle: 'medium', timeStyle: 'short' },
  /** Where there is room for little, the zone is left out: the page of the campaign names it. */
  short: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
} as const

/** When a campaign goes out: on the clocks of its zone, which is named if it is not the reader's. */
export function scheduleText({ at, zone }: Schedule, form: keyof typeof forms = 'long'): string {
  const clock = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...forms[form] }).format(
    new Date(`${at.slice(0, 16)}Z`),
  )
  if (form === 'short' || form === 'listed' || zone === ownZone()) return clock
  return campaignWords.when.inZone(clock, zone === 'recipient' ? zone : zoneInWords(zone))
}

const ownZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** "Central European Time" in the language of the app. */
export function zoneInWords(timeZone: string): string {
  const written = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' })
  const name = written.formatToParts().find(({ type }) => type === 'timeZoneName')?.value
  return name === undefined || /\d/.test(name) ? timeZone : name
}
