import { Type } from '../../lib/schema/schema.ts'

/**
 * Loose, as clients see it: a schema that names itself makes some of them drop the tool, and one
 * that is written out three levels deep takes 114 kB. The server reads it strictly (`read.ts`).
 */
const filter = (description: string) =>
  Type.Optional(Type.Unsafe<object>({ type: 'object', description }))

export const filterInput = filter(
  'Whom conditions fit, joined by and, or, not: {"and":[{"tag":"vip"},{"field":"attributes.plan","op":"in","value":["pro"]}]}, {"not":{"consent":"email","is":"subscribed","within":"30 days"}}. A refusal says what is right.',
)

/** Where a caller knows `contact.list`, which says how one is written. */
export const sameFilterInput = filter('As in contact.list.')
