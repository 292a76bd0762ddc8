import type { Config } from '../../config.ts'
import type { AuthorizeDeps } from '../../oauth/authorize.ts'
import type { SignInMailer } from '../../people/ask-link.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db.ts'
import type { Refusal } from '../../platform/errors.ts'
import type { Id } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { SmsListener } from '../../platform/sms/wire.ts'
import type { Vault } from '../../platform/vault.ts'
import type { Feedback } from '../feedback.ts'

/** An operation on behalf of the person who is signed in, with all its checks. */
export type AskOperation = <T>(
  operation: string,
  input: Record<string, unknown>,
  by: { userId: Id<'user'>; requestId: string },
) => Promise<T | Refusal>

/** What `app.ts` hands to the pages. */
export interface PagesDeps {
  db: Database
  clock: Clock
  log: Log
  vault: Vault
  config: Pick<
    Config,
    | 'baseUrl'
    | 'appUrl'
    | 'gatewayUrl'
    | 'host'
    | 'signup'
    | 'defaultTier'
    | 'smtpUrl'
    | 'sms'
    | 'allowInbox'
  >
  oauth: AuthorizeDeps
  signInMailer: SignInMailer
  feedback: Feedback
  /** Hears what the phones of the built-in inbox send, and what becomes of what they got. */
  texting: SmsListener
  ask: AskOperation
}
