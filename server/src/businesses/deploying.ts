import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import type { Deploying } from './business.ts'
import { type ApprovalRules, findDeploying, selectApprovalRules } from './queries.ts'

export function deployingOf(db: Db, id: Id<'business'>): Promise<Deploying | undefined> {
  return findDeploying(db, id)
}

export function approvalRulesOf(db: Db, ids: readonly Id<'business'>[]): Promise<ApprovalRules[]> {
  return selectApprovalRules(db, ids)
}
