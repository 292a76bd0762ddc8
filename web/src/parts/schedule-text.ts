import { campaignWords } from '../words/campaigns.ts'
import { language } from '../words/texts.ts'

export interface Schedule {
  /** What the clocks of the zone show. */
  at: string
  zone: string
}

const forms = {
  long: { dateStyle: 'long', timeStyle: 'short' },
  medium: { dateStyle: 'medium', timeStyle: 'short' },
  /** Where there is room for little, the zone is left out: the page of the campaign names it. */
  short: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
} as const

/** When a campaign goes out: on the clocks of its zone, whatever the reader's, with the zone. */
export function scheduleText({ at, zone }: Schedule, form: keyof typeof forms = 'long'): string {
  const clock = new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...forms[form] }).format(
    new Date(`${at.slice(0, 16)}Z`),
  )
  return form === 'short' ? clock : campaignWords.when.inZone(clock, zone)
}
