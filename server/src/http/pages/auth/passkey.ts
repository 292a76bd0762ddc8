/**
 * Passkeys on the pages on which a person signs in: a button beside the mail, and the browser's own
 * offer in the address field. Without a script, or where a browser has no passkeys, the page is as it
 * is without them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { originsOf, relyingPartyOf } from '../../../accounts/passkeys/answer.ts'
import { countUse } from '../../../accounts/passkeys/confirm.ts'
import {
  type PasskeySignIn,
  signInByPasskey,
  signInOptions,
  verifySignIn,
} from '../../../accounts/passkeys/sign-in.ts'
import type { SessionProof } from '../../../accounts/sign-in/session.ts'
import { type Refusal, refuse } from '../../../core/errors.ts'
import type { Id } from '../../../core/ids.ts'
import { sha256 } from '../../../lib/crypto/vault.ts'
import type { Tx } from '../../../lib/db/types.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { readForm } from '../shared/form.ts'
import type { PageParts } from '../shared/parts.ts'
import type { SignInWords } from './sign-in-words.ts'

const optionsPath = '/login/passkey'
const field = 'passkey'

export function registerPasskeys(scope: FastifyInstance, parts: PageParts): void {
  // The answer belongs to the browser that loaded the page, by its cookie.
  scope.get(optionsPath, async (request, reply) => {
    const browser = parts.cookies.browser(request)
    const site = request.headers['sec-fetch-site'] ?? 'same-origin'
    const options =
      browser !== undefined && site === 'same-origin'
        ? signInOptions({ vault: parts.vault, site: parts.config }, browser, parts.clock.now())
        : undefined
    return reply
      .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .send({ options: options ?? null })
  })

  // Related origins (WebAuthn, section 5.11.1): hosts of this service whose pages use the passkeys of
  // the app's.
  scope.get('/.well-known/webauthn', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/json')
      .send(JSON.stringify({ origins: originsOf(parts.config) })),
  )

  scope.get(script.path, (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
      })
      .send(script.source),
  )
}

/** Whether the pages of this installation offer passkeys. */
export function offersPasskeys({ config }: Pick<PageParts, 'config'>): boolean {
  return relyingPartyOf(config) !== undefined
}

/** The hidden field and button in a form that asks for an address. */
export function passkeyOffer(parts: Pick<PageParts, 'config'>, words: SignInWords): Html | false {
  if (!offersPasskeys(parts)) return false
  return html`<input type="hidden" name="${field}" value="">
<div class="actions" data-passkey="${optionsPath}" hidden>
<button type="button" class="quiet">${words.usePasskey}</button>
</div>
<p class="fault" role="alert" data-passkey-fault hidden>${words.passkeyFault}</p>
<script src="${script.path}" defer></script>`
}

/** What the browser answered for a passkey; '' where the form asks for a mail. */
export function passkeyIn(request: FastifyRequest): string {
  return readForm(request).text(field)
}

/** Signs the person in by the passkey of the form, and runs `work` in the same transaction. */
export function byPasskey<T>(
  parts: PageParts,
  request: FastifyRequest,
  work: (tx: Tx, userId: Id<'user'>, passkeyId: Id<'passkey'>) => Promise<T>,
): Promise<T> {
  return signInByPasskey(partsOf(parts), answerIn(parts, request), work)
}

/** Verifies the passkey of the form as this person's; `work` takes it in its own transaction. */
export async function byPasskeyOf<T>(
  parts: PageParts,
  request: FastifyRequest,
  userId: Id<'user'>,
  work: (take: (tx: Tx) => Promise<SessionProof>) => Promise<T>,
): Promise<T> {
  const answer = answerIn(parts, request)
  const use = await verifySignIn(partsOf(parts), answer, userId)
  return work(async (tx) => {
    await countUse(tx, use, answer.now)
    return { by: 'passkey', with: use.passkey.id }
  })
}

const partsOf = ({ db, vault, config: site, passkeyNotices: notices }: PageParts) => ({
  db,
  vault,
  site,
  notices,
})

function answerIn(parts: PageParts, request: FastifyRequest): PasskeySignIn {
  const browser = parts.cookies.browser(request)
  if (browser === undefined) {
    throw refuse('forbidden_origin', 'This form has expired, or the browser blocks cookies.', {
      data: { reason: 'form_expired' },
    })
  }
  const now = parts.clock.now()
  return { credential: passkeyIn(request), browser, from: request.callerAddress, now }
}

/** The refusal in the words of the page's language. */
export function passkeyFault(
  { code, message, details }: Pick<Refusal, 'code' | 'message' | 'details'>,
  reply: FastifyReply,
  words: SignInWords,
): string {
  const { retryAfter } = details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  if (details.data?.['reason'] === 'company_only') return words.companyOnly
  return code === 'rate_limited'
    ? words.faultOf(refuse('rate_limited', message))
    : words.passkeyFault
}

/** Runs in the page: it has to stand alone, as its text is sent. */
function offerPasskeys(): void {
  const element = document.querySelector<HTMLElement>('[data-passkey]')
  const form = element?.closest('form')
  const answer = form?.querySelector<HTMLInputElement>('input[name="passkey"]')
  const fault = form?.querySelector<HTMLElement>('[data-passkey-fault]')
  const Credential = window.PublicKeyCredential as typeof PublicKeyCredential | undefined
  if (!element || !form || !answer || !Credential?.parseRequestOptionsFromJSON) return

  /** Ends the browser's silent offer, as it has one request at a time. */
  let offer = new AbortController()
  /** Within the lifetime of a challenge, so that the silent offer always has a fresh one. */
  const renewEvery = 240_000

  const request = async (mediation: CredentialMediationRequirement) => {
    offer.abort()
    offer = new AbortController()
    const { signal } = offer
    const response = await fetch(element.dataset['passkey'] ?? '', { signal })
    const { options } = (await response.json()) as {
      options: PublicKeyCredentialRequestOptionsJSON | null
    }
    if (!options) return
    const publicKey = Credential.parseRequestOptionsFromJSON(options)
    const credential = await navigator.credentials.get({ mediation, signal, publicKey })
    if (!(credential instanceof Credential)) return
    answer.value = JSON.stringify(credential.toJSON())
    // Unlike a press of the button, this asks for no address.
    form.submit()
  }

  /** While the person answers a press, nothing is offered, as that would end it. */
  let isPressed = false

  const offerSilently = () => {
    if (isPressed) return
    request('conditional').catch(() => {
      // The person typed an address instead, or pressed the button.
    })
  }

  const press = async () => {
    if (fault) fault.hidden = true
    isPressed = true
    try {
      await request('optional')
    } catch (error) {
      const isCancelled = error instanceof DOMException && error.name === 'NotAllowedError'
      if (fault && !isCancelled) fault.hidden = false
    } finally {
      isPressed = false
    }
  }

  element.hidden = false
  element.querySelector('button')?.addEventListener('click', () => void press())
  void Credential.isConditionalMediationAvailable?.().then((isAvailable) => {
    if (!isAvailable) return
    offerSilently()
    setInterval(offerSilently, renewEvery)
  })
}

const source = `(${offerPasskeys.toString()})()\n`
const script = {
  source,
  path: `/assets/${sha256(source).toString('base64url').slice(0, 16)}/passkey.js`,
}
