import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { DeploySettings } from './business.ts'
import { type ApprovalRules, findDeploySettings, selectApprovalRules } from './queries.ts'

export function readDeploySettings(
  db: Db,
  id: Id<'business'>,
): Promise<DeploySettings | undefined> {
  return findDeploySettings(db, id)
}

export function readApprovalRules(
  db: Db,
  ids: readonly Id<'business'>[],
): Promise<ApprovalRules[]> {
  return selectApprovalRules(db, ids)
}
