/**
 * Excel takes a CSV file without a byte order mark for one in the encoding of its system, and shows
 * Zoë as ZoÃ«. A person who fetches a file in the app opens it there, so it gets the mark; a program
 * gets none, unless it asks for one with `?byte_order_mark=true`.
 */
import type { FastifyRequest } from 'fastify'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { LinkMaker } from '../../core/link-maker.ts'

type Pages = AsyncGenerator<string> | Refusal

/** Throws the refusal of a parameter that says neither. */
export function markFor(
  { query }: Pick<FastifyRequest, 'query'>,
  maker: LinkMaker | undefined,
): (pages: Pages) => Pages {
  const parameter = (query as Record<string, unknown>)['byte_order_mark']
  if (parameter !== undefined && parameter !== 'true' && parameter !== 'false') {
    const text = 'byte_order_mark must be true or false.'
    throw refuse('invalid_request', text, { field: 'byte_order_mark' })
  }
  const isOfPerson = maker?.connection_id === null
  const hasMark = parameter === undefined ? isOfPerson : parameter === 'true'
  return (pages) => (hasMark && !isRefusal(pages) ? withMark(pages) : pages)
}

async function* withMark(pages: AsyncGenerator<string>): AsyncGenerator<string> {
  let mark = '\ufeff'
  for await (const page of pages) {
    yield mark + page
    mark = ''
  }
}
