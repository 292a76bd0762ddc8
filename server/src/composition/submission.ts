/** Opens the servers for submitted mail, where the settings have a port for them. */
import type { Operation } from '../core/operation.ts'
import { type CallDeps, callOperation } from '../operations/call.ts'
import { createSignIn, type SignInDeps } from '../submission/sign-in.ts'
import type { SentEmail } from '../submission/submit.ts'
import type { AppParts } from './app-parts.ts'

export interface SubmissionNeeds extends SignInDeps {
  calling: CallDeps
  catalog: readonly Operation[]
}

export async function openSubmissionServers(
  { config, clock, log }: AppParts,
  { calling, catalog, ...admission }: SubmissionNeeds,
) {
  const { submission: settings, dataDir } = config
  if (!settings) return undefined
  const operation = catalog.find(({ name }) => name === 'email.send')
  if (!operation) throw new Error('the catalogue has no email.send')
  const { openSubmission } = await import('../submission/open.ts')
  const open = await openSubmission({
    settings,
    dataDir,
    clock,
    log,
    signIn: createSignIn(admission),
    send: async ({ principal }, input, requestId) => {
      const call = { operation, input, principal, requestId }
      return (await callOperation(calling, call)) as SentEmail
    },
  })
  log.info(open.ports, 'submission.listening')
  return open
}
