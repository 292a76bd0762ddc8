/** Opens the servers for submitted mail, where the settings have a port for them. */
import type { Operation } from '../core/operation.ts'
import { type CallDeps, callOperation } from '../operations/call.ts'
import { createSignIn, type SignInDeps } from '../submission/sign-in.ts'
import type { SentEmail } from '../submission/submit.ts'
import type { AppParts } from './app-parts.ts'

export interface SubmissionNeeds extends SignInDeps {
  calling: CallDeps
  /** `email.send` with the content as it is. */
  operation: Operation
}

export async function openSubmissionServers(
  { config, clock, log }: AppParts,
  { calling, operation, ...admission }: SubmissionNeeds,
) {
  const { submission: settings, dataDir } = config
  if (!settings) return undefined
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
