/**
 * The second step on the pages on which a person signs in, connects an app or approves. It works
 * without a script.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limitGuesses, takeCode } from '../../../accounts/factors/codes.ts'
import { type SecondStep, secondStepOf } from '../../../accounts/factors/sign-in.ts'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { proveSession, type SessionProof } from '../../../accounts/sign-in/session.ts'
import type { Refusal } from '../../../core/errors.ts'
import type { Id } from '../../../core/ids.ts'
import type { Tx } from '../../../lib/db/types.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { readForm } from '../shared/form.ts'
import type { PageParts } from '../shared/parts.ts'
import { byPasskeyOf, passkeyIn, passkeyOffer } from './passkey.ts'
import { secondStepWords } from './second-step-words.ts'
import { pageLanguageOf, signInWords } from './sign-in-words.ts'

/** The form's field for a code. */
export const codeField = 'factor_code'

/** The second step that a person needs after the mail. */
export function stepFor(
  { db, config, clock }: PageParts,
  userId: Id<'user'>,
): Promise<SecondStep | undefined> {
  const isRequired = config.requireSecondFactor
  return secondStepOf(db, { userId, isRequired, now: clock.now() })
}

/** Whether the form answers the second step. */
export const answersStep = (request: FastifyRequest): boolean =>
  passkeyIn(request) !== '' || readForm(request).text(codeField) !== ''

/**
 * Runs `work` with what takes the factor of the form, within the transaction of `work`; throws a
 * refusal if the factor is wrong.
 */
export function withFactor<T>(
  parts: PageParts,
  request: FastifyRequest,
  userId: Id<'user'>,
  work: (take: (tx: Tx) => Promise<SessionProof>) => Promise<T>,
): Promise<T> {
  const now = parts.clock.now()
  if (passkeyIn(request) !== '') return byPasskeyOf(parts, request, userId, work)
  const code = readForm(request).text(codeField)
  const deps = { db: parts.db, vault: parts.vault, notices: parts.factorNotices }
  return limitGuesses(deps, { userId, now }, () =>
    work(async (tx) => ({ by: await takeCode(tx, deps, { userId, code, now }) })),
  )
}

/** The field for a code, and the button for a passkey, within a form. */
export function stepFields(
  parts: Pick<PageParts, 'config'>,
  {
    request,
    step,
    fault,
  }: { request: FastifyRequest; step: SecondStep; fault?: string | undefined },
): Html {
  const language = pageLanguageOf(request)
  const words = secondStepWords(language)
  return html`<p>${step.hasApp ? words.ask : words.askPasskey}</p>
<div class="field">
<label for="factor-code">${step.hasApp ? words.code : words.recoveryCode}</label>
<p id="factor-help" class="fine">${step.hasApp ? words.codeHelp : words.recoveryHelp}</p>
<input id="factor-code" name="${codeField}" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="64"
  aria-describedby="${fault === undefined ? 'factor-help' : 'factor-fault factor-help'}"${fault !== undefined && html` aria-invalid="true"`}>
${fault !== undefined && html`<p id="factor-fault" class="fault" role="alert">${fault}</p>`}
</div>
<details class="fine"><summary>${words.lostTitle}</summary><p>${words.lost}</p></details>
${step.hasPasskey && passkeyOffer(parts, { ...signInWords(language), usePasskey: words.usePasskey })}`
}

/** The refusal of a factor in the words of the page; undefined for another refusal. */
export function stepFault(
  { code, details }: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): string | undefined {
  const language = pageLanguageOf(request)
  const words = secondStepWords(language)
  if (code === 'rate_limited') {
    reply.header('retry-after', String(details.retryAfter ?? 1))
    return words.wait
  }
  const reason = details.data?.['reason']
  if (reason === 'wrong_factor_code') return words.wrong
  return typeof reason === 'string' && reason.startsWith('passkey_')
    ? signInWords(language).passkeyFault
    : undefined
}

/** Takes the factor of the form for this session. */
export function prove(
  parts: PageParts,
  request: FastifyRequest,
  { id, user }: Session,
): Promise<SessionProof> {
  const now = parts.clock.now()
  return withFactor(parts, request, user.id, (take) =>
    parts.db.tx(async (tx) => {
      const proof = await take(tx)
      await proveSession(tx, id, { ...proof, now })
      return proof
    }),
  )
}
