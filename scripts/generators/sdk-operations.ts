/** sdk/src/generated/operations.ts: a typed method for every operation. */
import { type Entry, entries, heading } from './catalog.ts'
import { comment, pascal, typeOf } from './schema-types.ts'

export async function sdkOperations(): Promise<string> {
  const all = entries()
  const nouns = Map.groupBy(all, ({ noun }) => noun)
  return [
    heading('the catalogue of operations'),
    `import type { CallOptions } from '../rpc.ts'\n`,
    ...all.map(types),
    `/** Every operation of the server as a method: \`client.contact.upsert({ … })\`. */`,
    `export interface Operations {`,
    ...[...nouns].map(([noun, list]) => `  ${noun}: {\n${list.map(signature).join('')}  }`),
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
    ...[...nouns].map(([noun, list]) => `    ${noun}: {\n${list.map(method).join('')}    },`),
    `  }`,
    `}\n`,
  ].join('\n')
}

function types({ operation, input, output }: Entry): string {
  const name = pascal(operation.name)
  return [
    `/** Arguments of \`${operation.name}\`. */`,
    `export interface ${name}Input ${typeOf(input)}\n`,
    `/** Answer of \`${operation.name}\`. */`,
    `export interface ${name}Output ${typeOf(output)}\n`,
  ].join('\n')
}

function signature({ verb, operation, input }: Entry): string {
  const name = pascal(operation.name)
  const sign = input.required?.length ? '' : '?'
  return `${comment(`${operation.title}. ${operation.summary}`, '    ')}    ${verb}(input${sign}: ${name}Input, options?: CallOptions): Promise<${name}Output>\n`
}

function method({ verb, operation, input }: Entry): string {
  const given = input.required?.length ? 'input' : 'input = {}'
  return `      ${verb}: (${given}, options) => call('${operation.name}', input, options),\n`
}
