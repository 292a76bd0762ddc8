import { text } from 'node:stream/consumers'
import { readBody, readPairs } from '../arguments.ts'
import { type ServerOptions, useServer } from '../client.ts'
import { print } from '../output.ts'

export interface CallCommand extends ServerOptions {
  /** A JSON object, or `-` for stdin. */
  json?: string
}

/** Calls a tool; `key=value` words win over the same keys of `--json`. */
export async function call(tool: string, words: string[], options: CallCommand): Promise<void> {
  const { json, ...server } = options
  const pairs = readPairs(words)
  const body = json === '-' ? await text(process.stdin) : (json ?? '{}')
  const args = { ...readBody(body), ...pairs }
  print(await useServer(server, (client, signal) => client.call(tool, args, { signal })))
}
