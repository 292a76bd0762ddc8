/** What the addresses of the pages of campaigns say. */
import type { CampaignState } from '../../parts/campaign-status.tsx'

export const steps = ['who', 'what', 'check', 'when'] as const
export type Step = (typeof steps)[number]

export interface CampaignsSearch {
  status?: CampaignState
}

export function readCampaignsSearch({ status }: Record<string, unknown>): CampaignsSearch {
  return typeof status === 'string' ? { status: status as CampaignState } : {}
}

export interface CampaignSearch {
  /** Of the composer. */
  step?: Step
  /** Recipients in this state. */
  recipients?: string
}

export function readCampaignSearch({ step, recipients }: Record<string, unknown>): CampaignSearch {
  const known = steps.find((one) => one === step)
  return {
    ...(known && { step: known }),
    ...(typeof recipients === 'string' && { recipients }),
  }
}
