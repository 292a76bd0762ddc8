/** sdk/src/generated/operations.ts: a typed method for every operation. */
import type { Operation } from 'crier-server/core/operation.ts'
import { aboutOf } from 'crier-server/reference/meanings/find.ts'
import { blockSchemas, withBlockSchema } from 'crier-server/reference/openapi/block-schema.ts'
import { filterSchemas, withFilterSchema } from 'crier-server/reference/openapi/filter-schema.ts'
import { entryName, itemsField, modelName } from 'crier-server/reference/openapi/schema.ts'
import { type Entry, entries, heading } from './catalog.ts'
import { comment, literal, pascal, type Schema, typeOf } from './schema-types.ts'
import { choices } from './sdk-choices.ts'

export async function sdkOperations(): Promise<string> {
  const all = entries().map((entry) => ({ ...entry, ...withNamed(entry) }))
  const nouns = Map.groupBy(all, ({ noun }) => noun)
  return [
    heading('the catalogue of operations'),
    `import { type ListMethod, type ListOfMethod, listMethod } from '../calls/pages.ts'`,
    `import type { Needs } from '../calls/needs.ts'`,
    `import type { CallOptions } from '../calls/rest.ts'\n`,
    ...Object.entries({ ...filterSchemas, ...blockSchemas }).map(namedType),
    ...all.map(operationTypes),
    ...modelsOf(all),
    `/** Every operation of the server as a method: \`client.contact.upsert({ … })\`. */`,
    `export interface Operations {`,
    ...signaturesOf(nouns, { hasPages: true }),
    `}\n`,
    `/** Calls the operation of that name. */`,
    `export type CallFunction = <T>(`,
    `  name: string,`,
    `  args?: object,`,
    `  options?: CallOptions,`,
    `) => Promise<T>\n`,
    `/** The methods, each a call by its name. */`,
    `export function operationsOver(call: CallFunction): Operations {`,
    `  return {`,
    ...methodsOf(nouns, { hasPages: true }),
    `  }`,
    `}\n`,
  ].join('\n')
}

const withNamed = ({ input, output }: Entry) => ({
  input: withBlockSchema(withFilterSchema(input)),
  output: withBlockSchema(withFilterSchema(output)),
})

/** The type of filters, of their conditions, and of the blocks of each kind. */
function namedType([name, schema]: [string, unknown]): string {
  const { description = 'A block of a mail.' } = schema as Schema
  return `${comment(description, '')}${declared(name, typeOf(schema as Schema))}`
}

type Nouns = ReadonlyMap<string, Entry[]>

/** Whether lists get methods for further pages. */
interface Style {
  hasPages: boolean
}

export const signaturesOf = (nouns: Nouns, style: Style) =>
  [...nouns].map(([noun, list]) => {
    const lines = list.map((entry) => signature(entry, style))
    return `  ${noun}: {\n${lines.join('')}  }`
  })

export const methodsOf = (nouns: Nouns, style: Style) =>
  [...nouns].map(([noun, list]) => {
    const lines = list.map((entry) => method(entry, style))
    return `    ${noun}: {\n${lines.join('')}    },`
  })

export function operationTypes({ operation, input, output }: Entry): string {
  const { name, entries = {} } = operation
  return [
    ...Object.keys(entries).flatMap((field) => entryTypes(name, input, field)),
    ...inputTypes(name, typeOf(withNamedEntries(operation, input))),
    `/** Answer of \`${name}\`. */`,
    declared(`${pascal(name)}Output`, typeOf(output)),
  ].join('\n')
}

function entryTypes(name: string, { properties = {} }: Schema, field: string): string[] {
  const about = `/** One of \`${field}\` of \`${name}\`. */`
  const { entryGroups } = choices[name] ?? {}
  return withNeeds(entryName(name), typeOf(properties[field]?.items ?? {}), about, entryGroups)
}

/** Their lists hold the types of the entries. */
function withNamedEntries({ name, entries = {} }: Operation, input: Schema): Schema {
  const properties: Record<string, Schema> = { ...input.properties }
  for (const field of Object.keys(entries)) {
    properties[field] = { ...properties[field], items: { $ref: entryName(name) } }
  }
  return { ...input, properties }
}

function inputTypes(name: string, type: string): string[] {
  const about = `/** Arguments of \`${name}\`. */`
  return withNeeds(`${pascal(name)}Input`, type, about, choices[name]?.groups)
}

/** A type, with what the schema alone does not say. */
function withNeeds(
  name: string,
  type: string,
  about: string,
  groups: readonly (readonly (readonly string[])[])[] | undefined,
): string[] {
  if (!groups) return [about, declared(name, type)]
  const fields = name.endsWith('Input') ? name.replace(/Input$/, 'Fields') : `${name}Fields`
  return [
    `/** The fields of ${name}. */`,
    declared(fields, type),
    about,
    `export type ${name} = ${fields}${needsOf(fields, groups)}\n`,
  ]
}

function needsOf(fields: string, groups: readonly (readonly (readonly string[])[])[] = []): string {
  const group = (alternatives: readonly (readonly string[])[]): string =>
    alternatives.map((keys) => `Needs<${fields}, ${keys.map(literal).join(' | ')}>`).join(' | ')
  return groups.map((alternatives) => ` & (${group(alternatives)})`).join('')
}

function modelsOf(all: readonly Entry[]): string[] {
  return all.flatMap((entry) => {
    const { operation } = entry
    const items = itemsField(entry.input, entry.output)
    const name = modelName(operation.name)
    if (items === undefined || name === undefined) return []
    const type = `${pascal(operation.name)}Output[${literal(items)}][number]`
    return [`/** As \`${operation.name}\` lists it. */`, `export type ${name} = ${type}\n`]
  })
}

/** An interface where the type has fields of its own. */
function declared(name: string, type: string): string {
  const isUnion = type.includes('\n} | ')
  return type.startsWith('{') && !isUnion
    ? `export interface ${name} ${type}\n`
    : `export type ${name} = ${type}\n`
}

function signature(entry: Entry, { hasPages }: Style): string {
  const { verb, operation, input } = entry
  const name = pascal(operation.name)
  const items = hasPages ? itemsField(entry.input, entry.output) : undefined
  if (items !== undefined) {
    const type = input.required?.length ? 'ListOfMethod' : 'ListMethod'
    const item = `${name}Output[${literal(items)}][number]`
    return `${comment(aboutOf(operation), '    ')}    ${verb}: ${type}<${name}Input, ${name}Output, ${item}>\n`
  }
  const sign = needsInput(entry) ? '' : '?'
  return `${comment(aboutOf(operation), '    ')}    ${verb}(input${sign}: ${name}Input, options?: CallOptions): Promise<${name}Output>\n`
}

function needsInput({ operation, input }: Entry): boolean {
  return Boolean(input.required?.length || choices[operation.name]?.groups)
}

function method(entry: Entry, { hasPages }: Style): string {
  const { verb, operation } = entry
  const items = hasPages ? itemsField(entry.input, entry.output) : undefined
  if (items !== undefined) {
    return `      ${verb}: listMethod((input, options) => call('${operation.name}', input, options), ${literal(items)}),\n`
  }
  const given = needsInput(entry) ? 'input' : 'input = {}'
  return `      ${verb}: (${given}, options) => call('${operation.name}', input, options),\n`
}
