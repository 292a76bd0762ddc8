/** Parts of what an installation can do that are made of its settings alone. */

import type { SenderProfileReader } from '../accounts/businesses/sender-profile.ts'
import type { SettingsParts } from '../accounts/settings/settings-view.ts'
import { limits } from '../config.ts'
import type { Db } from '../lib/db/types.ts'
import type { DomainSettings } from '../sender-domains/model/domain.ts'
import { createMissing, missingUnder } from './missing.ts'

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
  senderProfileOf: Pick<SenderProfileReader, 'forget'>,
): SettingsParts {
  const missingIn = missingUnder(settings)
  const missingOf = createMissing(db, missingIn)
  const changed: SettingsParts['changed'] = (id) => {
    senderProfileOf.forget(id)
    missingOf.forget(id)
  }
  return { appUrl, missingOf, missingIn, changed }
}
