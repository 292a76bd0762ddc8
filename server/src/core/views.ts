/**
 * The two views of a list. A model picks an item from a list and reads it whole by its id, so it gets
 * each item in brief unless it asks for all; programs get all.
 */
import { Type } from '../lib/schema/schema.ts'
import type { Context } from './operation.ts'

export const viewInput = Type.Optional(
  Type.Enum(['brief', 'full'], {
    description: 'brief: what tells items apart. Default for tools; full elsewhere.',
  }),
)

export type View = 'brief' | 'full'

export const isBrief = ({ isToolCall }: Pick<Context, 'isToolCall'>, view: View | undefined) =>
  (view ?? (isToolCall ? 'brief' : 'full')) === 'brief'

/**
 * The item as the caller wants it; in brief with these fields, of which null ones are left out. The
 * schema is that of the whole item, which programs get.
 */
export function inView<T extends object>(
  item: T,
  { brief, fields }: { brief: boolean; fields: readonly (keyof T & string)[] },
): T {
  if (!brief) return item
  const entries = fields.flatMap((field) => (item[field] == null ? [] : [[field, item[field]]]))
  return Object.fromEntries(entries) as T
}
