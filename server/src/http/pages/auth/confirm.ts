/**
 * The page on which a person who is signed in proves that it is they, or sets up their first
 * authenticator app. It works without a script.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addApp, shownSecret, startApp } from '../../../accounts/factors/authenticator-app.ts'
import { limitGuesses } from '../../../accounts/factors/codes.ts'
import { hasFactor, ownFactors } from '../../../accounts/factors/factor.ts'
import { recordOfPerson } from '../../../accounts/factors/own-factor.ts'
import { beginWaiting } from '../../../accounts/factors/waiting.ts'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { proveSession } from '../../../accounts/sign-in/session.ts'
import { isRefusal, orRefusal, refuse, statusOf } from '../../../core/errors.ts'
import { checkFreshSignIn } from '../../../core/fresh-sign-in.ts'
import { html } from '../../../lib/text/html.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { ownPage } from '../shared/own-page.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { sendFault } from './fault-page.ts'
import { requireSession } from './login.ts'
import { offersPasskeys } from './passkey.ts'
import { codeField, prove, stepFault, stepFields } from './second-step.ts'
import { type SecondStepWords, secondStepWords } from './second-step-words.ts'
import { pageLanguageOf } from './sign-in-words.ts'

export function registerConfirm(scope: FastifyInstance, parts: PageParts): void {
  scope.get('/confirm', async (request, reply) => {
    const next = ownPage((request.query as Record<string, unknown>)['next'])
    const session = await requireSession(parts, request, reply, '/confirm')
    return session ? showConfirm(parts, request, reply, { session, next }) : reply
  })

  scope.post('/confirm', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendFault(reply, request, foreign)
    const form = readForm(request)
    const next = ownPage(form.text('next'))
    const session = await requireSession(parts, request, reply, '/confirm')
    if (!session) return reply
    const action = form.text('action')
    if (action === 'start' || action === 'add') {
      return setUp(parts, request, reply, { session, next, code: form.text(codeField) })
    }
    const proven = await orRefusal(() => prove(parts, request, session))
    if (!isRefusal(proven)) return reply.header('cache-control', 'no-store').redirect(next, 303)
    const fault = stepFault(proven, request, reply)
    if (fault === undefined) return sendFault(reply, request, proven)
    return showConfirm(parts, request, reply, {
      session,
      next,
      fault,
      status: statusOf[proven.code],
    })
  })
}

interface Confirming {
  session: Session
  next: string
  fault?: string
  status?: number
}

async function showConfirm(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { session, next, fault, status = 200 }: Confirming,
): Promise<FastifyReply> {
  const language = pageLanguageOf(request)
  const words = secondStepWords(language)
  const own = await ownFactors(parts.db, session.user.id)
  const head = html`${keyInput(parts.cookies.formKey(request, reply))}
<input type="hidden" name="next" value="${next}">`
  const body = hasFactor(own)
    ? html`<form method="post" action="/confirm" class="card">
<h1>${words.title}</h1>
${head}
${stepFields(parts, { request, step: own, fault })}
<div class="actions"><button type="submit">${words.confirm}</button></div>
</form>`
    : html`<form method="post" action="/confirm" class="card">
<h1>${words.setUpTitle}</h1>
<p>${words.setUpText}</p>
${head}
<div class="actions"><button name="action" value="start">${words.setUp}</button></div>
<p class="fine"><a href="/b/sessions">${words.orPasskey}</a></p>
</form>`
  const runs = own.hasPasskey && offersPasskeys(parts)
  return sendPage(reply, {
    title: words.title,
    language,
    status,
    runsScript: runs,
    callsOwn: runs,
    body,
  })
}

interface SettingUp {
  session: Session
  next: string
  /** '' to begin. */
  code: string
}

/** Sets up the first authenticator app, for who has no factor yet. */
async function setUp(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { session, next, code }: SettingUp,
): Promise<FastifyReply> {
  const { db, vault, config, clock } = parts
  const now = clock.now()
  const userId = session.user.id
  const words = secondStepWords(pageLanguageOf(request))
  const person = { connectionId: null, signedInAt: session.signedInAt } as const
  const { appUrl } = config
  const allowed = await orRefusal(async () => {
    checkFreshSignIn(
      { ...person, userId, scopes: new Set(), businesses: [] },
      {
        now,
        appUrl,
        what: 'An authenticator app is set up',
      },
    )
    // Whoever has one proves it, and changes it in the app.
    if (hasFactor(await ownFactors(db, userId))) {
      throw refuse('conflict', words.hasOne, { data: { reason: 'has_factor' } })
    }
  })
  if (isRefusal(allowed)) {
    return allowed.code === 'unauthorized'
      ? reply.redirect('/login?again=yes', 303)
      : sendFault(reply, request, allowed)
  }
  const { factorNotices: notices } = parts
  const deps = { db, vault, notices }
  let fault: string | undefined
  if (code !== '') {
    const added = await orRefusal(() =>
      limitGuesses(deps, { userId, now }, () =>
        db.tx(async (tx) => {
          const codes = await addApp(tx, deps, { userId, code, now })
          await proveSession(tx, session.id, { by: 'code', now })
          const { requireSecondFactor: isRequired, companySignIn } = config
          const rule = { isRequired, issuer: companySignIn?.issuer }
          await beginWaiting(tx, { notices, ...rule }, { userId, sessionId: session.id, now })
          await recordOfPerson(tx, { userId, action: 'factor.add' }, now)
          return codes ?? []
        }),
      ),
    )
    if (!isRefusal(added)) return showRecoveryCodes(request, reply, { codes: added, next, words })
    fault = stepFault(added, request, reply)
    if (fault === undefined) return sendFault(reply, request, added)
  }
  const secret = await db.tx((tx) => startApp(tx, vault, { userId, now }))
  const secretView = await shownSecret(Buffer.from(secret, 'base64url'), session.user.email)
  return sendPage(reply, {
    title: words.setUpTitle,
    language: pageLanguageOf(request),
    status: fault === undefined ? 200 : 403,
    body: html`<form method="post" action="/confirm" class="card">
<h1>${words.setUpTitle}</h1>
<p>${words.scan}</p>
<p><img src="data:image/svg+xml;base64,${Buffer.from(secretView.qr).toString('base64')}" alt="${words.qr}" width="220" height="220"></p>
<p>${words.orType} <code>${secretView.secret}</code></p>
${keyInput(parts.cookies.formKey(request, reply))}
<input type="hidden" name="next" value="${next}">
<div class="field">
<label for="factor-code">${words.firstCode}</label>
<input id="factor-code" name="${codeField}" inputmode="numeric" autocomplete="one-time-code" required maxlength="9"${fault !== undefined && html` aria-invalid="true" aria-describedby="factor-fault"`}>
${fault !== undefined && html`<p id="factor-fault" class="fault" role="alert">${fault} ${words.newSecret}</p>`}
</div>
<div class="actions"><button name="action" value="add">${words.add}</button></div>
</form>`,
  })
}

function showRecoveryCodes(
  request: FastifyRequest,
  reply: FastifyReply,
  { codes, next, words }: { codes: string[]; next: string; words: SecondStepWords },
): FastifyReply {
  return sendPage(reply, {
    title: words.codesTitle,
    language: pageLanguageOf(request),
    body: html`<div class="card">
<h1>${words.codesTitle}</h1>
<p>${words.codesText}</p>
<pre class="block" tabindex="0" role="region" aria-label="${words.codesTitle}">${codes.join('\n')}</pre>
<p><a class="button" href="${next}">${words.goOn}</a></p>
</div>`,
  })
}
