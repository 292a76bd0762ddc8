/** The page of an operation: its purpose, its input, its response, and how to call it. */

import type { Operation } from '../../core/operation.ts'
import { inUnits } from '../../lib/text/byte-units.ts'
import { routesOf } from '../../operations/routes.ts'
import { type Block, code, heading, type Page, table, text } from '../blocks.ts'
import { exampleAnswer } from '../examples/answers.ts'
import type { ExampleIds } from '../examples/ids.ts'
import { fieldRows } from '../fields.ts'
import { aboutOf, inputOf, markedFields, restOutputOf } from '../meanings/find.ts'
import { operationSamples } from '../samples/operation.ts'
import { json, print } from '../samples/print.ts'
import type { Site } from '../site.ts'

export function operationPage(operation: Operation, site: Site, ids: ExampleIds): Page {
  const { name } = operation
  return {
    path: `operations/${name}`,
    title: name,
    about: aboutOf(operation),
    keywords: operation.title,
    blocks: [
      table(['property', 'value'], facts(operation, site)),
      heading('Examples'),
      ...operationSamples(operation, site, ids),
      heading('Fields'),
      ...fields(operation),
      heading('Answer'),
      ...answer(operation, ids),
      text(
        'A refusal is a body with `code` and `message`: see [errors](guides/errors). Reads may be repeated freely; [idempotency](guides/idempotency) tells how a write is repeated safely.',
      ),
    ],
  }
}

function facts(operation: Operation, { slug }: Site): string[][] {
  const { name, aliases = [], scope, role, tier, hints, bodyBytes } = operation
  const names = [`${slug}.v1.${name}`, ...aliases].map((entry) => `\`${entry}\``)
  const routes = routesOf(operation).map(({ method, path }) => `\`${method} ${path}\``)
  return [
    ['REST', routes.join(', ')],
    ['Tool', names.join(', ')],
    ['Scope', `\`${scope}\``],
    ['Role', `${role}, or a higher one`],
    ['Tier', tier === 'free' ? 'every' : `${tier}, or a higher one`],
    [
      'Changes',
      hints.readOnly
        ? 'nothing'
        : `data${hints.destructive ? ': it sends, moves, replaces or removes' : ''}`,
    ],
    ...(bodyBytes === undefined ? [] : [['Body over REST', `up to ${inUnits(bodyBytes)}`]]),
  ]
}

function fields(operation: Operation): Block[] {
  const schema = inputOf(operation)
  // The fields that every operation has come last.
  const isCommon = ([name = '']: string[]) => /^`(business_id|idempotency_key)`$/.test(name)
  const rows = fieldRows(schema).toSorted((a, b) => Number(isCommon(a)) - Number(isCommon(b)))
  const where =
    operation.reach === 'connection'
      ? 'The call is about the connection as a whole.'
      : 'Without `business_id`, the call acts in the only business that the caller reaches.'
  return [
    text(
      `${where} Over REST, a field of the path is given there and nowhere else. GET and DELETE take the other fields in the query, the other methods take them in the body.`,
    ),
    table(['field', 'type', 'meaning'], rows),
  ]
}

function answer(operation: Operation, ids: ExampleIds): Block[] {
  const { status } = routesOf(operation)[0] ?? { status: 200 }
  const schema = restOutputOf(operation)
  const marked = markedFields(operation)
  const rows = fieldRows(schema)
  if (rows.length === 0) return [text(`Over REST the status is ${status}, without a body.`)]
  return [
    text(
      `Over REST the status is ${status} and the body is this object. As a tool, it is the structured content of the result.`,
    ),
    ...(marked.length > 0
      ? [
          text(
            `Strangers may have typed ${marked.map((field) => `\`${field}\``).join(', ')}. In the result of a tool these are in a field \`untrusted\` of their object.`,
          ),
        ]
      : []),
    code('json', print(exampleAnswer(operation, schema, ids), json)),
    table(['field', 'type', 'meaning'], rows),
  ]
}
