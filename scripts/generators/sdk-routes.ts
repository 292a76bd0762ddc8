/** sdk/src/generated/routes.ts: the REST route of each operation. */
import { type Entry, entries, heading } from './catalog.ts'

export async function sdkRoutes(): Promise<string> {
  return [
    heading('the catalogue of operations'),
    `import type { RouteTable } from '../calls/rest-request.ts'\n`,
    `/** Of every operation its routes. */`,
    `export const routes: RouteTable = {`,
    ...routeLines(entries()),
    `}\n`,
    `/** Operations by POST that take no idempotency key, because they only read. */`,
    `export const keyless: ReadonlySet<string> = new Set([`,
    ...keylessLines(entries()),
    `])\n`,
  ].join('\n')
}

export function routeLines(all: readonly Entry[]): string[] {
  return all.map(({ operation: { name, rest } }) => {
    const lines = [rest].flat().map((line) => `'${line}'`)
    return `  '${name}': [${lines.join(', ')}],`
  })
}

function keylessLines(all: readonly Entry[]): string[] {
  const names = all
    .filter(({ operation, input }) => {
      const isReadByGet = [operation.rest].flat().every((line) => line.startsWith('GET '))
      return !isReadByGet && !('idempotency_key' in (input.properties ?? {}))
    })
    .map(({ operation }) => operation.name)
  return names.map((name) => `  '${name}',`)
}
