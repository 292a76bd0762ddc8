/** The page of an operation: its purpose, its input, its response, and how to call it. */

import type { Operation } from '../../core/operation.ts'
import { inUnits } from '../../lib/text/byte-units.ts'
import { routesOf } from '../../operations/routes.ts'
import { type Block, code, heading, type Page, table, text } from '../blocks.ts'
import type { ExampleIds } from '../examples/ids.ts'
import { exampleValue } from '../examples/values.ts'
import { fieldRows } from '../fields.ts'
import { plain } from '../openapi/schema.ts'
import { operationSamples } from '../samples/operation.ts'
import { json, print } from '../samples/print.ts'
import type { Site } from '../site.ts'

export function operationPage(operation: Operation, site: Site, ids: ExampleIds): Page {
  const { name, summary } = operation
  return {
    path: `operations/${name}`,
    title: name,
    about: `${operation.title}. ${summary}`,
    blocks: [
      table(['property', 'value'], facts(operation, site)),
      heading('Examples'),
      ...operationSamples(operation, site, ids),
      heading('Fields'),
      ...fields(operation),
      heading('Answer'),
      ...answer(operation, ids),
      text(
        'A refusal is a body with `code` and `message`: see [errors](guides/errors). Reads may be repeated freely; how a write is repeated safely is in [idempotency](guides/idempotency).',
      ),
    ],
  }
}

function facts(operation: Operation, { slug }: Site): string[][] {
  const { name, aliases = [], scope, role, tier, hints, bodyBytes } = operation
  const names = [`${slug}.v1.${name}`, ...aliases].map((one) => `\`${one}\``)
  const routes = routesOf(operation).map(({ method, path }) => `\`${method} ${path}\``)
  return [
    ['REST', routes.join(', ')],
    ['Tool', names.join(', ')],
    ['Scope', `\`${scope}\``],
    ['Role', `${role}, or a higher one`],
    ['Tier', tier === 'free' ? 'every' : `${tier}, or a higher one`],
    ['Changes', hints.readOnly ? 'nothing' : `data${hints.destructive ? ', for good' : ''}`],
    ...(bodyBytes === undefined ? [] : [['Body over REST', `up to ${inUnits(bodyBytes)}`]]),
  ]
}

function fields({ input, reach }: Operation): Block[] {
  const schema = plain(input)
  // The fields that every operation has come last.
  const isCommon = ([name = '']: string[]) => /^`(business_id|idempotency_key)`$/.test(name)
  const rows = fieldRows(schema).toSorted((a, b) => Number(isCommon(a)) - Number(isCommon(b)))
  const where =
    reach === 'connection'
      ? 'It acts on the connection as a whole.'
      : 'Without `business_id` it acts in the only business there is.'
  return [
    text(
      `${where} Over REST, fields in the path stand there alone; the others stand in the query of GET and DELETE, else in the body.`,
    ),
    table(['field', 'type', 'meaning'], rows),
  ]
}

function answer(operation: Operation, ids: ExampleIds): Block[] {
  const { status } = routesOf(operation)[0] ?? { status: 200 }
  const schema = plain(operation.output)
  const rows = fieldRows(schema)
  if (rows.length === 0) return [text(`Status ${status}, over REST; there is nothing more to say.`)]
  return [
    text(`Status ${status} over REST; as a tool, the structured content.`),
    code('json', print(exampleValue(schema, operation.name.split('.')[0], ids), json)),
    table(['field', 'type', 'meaning'], rows),
  ]
}
