/** The parts of `Facilities` that depend only on the settings. */

import type { SenderProfileReader } from '../accounts/businesses/sender-profile.ts'
import type { SettingsParts } from '../accounts/settings/settings-view.ts'
import { limits } from '../config.ts'
import { liveOf } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import type { DomainSettings } from '../sender-domains/model/domain.ts'
import { ownDomainsOf } from '../sender-domains/senders/own-domains.ts'
import { restyleJob } from '../templates/restyle.ts'
import { createMissingReader, missingWithSettings } from './missing.ts'

/** The limits that `meta.capabilities` shows. */
export const publicLimits = {
  requests_per_minute: limits.requestsPerMinute,
  tool_call_bytes: limits.toolCallBytes,
}

/** The dependencies of the operations on settings. */
export function settingsDependencies(
  db: Db,
  { appUrl }: Pick<SettingsParts, 'appUrl'>,
  settings: Pick<DomainSettings, 'gate'>,
  senderProfileOf: Pick<SenderProfileReader, 'forget'>,
  publicBaseOf: SettingsParts['publicBaseOf'],
): SettingsParts {
  const missingIn = missingWithSettings(settings)
  const missingOf = createMissingReader(db, missingIn)
  const changed: SettingsParts['changed'] = (id) => {
    senderProfileOf.forget(id)
    missingOf.forget(id)
  }
  const ownDomains: SettingsParts['ownDomainsOf'] = (id) => ownDomainsOf(db, liveOf(id))
  return {
    appUrl,
    missingOf,
    missingIn,
    changed,
    restyle: restyleJob,
    publicBaseOf,
    ownDomainsOf: ownDomains,
  }
}
