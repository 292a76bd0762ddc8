/** sdk/src/generated/operations.ts: a typed method for every operation. */
import { aboutOf } from 'crier-server/reference/meanings/find.ts'
import { type Entry, entries, heading } from './catalog.ts'
import { comment, literal, pascal, typeOf } from './schema-types.ts'

export async function sdkOperations(): Promise<string> {
  const all = entries()
  const nouns = Map.groupBy(all, ({ noun }) => noun)
  return [
    heading('the catalogue of operations'),
    `import { type ListMethod, type ListOfMethod, listMethod } from '../calls/pages.ts'`,
    `import type { CallOptions } from '../calls/rest.ts'\n`,
    ...all.map(operationTypes),
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

/** The field of a list's results that holds the items, where the list has pages. */
export function itemsField({ input, output }: Pick<Entry, 'input' | 'output'>): string | undefined {
  const [first] = Object.keys(output.properties ?? {})
  const hasPages =
    'cursor' in (input.properties ?? {}) && 'next_cursor' in (output.properties ?? {})
  if (!hasPages || first === undefined) return undefined
  return output.properties?.[first]?.type === 'array' ? first : undefined
}

export function operationTypes({ operation, input, output }: Entry): string {
  const name = pascal(operation.name)
  return [
    `/** Arguments of \`${operation.name}\`. */`,
    declared(`${name}Input`, typeOf(input)),
    `/** Answer of \`${operation.name}\`. */`,
    declared(`${name}Output`, typeOf(output)),
  ].join('\n')
}

/** An interface where the type has fields of its own. */
function declared(name: string, type: string): string {
  return type.startsWith('{')
    ? `export interface ${name} ${type}\n`
    : `export type ${name} = ${type}\n`
}

function signature(entry: Entry, { hasPages }: Style): string {
  const { verb, operation, input } = entry
  const name = pascal(operation.name)
  const items = hasPages ? itemsField(entry) : undefined
  if (items !== undefined) {
    const type = input.required?.length ? 'ListOfMethod' : 'ListMethod'
    const item = `${name}Output[${literal(items)}][number]`
    return `${comment(aboutOf(operation), '    ')}    ${verb}: ${type}<${name}Input, ${name}Output, ${item}>\n`
  }
  const sign = input.required?.length ? '' : '?'
  return `${comment(aboutOf(operation), '    ')}    ${verb}(input${sign}: ${name}Input, options?: CallOptions): Promise<${name}Output>\n`
}

function method(entry: Entry, { hasPages }: Style): string {
  const { verb, operation, input } = entry
  const items = hasPages ? itemsField(entry) : undefined
  if (items !== undefined) {
    return `      ${verb}: listMethod((input, options) => call('${operation.name}', input, options), ${literal(items)}),\n`
  }
  const given = input.required?.length ? 'input' : 'input = {}'
  return `      ${verb}: (${given}, options) => call('${operation.name}', input, options),\n`
}
