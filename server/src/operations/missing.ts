/** What businesses lack before they can deploy a campaign by email. */
import { type MissingOf, type MissingThing, withoutAddress } from '../businesses/missing.ts'
import type { DomainSettings } from '../domains/domain.ts'
import { withVerifiedDomain } from '../domains/read.ts'

/** Two statements, however many businesses are asked for. */
export function createMissing({ gate }: Pick<DomainSettings, 'gate'>): MissingOf {
  return async (db, ids) => {
    const [lackAddress, haveDomain] = await Promise.all([
      withoutAddress(db, ids),
      gate === 'strict' ? withVerifiedDomain(db, ids) : new Set(ids),
    ])
    return new Map(
      ids.map((id) => {
        const things: MissingThing[] = []
        if (lackAddress.has(id)) things.push('postal_address')
        if (!haveDomain.has(id)) things.push('sender_domain')
        return [id, things]
      }),
    )
  }
}
