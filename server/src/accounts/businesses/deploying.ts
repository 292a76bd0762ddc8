import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Deploying } from './business.ts'
import { type ApprovalRules, findDeploying, selectApprovalRules } from './queries.ts'

export function deployingOf(db: Db, id: Id<'business'>): Promise<Deploying | undefined> {
  return findDeploying(db, id)
}

export function approvalRulesOf(db: Db, ids: readonly Id<'business'>[]): Promise<ApprovalRules[]> {
  return selectApprovalRules(db, ids)
}
