/** cli/src/generated/commands.ts: the options of `crier NOUN VERB`, for every operation. */

import { prefixOfField } from 'crier-server/core/ids.ts'
import { fieldKind } from 'crier-server/operations/field-kind.ts'
import { aboutOf } from 'crier-server/reference/meanings/find.ts'
import { type Entry, entries, heading } from './catalog.ts'
import { literal, type Schema } from './schema-types.ts'

export async function cliCommands(): Promise<string> {
  return [
    heading('the catalogue of operations'),
    `import type { OperationCommand } from '../operation-command.ts'\n`,
    `export const commands: readonly OperationCommand[] = [`,
    ...entries().map(command),
    `]\n`,
  ].join('\n')
}

function command({ noun, verb, operation, input }: Entry): string {
  const { business_id: _, ...properties } = input.properties ?? {}
  return [
    `  {`,
    `    noun: ${literal(noun)},`,
    `    verb: ${literal(verb)},`,
    `    title: ${literal(operation.title)},`,
    `    summary: ${literal(aboutOf(operation))},`,
    `    options: [`,
    ...Object.entries(properties).map(([key, schema]) =>
      option(key, schema, input.required?.includes(key) ?? false),
    ),
    `    ],`,
    `  },`,
  ].join('\n')
}

function option(key: string, schema: Schema, required: boolean): string {
  const { kind, choices } = kindOf(schema)
  const prefix = prefixOfField(key)
  const parts = [
    `key: ${literal(key)}`,
    `kind: ${literal(kind)}`,
    ...(required ? ['required: true'] : []),
    ...(kind === 'json' && schema.anyOf?.some(({ type }) => type === 'string')
      ? ['sentence: true']
      : []),
    ...(prefix && kind === 'text' ? [`prefix: ${literal(prefix)}`] : []),
    ...(choices ? [`choices: [${choices.map(literal).join(', ')}]`] : []),
    `about: ${literal(schema.description ?? '')}`,
  ]
  return `      { ${parts.join(', ')} },`
}

/** How the option's words become a value. Values without a simpler form are written as JSON. */
function kindOf(schema: Schema): { kind: string; choices?: unknown[] } {
  const kind = fieldKind(schema)
  const choices = kind === 'list' ? schema.items?.enum : schema.enum
  if (kind === 'boolean') return { kind: 'flag' }
  return choices && kind !== 'json' ? { kind, choices } : { kind }
}
