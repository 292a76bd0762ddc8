/**
 * The pages of magic links. In the browser that requested the link, following it is enough. In any
 * other browser (a phone, a mail scanner) a GET consumes nothing and shows a button.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Membership } from '../../../accounts/businesses/business.ts'
import { membershipsOf } from '../../../accounts/businesses/memberships.ts'
import { tellNewDevice } from '../../../accounts/factors/new-device.ts'
import { checkMayConnect, type SecondStep } from '../../../accounts/factors/sign-in.ts'
import { checkOtherWay } from '../../../accounts/identities/company-only.ts'
import { findUserByEmail } from '../../../accounts/members/user.ts'
import type { SignedInBrowser } from '../../../accounts/sign-in/listed-session.ts'
import type { MagicLink } from '../../../accounts/sign-in/magic-link.ts'
import type { SessionProof } from '../../../accounts/sign-in/session.ts'
import { startSession } from '../../../accounts/sign-in/session.ts'
import { findOrSignUpUser } from '../../../accounts/sign-in/sign-up.ts'
import {
  isFromBrowser,
  type LinkUse,
  readLink,
  useLink,
} from '../../../accounts/sign-in/use-link.ts'
import { isRefusal, orRefusal, type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import { formatId } from '../../../core/ids.ts'
import { type Scope, scopes } from '../../../core/operation.ts'
import type { Tx } from '../../../lib/db/types.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { earlierScopes, issueCode } from '../../../oauth/authorize/codes.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { ownPage } from '../shared/own-page.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { connectRequestOf, faultOf, moveOn } from './authorize.ts'
import { type ConnectWords, connectWords } from './connect-words.ts'
import { appHeading, businessList, mark } from './consent-view.ts'
import { sendFault } from './fault-page.ts'
import { offersPasskeys } from './passkey.ts'
import { stepFault, stepFields, stepFor, withFactor } from './second-step.ts'
import { pageLanguageOf, type SignInWords, signInWords } from './sign-in-words.ts'

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

export function registerSignInLink(scope: FastifyInstance, parts: PageParts): void {
  // Fastify's automatic HEAD route would consume the link.
  scope.head('/sign-in/:token', (_request, reply) =>
    sendPage(reply, { title: 'Sign in', body: html`` }),
  )
  scope.get<{ Params: { token: string } }>(
    '/sign-in/:token',
    { exposeHeadRoute: false },
    async (request, reply) => {
      const { token } = request.params
      const link = await orRefusal(() => usableLink(parts, token))
      if (isRefusal(link)) return showUnusable(parts, request, reply, link)
      const browser = parts.cookies.browser(request)
      if (!isFromBrowser(link, browser) || isPrefetch(request) || (await stepOf(parts, link))) {
        return showLink(parts, request, reply, link)
      }
      const use = { token, browser, pressed: undefined, now: parts.clock.now() }
      const done = await orRefusal(() => follow(parts, use, browserOf(request, parts.config)))
      if (isRefusal(done)) return sendFault(reply, request, done)
      if ('session' in done) parts.cookies.signIn(reply, done.session)
      return reply.header('cache-control', 'no-store').redirect(done.to)
    },
  )

  scope.post<{ Params: { token: string } }>('/sign-in/:token', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendFault(reply, request, foreign)
    const { token } = request.params
    const link = await orRefusal(() => usableLink(parts, token))
    if (isRefusal(link)) return showUnusable(parts, request, reply, link)
    const pressed = { code: readForm(request).text('code') }
    const browser = parts.cookies.browser(request)
    const use = { token, browser, pressed, now: parts.clock.now() }
    const done = await orRefusal(() => followWithStep(parts, request, { link, use }))
    if (isRefusal(done)) {
      const stepFaultShown = stepFault(done, request, reply)
      if (stepFaultShown !== undefined) {
        const fault = { stepFault: stepFaultShown, status: statusOf[done.code] }
        return showLink(parts, request, reply, link, fault)
      }
      return done.details.field === 'code'
        ? showLink(parts, request, reply, link, faultOf(done, reply))
        : sendFault(reply, request, done)
    }
    if (!('session' in done)) return moveOn(request, reply, done.to)
    parts.cookies.signIn(reply, done.session)
    return reply.header('cache-control', 'no-store').redirect(done.to, 303)
  })
}

/** Setup links have a page of their own; their tokens are not valid here. */
async function usableLink(parts: PageParts, token: string): Promise<MagicLink> {
  const link = await readLink(parts.db, token, parts.clock.now())
  if (link.purpose === 'setup') {
    throw refuse('not_found', 'There is no such link.', { data: { reason: 'no_link' } })
  }
  return link
}

