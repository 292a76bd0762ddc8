/** What a business is missing before it can deploy a campaign by email. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { selectWithoutAddress } from '../businesses/queries.ts'

export const missingThings = ['postal_address', 'sender_domain'] as const
export type MissingThing = (typeof missingThings)[number]

/**
 * Reads what each of the businesses is missing, possibly from a cache (`operations/missing.ts`).
 */
export type ReadMissing = (
  ids: readonly Id<'business'>[],
) => Promise<ReadonlyMap<Id<'business'>, readonly MissingThing[]>>

/** Does the same, but reads from the given database or transaction. */
export type ReadMissingFrom = (
  db: Db,
  ...parameters: Parameters<ReadMissing>
) => ReturnType<ReadMissing>

export const missingView = Type.Array(
  Type.Object({
    what: Type.Enum(missingThings),
    remedy: Type.String(),
    fix: Type.Object({}, { additionalProperties: true }),
  }),
)

/** An example that nobody can save by mistake, because angle brackets are refused. */
export const addressFix = {
  tool: 'business.save',
  arguments: { postal_address: '<street, postcode and town, country>' },
}

const remedies: Record<MissingThing, Static<typeof missingView>[number]> = {
  postal_address: {
    what: 'postal_address',
    remedy: 'Marketing names the postal address of its sender: an owner sets it in the settings.',
    fix: addressFix,
  },
  sender_domain: {
    what: 'sender_domain',
    remedy:
      'Email is sent from a verified domain. Ask an admin to add one and set its DNS records.',
    fix: { tool: 'domain.add', arguments: { domain: '<your domain>' } },
  },
}

/** Each missing thing with how to supply it. */
export function viewOfMissing(
  things: readonly MissingThing[] | undefined,
): Static<typeof missingView> {
  return (things ?? []).map((thing) => remedies[thing])
}

export async function businessesWithoutAddress(
  db: Db,
  ids: readonly Id<'business'>[],
): Promise<ReadonlySet<Id<'business'>>> {
  return new Set((await selectWithoutAddress(db, ids)).map(({ id }) => id))
}
