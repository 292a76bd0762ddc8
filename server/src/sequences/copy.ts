import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { singleLine } from '../lib/text/single-line.ts'
import { sequenceLimits } from './definition.ts'
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
    const line = singleLine(name ?? nameOfCopy(original.name))
    const { definition } = original
    return context.write(async (tx) =>
      fieldsOf(await addSequence(tx, context, { name: line, definition })),
    )
  },
})

const suffix = ' (copy)'

function nameOfCopy(name: string): string {
  if (name.endsWith(suffix)) return name
  return `${name.slice(0, sequenceLimits.nameLength - suffix.length)}${suffix}`
}
