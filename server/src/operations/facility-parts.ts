/** Parts of what an installation can do that are made of its settings alone. */
import type { LetterheadReader } from '../businesses/letterhead.ts'
import type { SettingsParts } from '../businesses/settings-view.ts'
import { limits } from '../config.ts'
import type { DomainSettings } from '../domains/domain.ts'
import type { Db } from '../platform/db.ts'
import { createMissing } from './missing.ts'

/** Those that `meta.capabilities` shows. */
export const shownLimits = {
  requests_per_minute: limits.requestsPerMinute,
  tool_call_bytes: limits.toolCallBytes,
}

/** What the operations on settings are made with. */
export function settingsParts(
  db: Db,
  { appUrl }: Pick<SettingsParts, 'appUrl'>,
  settings: Pick<DomainSettings, 'gate'>,
  letterheadOf: Pick<LetterheadReader, 'forget'>,
): SettingsParts {
  return { appUrl, missingOf: createMissing(db, settings), changed: letterheadOf.forget }
}
