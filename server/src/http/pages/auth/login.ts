/** Signing in to the account pages, and signing out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { tellNewDevice } from '../../../accounts/factors/new-device.ts'
import { checkOtherWay, isCompanyOnly } from '../../../accounts/identities/company-only.ts'
import { emailOf } from '../../../accounts/members/user.ts'
import { requestLink } from '../../../accounts/sign-in/request-link.ts'
import { endSession, type Session, startSession } from '../../../accounts/sign-in/session.ts'
import { isRefusal, orRefusal, statusOf } from '../../../core/errors.ts'
import { normaliseEmail } from '../../../lib/email/email-address.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { ownPage } from '../shared/own-page.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { faultOf } from './authorize.ts'
import { companyOffer } from './company-offer.ts'
import { sendFault } from './fault-page.ts'
import { sendMailSent } from './mail-sent.ts'
import { byPasskey, offersPasskeys, passkeyFault, passkeyIn, passkeyOffer } from './passkey.ts'
import { browserOf } from './sign-in-link.ts'
import { pageLanguageOf, signInWords } from './sign-in-words.ts'

export function registerLogin(scope: FastifyInstance, parts: PageParts): void {
  scope.get('/login', async (request, reply) => {
    const query = request.query as Record<string, unknown>
    const next = ownPage(query['next'])
    const session = await parts.cookies.session(request, reply)
    // Some pages require a recent sign-in.
    const again = query['again'] === 'yes'
    if (session && !again) return reply.redirect(next)
    return showLogin(parts, request, reply, { next, ...(session && { email: session.user.email }) })
  })

  scope.post('/login', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendFault(reply, request, foreign)
    const form = readForm(request)
    const next = ownPage(form.text('next'))
    const email = form.text('email')
    const language = pageLanguageOf(request)
    if (passkeyIn(request) !== '') {
      const from = browserOf(request, parts.config)
      const now = parts.clock.now()
      const signedIn = await orRefusal(() =>
        byPasskey(parts, request, async (tx, userId, passkeyId) => {
          await checkOtherWay(tx, { email: (await emailOf(tx, userId)) ?? '', passkeyId })
          await tellNewDevice(tx, parts.factorNotices, { userId, agent: from.agent, now })
          const proof = { by: 'passkey', with: passkeyId } as const
          return startSession(tx, userId, now, { ...from, proof })
        }),
      )
      if (isRefusal(signedIn)) {
        const fault = passkeyFault(signedIn, reply, signInWords(language))
        return showLogin(parts, request, reply, { next, fault, status: statusOf[signedIn.code] })
      }
      parts.cookies.signIn(reply, signedIn)
      return reply.header('cache-control', 'no-store').redirect(next, 303)
    }
    // Whose company has it so signs in there alone.
    if (await isCompanyOnly(parts.db, addressIn(email))) {
      const { startAtProvider } = await import('./company-pages.ts')
      return startAtProvider(parts, request, reply, true)
    }
    const browser = parts.cookies.browser(request)
    if (browser === undefined) throw new Error('a form without its cookie passed the guard')
    const queued = await orRefusal(() =>
      requestLink(parts, {
        purpose: 'session',
        email,
        request: { next, language },
        browser,
        guarded: false,
        from: request.callerAddress,
        now: parts.clock.now(),
      }),
    )
    if (!isRefusal(queued)) return sendMailSent(reply, parts.config, queued, language)
    const { status } = faultOf(queued, reply)
    const { faultOf: worded } = signInWords(language)
    return showLogin(parts, request, reply, { next, email, fault: worded(queued), status })
  })

  scope.post('/logout', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendFault(reply, request, foreign)
    const session = await parts.cookies.session(request, reply)
    if (session) await endSession(parts.db, session.user.id, session.id)
    parts.cookies.signOut(reply)
    // What the app kept in this browser, such as unsaved texts, is not for the next person.
    reply.header('clear-site-data', '"storage"')
    return reply.redirect('/', 303)
  })
}

/** The normalised address; '' for a text that is none. */
function addressIn(text: string): string {
  const address = normaliseEmail(text)
  return isRefusal(address) ? '' : address
}

/** The session of a page that requires one; undefined if the browser was redirected to sign in. */
export async function requireSession(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  here: string,
): Promise<Session | undefined> {
  const session = await parts.cookies.session(request, reply)
  if (!session) {
    reply.header('cache-control', 'no-store')
    void reply.redirect(`/login?next=${encodeURIComponent(here)}`, 303)
  }
  return session
}

interface LoginShown {
  next: string
  email?: string
  fault?: string
  status?: number
}

async function showLogin(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  view: LoginShown,
): Promise<FastifyReply> {
  const language = pageLanguageOf(request)
  const words = signInWords(language)
  const company = await companyOffer(parts, words)
  return sendPage(reply, {
    title: words.title,
    language,
    status: view.status ?? 200,
    runsScript: offersPasskeys(parts),
    callsOwn: offersPasskeys(parts),
    body: html`<form method="post" action="/login" class="card">
<h1>${words.title}</h1>
<p>${words.lead}</p>
${keyInput(parts.cookies.formKey(request, reply))}
<input type="hidden" name="next" value="${view.next}">
${emailField({ ...view, label: words.address, offersPasskeys: offersPasskeys(parts) })}
<div class="actions"><button type="submit">${words.send}</button></div>
${passkeyOffer(parts, words)}
${company}
</form>`,
  })
}

interface EmailField {
  email?: string
  fault?: string | undefined
  label?: string
  /** Whether browsers offer the person's passkeys in the field. */
  offersPasskeys?: boolean
}

export function emailField({
  email,
  fault,
  label = 'Your email address',
  offersPasskeys: offers = false,
}: EmailField): Html {
  return html`<div class="field">
<label for="email">${label}</label>
<input id="email" name="email" type="email" autocomplete="${offers ? 'username webauthn' : 'email'}" required maxlength="254"
  value="${email ?? ''}"${fault !== undefined && html` aria-invalid="true" aria-describedby="fault"`}>
${fault !== undefined && html`<p id="fault" class="fault" role="alert">${fault}</p>`}
</div>`
}
