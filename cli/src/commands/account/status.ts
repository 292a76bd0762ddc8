import { type ServerOptions, useServer, withoutSlash } from '../../client.ts'
import { CommandError } from '../../failure.ts'
import { print } from '../../output/output.ts'
import { ownVersion } from '../../version.ts'

const patienceMs = 5_000

/** Whether the server answers and can work, and whether this machine is signed in to it. */
export async function status(options: ServerOptions): Promise<void> {
  const server = withoutSlash(options.server)
  const [ready, connection] = await Promise.all([
    readiness(server),
    useServer(options, (client) => client.status()),
  ])
  const { state, scopes } = connection
  print({ server, ...ready, state, scopes, command_line: ownVersion() })
}

interface Readiness {
  answers_in_ms: number
  ready: boolean
}

async function readiness(server: string): Promise<Readiness> {
  const started = performance.now()
  const signal = AbortSignal.timeout(patienceMs)
  const answer = await fetch(`${server}/readyz`, { signal }).catch((error: unknown) => {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    const why = signal.aborted ? `no answer within ${patienceMs / 1000} s` : (code ?? 'no answer')
    throw new CommandError('network', `${server} cannot be reached: ${why}.`, {
      hint: 'Start it with npm start, or name another server with --server.',
    })
  })
  await answer.body?.cancel()
  return { answers_in_ms: Math.round(performance.now() - started), ready: answer.ok }
}
