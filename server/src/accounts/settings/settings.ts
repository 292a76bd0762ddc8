/** The settings that can be changed on a business, by key; values are given as text. */

import { refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { isFormOf } from '../businesses/archive.ts'
import type { ArchiveSetting } from '../businesses/business.ts'
import { readApprovalRules } from '../businesses/deploy-settings.ts'
import { hasTwoApprovers } from '../businesses/memberships.ts'
import { countSettingsChange, type SettingColumn, updateSetting } from '../businesses/queries.ts'
import { settingReaders } from './setting-values.ts'

export const settingKeys = Object.keys(settingReaders) as SettingColumn[]

export async function setBusiness(
  db: Db,
  id: Id<'business'>,
  setting: { key: string; value: string; now: Date },
): Promise<SettingColumn> {
  const column = settingKeys.find((key) => key === setting.key)
  if (!column) {
    const text = `A business has these settings: ${settingKeys.join(', ')}.`
    throw refuse('invalid_request', text, { data: { reason: 'unknown_field' } })
  }
  const value = settingReaders[column](setting.value)
  if (column === 'deploy_limit' && value === null) await checkNeedsNoLimit(db, id)
  if (column === 'archive') await checkFormOfArchive(db, id, `${value}`)
  if (column === 'two_people' && value === 'yes') await checkTwoApprovers(db, id)
  const changed = await updateSetting(db, id, { column, value, now: setting.now })
  if (changed === 1) return column
  throw refuse('not_found', 'There is no such business.')
}

/** For a change outside of `business.save`, so that people who edit the settings notice it. */
export async function setAndCount(
  db: Db,
  id: Id<'business'>,
  setting: { key: string; value: string; now: Date },
): Promise<SettingColumn> {
  const column = await setBusiness(db, id, setting)
  await countSettingsChange(db, id)
  return column
}

/** If two people approve campaigns, none of these would wait without a limit. */
async function checkNeedsNoLimit(db: Db, id: Id<'business'>): Promise<void> {
  const [rules] = await readApprovalRules(db, [id])
  if (!rules?.twoPeople) return
  const text =
    'While two_people is on, deploy_limit must be a number: 0 has every campaign wait for the second person. Or switch two_people off as well.'
  throw refuse('invalid_request', text, {
    field: 'deploy_limit',
    data: { reason: 'limit_of_two_people' },
  })
}

/** The form by which readers of the archive subscribe must be this business's. */
async function checkFormOfArchive(db: Db, id: Id<'business'>, archive: string): Promise<void> {
  const { form_id: text } = JSON.parse(archive) as ArchiveSetting
  const formId = text === undefined || text === null ? undefined : parseId('form', text)
  if (!formId || (await isFormOf(db, id, formId))) return
  const message =
    'archive.form_id names no form of this business: form.list has the forms of the business.'
  throw refuse('invalid_request', message, {
    field: 'archive.form_id',
    fix: formList,
    data: { reason: 'form_of_archive' },
  })
}

const formList = { tool: 'form.list', arguments: {} }

/** If only one member may approve, that person could send nothing of their own any more. */
async function checkTwoApprovers(db: Db, id: Id<'business'>): Promise<void> {
  const [rules] = await readApprovalRules(db, [id])
  if (!rules || rules.twoPeople || (await hasTwoApprovers(db, id))) return
  const text =
    'two_people needs two members who may approve, and this business has one: an owner first makes a second member approver, admin or owner, on the page Members.'
  throw refuse('conflict', text, { field: 'two_people', data: { reason: 'two_people' } })
}