/** The next page depends on whether the person is signed in by now. */
async function showUnusable(
  parts: PageParts,
  request: LinkRequest,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<FastifyReply> {
  const session = await parts.cookies.session(request, reply)
  if (session) {
    const { email } = session.user
    const next = { href: '/b', label: 'Go to the dashboard' }
    return sendFault(reply, request, refusal, { next, signedInAs: email })
  }
  return sendFault(reply, request, refusal)
}

/** A prefetch by the browser does not mean that the person followed the link. */
function isPrefetch(request: LinkRequest): boolean {
  const { headers } = request
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-moz']]
  return purposes.some((purpose) => /prefetch|preview|prerender/.test(String(purpose ?? '')))
}

type Followed = { to: string } | { to: string; session: string }

/** The second step that the link's person needs; a new person needs none. */
async function stepOf(parts: PageParts, link: MagicLink): Promise<SecondStep | undefined> {
  const user = await findUserByEmail(parts.db, link.email ?? '')
  return user && stepFor(parts, user.id)
}

function follow(parts: PageParts, use: LinkUse, from: SignedInBrowser): Promise<Followed> {
  return useLink(parts, use, (tx, link) => arrive(tx, parts, link, { from, now: use.now }))
}

/** Follows the link, and takes the second factor of the form where one is needed. */
async function followWithStep(
  parts: PageParts,
  request: LinkRequest,
  { link, use }: { link: MagicLink; use: LinkUse },
): Promise<Followed> {
  const from = browserOf(request, parts.config)
  const user = await findUserByEmail(parts.db, link.email ?? '')
  if (!user || !(await stepFor(parts, user.id))) return follow(parts, use, from)
  return withFactor(parts, request, user.id, (take) =>
    useLink(parts, use, async (tx, used) => {
      const proof = await take(tx)
      return arrive(tx, parts, used, { from: { ...from, proof }, now: use.now })
    }),
  )
}

async function arrive(
  tx: Tx,
  parts: PageParts,
  link: MagicLink,
  { from, now }: { from: SignedInBrowser & { proof?: SessionProof }; now: Date },
): Promise<Followed> {
  if (link.email === null) throw new Error('a sign-in link without an address')
  if (!link.request['byOperator']) await checkOtherWay(tx, { email: link.email })
  const user = await findOrSignUpUser(tx, parts.config, link.email, now)
  if (link.purpose === 'session') {
    await tellNewDevice(tx, parts.factorNotices, { userId: user.id, agent: from.agent, now })
    const session = await startSession(tx, user.id, now, from)
    // A person who has just got their first business names it first.
    const to = user.unnamed && `/b/${formatId('business', user.unnamed)}/settings`
    return { to: to ?? ownPage(link.request['next']), session }
  }
  const { requireSecondFactor: isRequired, appUrl } = parts.config
  await checkMayConnect(tx, { userId: user.id, isRequired, now, appUrl })
  const request = connectRequestOf(link)
  const { authorization, scopes, transactionalPerDay, seesMasked, takesDataOut } = request
  const to = await issueCode(tx, parts.oauth, {
    request: authorization,
    scopes,
    transactionalPerDay,
    seesMasked,
    takesDataOut,
    userId: user.id,
    now,
  })
  return { to }
}

async function showLink(
  parts: PageParts,
  request: LinkRequest,
  reply: FastifyReply,
  link: MagicLink,
  notice?: { fault?: string; stepFault?: string; status: number },
): Promise<FastifyReply> {
  const user = await findUserByEmail(parts.db, link.email ?? '')
  const kept =
    user && link.purpose === 'connect'
      ? await earlierScopes(parts.db, {
          userId: user.id,
          clientId: connectRequestOf(link).authorization.clientId,
          now: parts.clock.now(),
        })
      : []
  const language = pageLanguageOf(request)
  const ofApp = connectWords(language)
  const words = signInWords(language)
  const step = user && (await stepFor(parts, user.id))
  const runs = step?.hasPasskey === true && offersPasskeys(parts)
  return sendPage(reply, {
    title: link.purpose === 'connect' ? ofApp.title : words.title,
    language,
    status: notice?.status ?? 200,
    runsScript: runs,
    callsOwn: runs,
    body: linkBody({
      link,
      action: request.url,
      formKey: parts.cookies.formKey(request, reply),
      businesses: user && (await membershipsOf(parts.db, user.id)),
      kept,
      fault: notice?.fault,
      step: step && stepFields(parts, { request, step, fault: notice?.stepFault }),
      isElsewhere: !isFromBrowser(link, parts.cookies.browser(request)),
      words,
      ofApp,
    }),
  })
}

interface LinkShown {
  link: MagicLink
  action: string
  formKey: string
  /** Undefined for a new user. */
  businesses: readonly Membership[] | undefined
  /** What the person granted to this app before, which it keeps. */
  kept: readonly Scope[]
  fault?: string | undefined
  /** The fields of the second step, where one is needed. */
  step: Html | undefined
  /** Whether another browser asked for the link. */
  isElsewhere: boolean
  words: SignInWords
  ofApp: ConnectWords
}

/** The page that another browser shows for a link: everything that its button would do. */
function linkBody(view: LinkShown): Html {
  const { link, fault, words, ofApp } = view
  const asksCode = link.shortCodeHash !== null && view.isElsewhere
  return html`<form method="post" action="${view.action}" class="card">
${link.purpose === 'connect' ? connecting(view) : signingIn(view)}
${keyInput(view.formKey)}
${asksCode ? codeField(fault, ofApp) : fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}
${view.step}
<div class="actions"><button type="submit">${link.purpose === 'connect' ? ofApp.connect : words.title}</button></div>
<p class="fine">${words.notYou}</p>
</form>`
}

function connecting({ link, businesses, kept, ofApp }: LinkShown): Html {
  const request = connectRequestOf(link)
  const { authorization, scopes: ticked, transactionalPerDay } = request
  const { seesMasked = true, takesDataOut = false } = request
  const granted = scopes.filter(
    (scope) =>
      scope === 'meta:read' ||
      (authorization.scopes.includes(scope) ? ticked : kept).includes(scope),
  )
  return html`${appHeading(authorization, ofApp)}
<p class="fine">${ofApp.elsewhere[0]}<b>${link.email}</b>${ofApp.elsewhere[1]}</p>
<section class="tight">
<h2>${ofApp.able}</h2>
<ul class="scopes">${granted.map((word) => {
    const { text, careful } = ofApp.scopes[word]
    return html`<li class="fixed"><span class="tick" aria-hidden="true">✓</span> <span>${careful && mark(ofApp)}${text}${careful && html`<span class="careful">: ${careful}</span>`}</span></li>`
  })}</ul>
${granted.includes('messaging:send') && transactionalPerDay !== undefined && html`<p class="fine">${ofApp.atMost(String(transactionalPerDay))}</p>`}
<p class="fine">${seesMasked ? ofApp.masked : ofApp.whole} ${takesDataOut ? ofApp.lets : ofApp.keeps}</p>
</section>
<div class="reach">${businesses ? businessList(businesses, ofApp) : html`<p>${ofApp.newcomer}</p>`}</div>`
}

function signingIn({ link: { email }, words, isElsewhere }: LinkShown): Html {
  const [before, after] = isElsewhere ? words.elsewhereText : words.hereText
  return html`<h1>${words.elsewhereTitle}</h1>
<p>${before}<b>${email}</b>${after}</p>`
}

function codeField(fault: string | undefined, words: ConnectWords): Html {
  return html`<div class="field">
<label for="code">${words.code}</label>
<p id="code-help" class="fine">${words.codeHelp}</p>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="9" class="digits-input"
  aria-describedby="${fault === undefined ? 'code-help' : 'fault code-help'}"${fault !== undefined && html` aria-invalid="true"`}>
${fault !== undefined && html`<p id="fault" class="fault" role="alert">${fault}</p>`}
</div>`
}

/** What a person later recognises the browser by that now signs in. */
export function browserOf(
  request: FastifyRequest,
  { countryHeader }: Pick<PageParts['config'], 'countryHeader'>,
): SignedInBrowser {
  return {
    agent: request.headers['user-agent'] ?? null,
    address: request.callerAddress,
    country: countryOf(request, countryHeader),
  }
}

/** What the proxy's header says; nothing that is no code of a country (ISO 3166-1). */
export function countryOf(request: FastifyRequest, header: string | undefined): string | null {
  const sent = header === undefined ? undefined : request.headers[header]
  return typeof sent === 'string' && /^[A-Z]{2}$/.test(sent) ? sent : null
}
