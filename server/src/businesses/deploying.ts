import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import type { Tier } from '../platform/operation.ts'
import { type ApprovalRules, findDeploying, selectApprovalRules } from './queries.ts'

/** What a business lets campaigns do. */
export interface Deploying {
  name: string
  tier: Tier
  timeZone: string
  postalAddress: string | null
  /** Recipients up to which a connection deploys alone; null for no limit. */
  deployLimit: number | null
  /** Whoever deploys a campaign does not approve it too, not even as a person in the app. */
  twoPeople: boolean
}

export function deployingOf(db: Db, id: Id<'business'>): Promise<Deploying | undefined> {
  return findDeploying(db, id)
}

export function approvalRulesOf(db: Db, ids: readonly Id<'business'>[]): Promise<ApprovalRules[]> {
  return selectApprovalRules(db, ids)
}
