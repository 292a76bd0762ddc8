/** When each recipient gets a campaign that is sent at a local hour. Pure. */
import { isZone } from '../../lib/phone/quiet-hours.ts'
import { momentAt } from '../../lib/time/wall-clock.ts'
import type { RunningCampaign } from '../campaign-run.ts'

export interface Clocks {
  clocks: { zone: string; at: Date }[]
  /** The time for recipients whose time zone is unknown; null for at once. */
  otherwise: Date | null
}

type Hour = Pick<RunningCampaign, 'zoneMode' | 'sendLocal' | 'timeZone'>

export const isByClock = ({ zoneMode, sendLocal }: Hour) =>
  zoneMode === 'recipient' && sendLocal !== null

export function clocksOf(
  { zoneMode, sendLocal, timeZone }: Hour,
  zones: readonly { zone: string }[],
): Clocks {
  if (zoneMode !== 'recipient' || sendLocal === null) return { clocks: [], otherwise: null }
  const clocks = zones.flatMap(({ zone }) => {
    const at = isZone(zone) ? momentAt(sendLocal, zone) : undefined
    return at ? [{ zone, at }] : []
  })
  return { clocks, otherwise: momentAt(sendLocal, timeZone) ?? null }
}
