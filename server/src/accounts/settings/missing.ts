/** What a business lacks before it can deploy a campaign by email. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { selectWithoutAddress } from '../businesses/queries.ts'

export const missingThings = ['postal_address', 'sender_domain'] as const
export type MissingThing = (typeof missingThings)[number]

/** Those of the businesses from which mail may not go out yet; `operations/missing.ts` asks. */
export type MissingOf = (
  ids: readonly Id<'business'>[],
) => Promise<ReadonlyMap<Id<'business'>, readonly MissingThing[]>>

/** The same, asked of the database, or the transaction, that is given. */
export type MissingIn = (db: Db, ...asked: Parameters<MissingOf>) => ReturnType<MissingOf>

export const missingView = Type.Array(
  Type.Object({
    what: Type.Enum(missingThings),
    remedy: Type.String(),
    fix: Type.Object({}, { additionalProperties: true }),
  }),
  { description: 'What must be there before a campaign by email can be deployed.' },
)

/** A value that nobody can save by mistake: the angle brackets are refused. */
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
    remedy: 'Mail goes out from a verified domain: an admin adds one, and sets its DNS records.',
    fix: { tool: 'domain.add', arguments: { domain: '<your domain>' } },
  },
}

/** With how each is mended. */
export function missingShown(
  things: readonly MissingThing[] | undefined,
): Static<typeof missingView> {
  return (things ?? []).map((thing) => remedies[thing])
}

export async function withoutAddress(
  db: Db,
  ids: readonly Id<'business'>[],
): Promise<ReadonlySet<Id<'business'>>> {
  return new Set((await selectWithoutAddress(db, ids)).map(({ id }) => id))
}
