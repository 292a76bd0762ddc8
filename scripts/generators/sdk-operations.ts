/** sdk/src/generated/operations.ts: a typed method for every operation. */
import { aboutOf } from 'crier-server/reference/meanings/find.ts'
import { type Entry, entries, heading } from './catalog.ts'
import { comment, pascal, typeOf } from './schema-types.ts'

export async function sdkOperations(): Promise<string> {
  const all = entries()
  const nouns = Map.groupBy(all, ({ noun }) => noun)
  return [
    heading('the catalogue of operations'),
    `import type { CallOptions } from '../calls/rpc.ts'\n`,
    ...all.map(operationTypes),
    `/** Every operation of the server as a method: \`client.contact.upsert({ … })\`. */`,
    `export interface Operations {`,
    ...signaturesOf(nouns),
    `}\n`,
    `/** Calls the tool of that name. */`,
    `export type CallFunction = <T>(`,
    `  name: string,`,
    `  args?: object,`,
    `  options?: CallOptions,`,
    `) => Promise<T>\n`,
    `/** The methods, each a call by its name. */`,
    `export function operationsOver(call: CallFunction): Operations {`,
    `  return {`,
    ...methodsOf(nouns),
    `  }`,
    `}\n`,
  ].join('\n')
}

type Nouns = ReadonlyMap<string, Entry[]>

export const signaturesOf = (nouns: Nouns) =>
  [...nouns].map(([noun, list]) => `  ${noun}: {\n${list.map(signature).join('')}  }`)

export const methodsOf = (nouns: Nouns) =>
  [...nouns].map(([noun, list]) => `    ${noun}: {\n${list.map(method).join('')}    },`)

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

function signature({ verb, operation, input }: Entry): string {
  const name = pascal(operation.name)
  const sign = input.required?.length ? '' : '?'
  return `${comment(aboutOf(operation), '    ')}    ${verb}(input${sign}: ${name}Input, options?: CallOptions): Promise<${name}Output>\n`
}

function method({ verb, operation, input }: Entry): string {
  const given = input.required?.length ? 'input' : 'input = {}'
  return `      ${verb}: (${given}, options) => call('${operation.name}', input, options),\n`
}
