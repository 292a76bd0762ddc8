import { Type } from '../../lib/schema/schema.ts'

/**
 * A loose schema for clients: some clients drop a tool with a recursive schema, and a schema
 * written out three levels deep takes 114 kB. The server checks filters strictly (`read.ts`).
 */
const filter = (description: string) =>
  Type.Optional(Type.Unsafe<object>({ type: 'object', description }))

const explained =
  'Whom conditions fit, joined by and, or, not: {"and":[{"tag":"vip"},{"field":"attributes.plan","op":"in","value":["pro"]}]}, {"not":{"consent":"email","is":"subscribed","within":"30 days"}}. A refusal says what is right.'
export const filterInput = filter(explained)

/** For callers who know `contact.list`, which explains how a filter is written. */
export const sameFilterInput = filter('As in contact.list.')
