import { text } from 'node:stream/consumers'
import { readBody, readPairs } from '../../arguments.ts'
import { type ServerOptions, useServer } from '../../client.ts'
import { CommandError } from '../../failure.ts'
import { print } from '../../output/output.ts'
import { withContactOf } from './contact-by-email.ts'

export interface CallCommand extends ServerOptions {
  /** A JSON object, or `-` for stdin. */
  json?: string
  /** On a terminal: long texts too. */
  full?: boolean
}

/** Calls a tool; `key=value` words win over the same keys of `--json`. */
export async function call(tool: string, words: string[], options: CallCommand): Promise<void> {
  const { json, full = false, ...server } = options
  const pairs = readPairs(words)
  const body = json === '-' ? await text(process.stdin) : (json ?? '{}')
  const args = { ...readBody(body), ...pairs }
  const answer = await useServer(server, async (client, signal) =>
    client.call(tool, await withContactOf(client, { tool, args, signal }), { signal }),
  )
  print(answer, { full })
  failWhereAllFailed(answer)
}

/** A script goes by the exit code: an import of which no row was taken has not worked. */
function failWhereAllFailed(answer: unknown): void {
  const counts = (answer ?? {}) as Counts
  const { created = 0, updated = 0, unchanged = 0, refused = 0, results = [] } = counts
  // A batch of messages gives an outcome for each, and one that was sent before is no failure.
  const isAnyTaken = created + updated + unchanged > 0 || results.some(({ error }) => !error)
  if (!(refused > 0) || isAnyTaken) return
  throw new CommandError('invalid_request', `None of the ${refused} rows was taken.`)
}

type Counts = Partial<Record<'created' | 'updated' | 'unchanged' | 'refused', number>> & {
  results?: readonly { error?: unknown }[]
}
