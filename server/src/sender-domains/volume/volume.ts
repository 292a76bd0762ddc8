/** What the owner of a domain states about its past volume, and the operator's answer. */

import type { Id } from '../../core/ids.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'

/** The last statement of a domain. */
export interface PastVolume {
  emailsPerDay: number
  note: string | null
  statedAt: Date
  /** Null until the operator decides, and if they refuse. */
  approved: number | null
  answer: string | null
  decidedAt: Date | null
}

export interface VolumeOfDomain extends PastVolume {
  businessId: Id<'business'>
  domainId: Id<'domain'>
  domain: string
}

/** One that waits, as it is listed for the operator. */
export interface WaitingVolume extends VolumeOfDomain {
  businessName: string
}

export const volumeStates = ['waiting', 'approved', 'refused'] as const

export const volumeView = Type.Object({
  state: Type.Enum(volumeStates),
  emails_per_day: Type.Integer(),
  note: Type.Optional(Type.String()),
  stated_at: Type.String(),
  approved_per_day: Type.Optional(Type.Integer()),
  answer: Type.Optional(Type.String()),
  decided_at: Type.Optional(Type.String()),
})

export function volumeViewOf(volume: PastVolume): Static<typeof volumeView> {
  const { emailsPerDay, note, statedAt, approved, answer, decidedAt } = volume
  return {
    state: stateOf(volume),
    emails_per_day: emailsPerDay,
    ...(note !== null && { note }),
    stated_at: statedAt.toISOString(),
    ...(approved !== null && { approved_per_day: approved }),
    ...(answer !== null && { answer }),
    ...(decidedAt && { decided_at: decidedAt.toISOString() }),
  }
}

export function stateOf({ approved, decidedAt }: PastVolume): (typeof volumeStates)[number] {
  if (!decidedAt) return 'waiting'
  return approved === null ? 'refused' : 'approved'
}
