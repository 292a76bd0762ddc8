/** The search parameters of the campaign pages. */
import type { CampaignState } from '../../parts/campaign-status.tsx'

export const steps = ['who', 'what', 'check', 'when'] as const
export type Step = (typeof steps)[number]

export interface CampaignsSearch {
  status?: CampaignState
  /** Whether the dialog for a new campaign is open. */
  add?: boolean
}

export function readCampaignsSearch({ status, add }: Record<string, unknown>): CampaignsSearch {
  return {
    ...(typeof status === 'string' && { status: status as CampaignState }),
    ...(add === true && { add }),
  }
}

export interface CampaignSearch {
  /** The step of the composer. */
  step?: Step
  /** The state by which recipients are filtered. */
  recipients?: string
}

export function readCampaignSearch({ step, recipients }: Record<string, unknown>): CampaignSearch {
  const known = steps.find((word) => word === step)
  return {
    ...(known && { step: known }),
    ...(typeof recipients === 'string' && { recipients }),
  }
}
