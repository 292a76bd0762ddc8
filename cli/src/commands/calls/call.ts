import { text } from 'node:stream/consumers'
import { fileOr, readBody, readPairs } from '../../arguments.ts'
import { type ServerOptions, useServer } from '../../client.ts'
import { CommandError } from '../../failure.ts'
import { print } from '../../output/output.ts'
import { withContactOf } from './contact-by-email.ts'

export interface CallCommand extends ServerOptions {
  /** A JSON object, or `-` for stdin. */
  json?: string
  /** On a terminal, show long texts in full. */
  full?: boolean
}

/** Calls a tool. `key=value` words override the same keys of `--json`. */
export async function call(tool: string, words: string[], options: CallCommand): Promise<void> {
  const { json, full = false, ...server } = options
  const pairs = readPairs(words)
  const body = json === '-' ? await text(process.stdin) : fileOr(json ?? '{}')
  const args = { ...readBody(body), ...pairs }
  const answer = await useServer(server, async (client, signal) =>
    client.call(tool, await withContactOf(client, { tool, args, signal }), { signal }),
  )
  print(answer, { full })
  failWhereAllFailed(answer)
}

/** Scripts rely on the exit code, so an import that accepted no row counts as failed. */
function failWhereAllFailed(answer: unknown): void {
  const counts = (answer ?? {}) as Counts
  const { created, updated, unchanged, results } = counts
  const refused = counts.refused ?? 0
  const taken = (created ?? 0) + (updated ?? 0) + (unchanged ?? 0)
  // A batch of messages has a result for each; a message that was sent before is not a failure.
  const isAnyAccepted = taken > 0 || (results ?? []).some(({ error }) => !error)
  if (!(refused > 0) || isAnyAccepted) return
  throw new CommandError('invalid_request', `None of the ${refused} rows was accepted.`)
}

type Counts = Partial<Record<'created' | 'updated' | 'unchanged' | 'refused', number | null>> & {
  results?: readonly { error?: unknown }[] | null
}
