/** The settings that can be changed on a business, by key; values are given as text. */

import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { readApprovalRules } from '../businesses/deploy-settings.ts'
import { countSettingsChange, type SettingColumn, updateSetting } from '../businesses/queries.ts'
import { settingReaders } from './setting-values.ts'

export const settingKeys = Object.keys(settingReaders) as SettingColumn[]

export async function setBusiness(
  db: Db,
  id: Id<'business'>,
  setting: { key: string; value: string; now: Date },
): Promise<SettingColumn | Refusal> {
  const column = settingKeys.find((key) => key === setting.key)
  if (!column) {
    return refuse('invalid_request', `A business has these settings: ${settingKeys.join(', ')}.`)
  }
  const value = settingReaders[column](setting.value)
  if (isRefusal(value)) return value
  const idle = column === 'deploy_limit' && value === null && (await refuseNoLimit(db, id))
  if (idle) return idle
  const changed = await updateSetting(db, id, { column, value, now: setting.now })
  return changed === 1 ? column : refuse('not_found', 'There is no such business.')
}

/** For a change outside of `business.save`, so that people who edit the settings notice it. */
export async function setAndCount(
  db: Db,
  id: Id<'business'>,
  setting: { key: string; value: string; now: Date },
): Promise<SettingColumn | Refusal> {
  const set = await setBusiness(db, id, setting)
  if (!isRefusal(set)) await countSettingsChange(db, id)
  return set
}

/** The refusal if two people approve campaigns, of which none would wait without a limit. */
async function refuseNoLimit(db: Db, id: Id<'business'>): Promise<Refusal | undefined> {
  const [rules] = await readApprovalRules(db, [id])
  if (!rules?.twoPeople) return undefined
  const text =
    'While two_people is on, deploy_limit takes a number: 0 has every campaign wait for the second person. Or switch two_people off as well.'
  return refuse('invalid_request', text, { field: 'deploy_limit' })
}
