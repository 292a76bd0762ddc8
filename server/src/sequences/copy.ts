import { type BusinessContext, operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import { Type } from '../lib/schema/schema.ts'
import { singleLine } from '../lib/text/single-line.ts'
import { sequenceLimits } from './limits.ts'
import { addSequence, nameInput } from './save.ts'
import { bySequence, fieldsOf, readSequence, sequenceFields, sequenceIdInput } from './sequence.ts'

export const sequenceCopy = operation({
  name: 'sequence.copy',
  title: 'Copy an automation',
  area: 'campaigns',
  summary:
    'Make a new draft with the rule and steps of a sequence. Nobody enters it before a start.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  rest: 'POST /v1/sequences/:sequence_id/copy',
  status: 201,
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput, name: Type.Optional(nameInput) },
  output: Type.Object(sequenceFields),

  async run(context, { sequence_id, name }) {
    const original = await readSequence(context.db, context.business.id, sequence_id)
    const line = singleLine(name ?? (await nameOfCopy(context, original.name)))
    const { definition } = original
    return context.write(async (tx) =>
      fieldsOf(await addSequence(tx, context, { name: line, definition })),
    )
  },
})

/** After so many copies of the same name a person has to choose one. */
const mostCopies = 100

/** The first name of a copy that no sequence of the business has. */
async function nameOfCopy({ db, business }: BusinessContext, name: string): Promise<string> {
  const base = name.replace(/ \(copy(?: \d{1,3})?\)$/, '')
  const names = Array.from({ length: mostCopies }, (_, n) => {
    const suffix = n === 0 ? ' (copy)' : ` (copy ${n + 1})`
    return `${base.slice(0, sequenceLimits.nameLength - suffix.length)}${suffix}`
  })
  const rows = await db.all<{ name: string }>(sql`
    select lower(name) as name from sequences
    where business_id = ${business.id} and deleted_at is null
      and lower(name) = any (${names.map((line) => line.toLowerCase())}::text[])
  `)
  const takenNames = new Set(rows.map((row) => row.name))
  return names.find((candidate) => !takenNames.has(candidate.toLowerCase())) ?? name
}
