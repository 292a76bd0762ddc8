/** The search parameters of the campaign pages. */
import type { CampaignState } from '../../parts/campaign-status.tsx'

export const steps = ['who', 'what', 'check', 'when'] as const
export type Step = (typeof steps)[number]

export interface CampaignsSearch {
  status?: CampaignState
  /** Occurs in the name or the subject. */
  q?: string
  view?: 'calendar'
  /** Of the calendar, such as `2026-11`. */
  month?: string
  /** Whether the dialog for a new campaign is open. */
  add?: boolean
}

const monthForm = /^\d{4}-(?:0[1-9]|1[0-2])$/

export function readCampaignsSearch(search: Record<string, unknown>): CampaignsSearch {
  const { status, q, view, month, add } = search
  return {
    ...(typeof status === 'string' && { status: status as CampaignState }),
    ...(typeof q === 'string' && q !== '' && { q: q.slice(0, 200) }),
    ...(view === 'calendar' && { view }),
    ...(typeof month === 'string' && monthForm.test(month) && { month }),
    ...(add === true && { add }),
  }
}

export interface CampaignSearch {
  /** The step of the composer. */
  step?: Step
  /** The state by which recipients are filtered. */
  recipients?: string
  /** The link of which those who followed it are shown. */
  link?: string
}

export function readCampaignSearch({
  step,
  recipients,
  link,
}: Record<string, unknown>): CampaignSearch {
  const known = steps.find((word) => word === step)
  return {
    ...(known && { step: known }),
    ...(typeof recipients === 'string' && { recipients }),
    ...(typeof link === 'string' && { link }),
  }
}
