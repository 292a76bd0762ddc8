import type { FactorNotices } from '../../../accounts/factors/notice.ts'
import type { RelyingParty } from '../../../accounts/identities/relying-party.ts'
import type { PasskeyNotices } from '../../../accounts/passkeys/notice.ts'
import type { SignInMailer } from '../../../accounts/sign-in/request-link.ts'
import type { Config } from '../../../config.ts'
import type { Refusal } from '../../../core/errors.ts'
import type { Id } from '../../../core/ids.ts'
import type { Lazy } from '../../../lib/concurrency/lazily.ts'
import type { Vault } from '../../../lib/crypto/vault.ts'
import type { Database } from '../../../lib/db/types.ts'
import type { Resolver } from '../../../lib/dns/resolver.ts'
import type { Log } from '../../../lib/process/log.ts'
import type { SmsListener } from '../../../lib/sms/transport.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { AuthorizeDeps } from '../../../oauth/authorize/authorize.ts'
import type { Feedback } from '../../returns/feedback.ts'

/** Calls an operation on behalf of the signed-in person, with all its checks. */
export type AskOperation = <T>(
  operation: string,
  input: Record<string, unknown>,
  by: { userId: Id<'user'>; requestId: string },
) => Promise<T | Refusal>

/** Dependencies of the pages; `composition/` fills them in. */
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
    | 'defaultDeployLimit'
    | 'smtpUrl'
    | 'sms'
    | 'allowInbox'
    | 'requireSecondFactor'
    | 'companySignIn'
    | 'countryHeader'
  >
  oauth: AuthorizeDeps
  signInMailer: SignInMailer
  passkeyNotices: PasskeyNotices
  factorNotices: FactorNotices
  /** What is said with a company's identity provider. */
  party: Lazy<RelyingParty>
  resolver: Pick<Resolver, 'lookup'>
  feedback: Feedback
  /** Receives the messages of the built-in inbox's phones, and delivery reports of their texts. */
  texting: SmsListener
  ask: AskOperation
  /** Which of the operations the person may call on a business or something in it. */
  allowed: (
    operations: readonly string[],
    input: Record<string, unknown>,
    userId: Id<'user'>,
  ) => Promise<ReadonlySet<string>>
}
