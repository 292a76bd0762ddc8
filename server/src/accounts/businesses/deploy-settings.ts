import type { Id } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Caps, DeploySettings } from './business.ts'
import {
  type ApprovalRules,
  type BusinessSwitches,
  findCaps,
  findDeploySettings,
  lockTier,
  selectApprovalRules,
  selectTrackingSwitches,
} from './queries.ts'

export type { BusinessSwitches }

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

/** Whether these businesses record opens and clicks. */
export function readTrackingSwitches(
  db: Db,
  ids: readonly Id<'business'>[],
): Promise<BusinessSwitches[]> {
  return selectTrackingSwitches(db, ids)
}

/** Reads the tier, and locks the business's row until the transaction ends. */
export async function tierOf(tx: Db, id: Id<'business'>): Promise<Tier | undefined> {
  return (await lockTier(tx, id))?.tier
}

/** How much marketing one person gets at most; undefined for any number. */
export function readCaps(db: Db, businessId: Id<'business'>): Promise<Caps | undefined> {
  return findCaps(db, businessId)
}
