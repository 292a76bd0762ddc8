import type { BusinessContext } from '../../core/operation.ts'
import { untrusted } from '../../core/untrusted.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import type { Filter } from '../filters/filter.ts'
import { warningsOf } from '../filters/warnings.ts'
import { countContacts } from '../search.ts'
import { countMatches, findSomeMatches } from './count.ts'
import { shownContact } from './evidence.ts'
import { unknownNamesIn } from './unknown-names.ts'
import { compileCondition } from './where.ts'

/** How many people a preview shows. */
const shownPeople = 10

/** The preview, for callers who may read contacts. */
export const previewView = Type.Object({
  count: Type.Integer(),
  at_least: Type.Boolean(),
  people: Type.Array(
    Type.Object({
      contact_id: Type.String(),
      email: Type.Union([Type.String(), Type.Null()]),
      phone: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  warnings: Type.Array(Type.String()),
  untrusted: Type.Optional(
    untrusted({
      spellings: Type.Array(
        Type.Object({
          path: Type.String(),
          fix: Type.String(),
          contacts: Type.Integer(),
        }),
      ),
    }),
  ),
})

export async function previewOf(
  context: BusinessContext,
  filter: Filter,
): Promise<Static<typeof previewView>> {
  const { db, business } = context
  const where = await compileCondition(context, filter)
  const [{ fitting, isPartial }, all, people, unknown] = await Promise.all([
    countMatches(context, where),
    countContacts(db, business.id),
    findSomeMatches(context, where, shownPeople),
    unknownNamesIn(db, business.id, filter),
  ])
  const warnings = [
    ...(fitting === 0 && !isPartial ? ['It fits nobody at this moment.'] : []),
    ...(fitting === all && all > 0 ? ['It fits every contact.'] : []),
    ...unknown.warnings,
    ...warningsOf(filter),
  ]
  return {
    count: fitting,
    at_least: isPartial,
    people: people.map(shownContact),
    warnings,
    ...(unknown.spellings.length > 0 && { untrusted: { spellings: unknown.spellings } }),
  }
}
