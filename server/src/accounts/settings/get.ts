import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { lastSaveOf } from '../saves/last-save.ts'
import { type SettingsParts, settingsFields, showSettings } from './settings-view.ts'

export function businessGet(parts: SettingsParts) {
  return operation({
    name: 'business.get',
    title: 'See the settings of a business',
    area: 'business',
    everyday: true,
    summary:
      'Name, postal address, sender, time zone, limits, and what is missing before a deploy.',
    reach: 'business',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/businesses/settings',
    input: {},
    output: Type.Object(settingsFields),

    async run({ db, business, principal }) {
      const object = { businessId: business.id, objectId: business.id }
      const publicBase = await parts.publicBaseOf(business.id)
      const [shown, saved] = await Promise.all([
        showSettings(
          db,
          { appUrl: parts.appUrl, missingIn: parts.missingIn, publicBase },
          business,
        ),
        lastSaveOf(db, principal, object),
      ])
      return { ...shown, ...(saved && { saved }) }
    },
  })
}
