/** The authorize page: the client's request, the scopes that stay ticked, and the sign-in mail. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { membershipsOf } from '../../../accounts/businesses/memberships.ts'
import { checkMayConnect, type SecondStep } from '../../../accounts/factors/sign-in.ts'
import { checkOtherWay } from '../../../accounts/identities/company-only.ts'
import { emailOf } from '../../../accounts/members/user.ts'
import type { LinkRequest, MagicLink } from '../../../accounts/sign-in/magic-link.ts'
import { requestLink } from '../../../accounts/sign-in/request-link.ts'
import type { Session } from '../../../accounts/sign-in/session.ts'
import { isRefusal, orRefusal, orThrow, type Refusal, statusOf } from '../../../core/errors.ts'
import { type Scope, scopes } from '../../../core/operation.ts'
import { normaliseEmail } from '../../../lib/email/email-address.ts'
import { html } from '../../../lib/text/html.ts'
import {
  type AuthorizationRequest,
  denied,
  readAuthorizationRequest,
} from '../../../oauth/authorize/authorize.ts'
import { earlierScopes, issueCode } from '../../../oauth/authorize/codes.ts'
import { oauthPath } from '../../../oauth/model/addresses.ts'
import { mostRecipientsPerDay, newTransactionalPerDay } from '../../../usage/connection-limit.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { destinationOf } from '../shared/words.ts'
import { companyLinkFrom } from './company-offer.ts'
import { connectWords } from './connect-words.ts'
import { type ConnectionChoices, consentBody, parametersOf } from './consent-view.ts'
import { sendFault } from './fault-page.ts'
import { sendMailSent } from './mail-sent.ts'
import { byPasskey, offersPasskeys, passkeyFault, passkeyIn, passkeyOffer } from './passkey.ts'
import { prove, stepFault, stepFields, stepFor } from './second-step.ts'
import { pageLanguageOf, signInWords } from './sign-in-words.ts'

const consentPath = `${oauthPath}/consent`

/** The parameters of the request, which the form submits again, without the form's own fields. */
const carried = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
]

export function registerAuthorize(scope: FastifyInstance, parts: PageParts): void {
  scope.get(oauthPath, async (request, reply) => {
    const query = request.query as Record<string, unknown>
    const reading = await readAuthorizationRequest(parts.oauth, query, asking(parts, request))
    if (reading.kind === 'page') return sendErrorPage(reply, request, reading.refusal)
    if (reading.kind === 'redirect') return reply.redirect(reading.to)
    // OpenID Connect's parameter for a new sign-in.
    const anew = query['prompt'] === 'login'
    const session = anew ? undefined : await parts.cookies.session(request, reply)
    const authorization = await withEarlierScopes(parts, reading.request, session)
    const agreed = {
      authorization,
      ticked: authorization.scopes,
      choices: firstChoices,
    }
    return showConsent(parts, request, reply, { ...agreed, session })
  })

  scope.post(consentPath, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendFault(reply, request, foreign)
    const form = readForm(request)
    const sent = Object.fromEntries(carried.map((name) => [name, form.text(name)]))
    const reading = await readAuthorizationRequest(parts.oauth, sent, asking(parts, request))
    if (reading.kind === 'page') return sendErrorPage(reply, request, reading.refusal)
    if (reading.kind === 'redirect') return moveOn(request, reply, reading.to)
    const granted = form.all('grant')
    const perDay = readPerDay(form.text('transactional_per_day'))
    const agreed: AgreedRequest = {
      authorization: reading.request,
      ticked: scopes.filter((word) => granted.includes(word)),
      choices: {
        transactionalPerDay: perDay ?? newTransactionalPerDay.connection,
        seesMasked: form.text('sees') !== 'full',
        takesDataOut: form.text('takes_data_out') === 'yes',
      },
    }
    if (perDay === undefined) {
      const session = await parts.cookies.session(request, reply)
      const fault = connectWords(pageLanguageOf(request)).perDayFault(mostRecipientsPerDay)
      return showConsent(parts, request, reply, { ...agreed, session, fault, status: 400 })
    }
    if (passkeyIn(request) !== '') return connectByPasskey(parts, request, reply, agreed)
    return form.text('action') === 'continue'
      ? continueAs(parts, request, reply, agreed)
      : mailLink(parts, request, reply, agreed)
  })
}

/** The request with what the person granted to this client before, which the page shows as well. */
async function withEarlierScopes(
  { db, clock }: PageParts,
  request: AuthorizationRequest,
  session: Session | undefined,
): Promise<AuthorizationRequest> {
  if (!session) return request
  const who = { userId: session.user.id, clientId: request.clientId, now: clock.now() }
  const earlier = await earlierScopes(db, who)
  const offered = scopes.filter(
    (scope) => request.scopes.includes(scope) || earlier.includes(scope),
  )
  return { ...request, scopes: offered }
}

const asking = ({ clock }: PageParts, { callerAddress }: FastifyRequest) => ({
  from: callerAddress,
  now: clock.now(),
})

interface AgreedRequest {
  authorization: AuthorizationRequest
  ticked: readonly Scope[]
  choices: ConnectionChoices
}

/** What a new connection may do unless its person chooses otherwise. */
const firstChoices: ConnectionChoices = {
  transactionalPerDay: newTransactionalPerDay.connection,
  seesMasked: true,
  takesDataOut: false,
}

/** The limit that the person typed; the usual one where the page had no field for it. */
function readPerDay(typed: string): number | undefined {
  const text = typed.trim()
  if (text === '') return newTransactionalPerDay.connection
  const number = Number(text)
  const isLimit = Number.isInteger(number) && number >= 0 && number <= mostRecipientsPerDay
  return isLimit ? number : undefined
}

/** A person with a live session agreed, so no mail is needed to identify them. */
async function continueAs(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  query: AgreedRequest,
): Promise<FastifyReply> {
  const session = await parts.cookies.session(request, reply)
  if (!session) {
    const fault = connectWords(pageLanguageOf(request)).ended
    return showConsent(parts, request, reply, { ...query, fault, status: 401 })
  }
  const userId = session.user.id
  const now = parts.clock.now()
  const { requireSecondFactor: isRequired, appUrl } = parts.config
  const to = await orRefusal(async () => {
    await checkMayConnect(parts.db, { userId, isRequired, now, appUrl })
    if (await stepOfSession(parts, session)) await prove(parts, request, session)
    const agreed = { request: query.authorization, scopes: query.ticked, ...query.choices }
    return parts.db.tx((tx) => issueCode(tx, parts.oauth, { ...agreed, userId, now }))
  })
  if (!isRefusal(to)) return moveOn(request, reply, to)
  const stepFaultShown = stepFault(to, request, reply)
  if (stepFaultShown === undefined) return sendFault(reply, request, to)
  const wrong = { stepFault: stepFaultShown, status: statusOf[to.code] }
  return showConsent(parts, request, reply, { ...query, session, ...wrong })
}

/** The second step that a session needs which was opened without one. */
async function stepOfSession(
  parts: PageParts,
  { provenAt, user }: Session,
): Promise<SecondStep | undefined> {
  return provenAt === undefined ? stepFor(parts, user.id) : undefined
}

/** The passkey shows who agreed, so no mail is needed. */
async function connectByPasskey(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  query: AgreedRequest,
): Promise<FastifyReply> {
  const now = parts.clock.now()
  const { requireSecondFactor: isRequired, appUrl } = parts.config
  const to = await orRefusal(() =>
    byPasskey(parts, request, async (tx, userId, passkeyId) => {
      await checkOtherWay(tx, { email: (await emailOf(tx, userId)) ?? '', passkeyId })
      // A passkey that is too new to count connects no app.
      await checkMayConnect(tx, { userId, isRequired, now, appUrl })
      return issueCode(tx, parts.oauth, {
        request: query.authorization,
        scopes: query.ticked,
        ...query.choices,
        userId,
        now,
      })
    }),
  )
  if (!isRefusal(to)) return moveOn(request, reply, to)
  if (to.details.data?.['reason'] === 'new_factor') return sendFault(reply, request, to)
  const fault = passkeyFault(to, reply, signInWords(pageLanguageOf(request)))
  return showConsent(parts, request, reply, { ...query, fault, status: statusOf[to.code] })
}

async function mailLink(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  query: AgreedRequest,
): Promise<FastifyReply> {
  const email = readForm(request).text('email')
  const browser = parts.cookies.browser(request)
  // The guard has checked that there is a session.
  if (browser === undefined) throw new Error('a form without its cookie passed the guard')
  const queued = await orRefusal(async () => {
    await checkOtherWay(parts.db, { email: orThrow(normaliseEmail(email)) })
    return requestLink(parts, {
      purpose: 'connect',
      email,
      request: {
        ...connectRequest(query.authorization, query.ticked, query.choices),
        language: pageLanguageOf(request),
      },
      browser,
      guarded: destinationOf(query.authorization.redirectUri).hosted,
      from: request.callerAddress,
      now: parts.clock.now(),
    })
  })
  if (!isRefusal(queued)) return sendMailSent(reply, parts.config, queued, pageLanguageOf(request))
  const { status } = faultOf(queued, reply)
  const words = signInWords(pageLanguageOf(request))
  const isOnly = queued.details.data?.['reason'] === 'company_only'
  const fault = isOnly ? words.companyFirst : words.faultOf(queued)
  return showConsent(parts, request, reply, { ...query, email, fault, status })
}

/** A refusal that is shown above the form. */
export function faultOf(refusal: Refusal, reply: FastifyReply): { fault: string; status: number } {
  const { retryAfter } = refusal.details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return { fault: refusal.message, status: statusOf[refusal.code] }
}

interface ConsentPage extends AgreedRequest {
  session?: Session | undefined
  email?: string
  fault?: string
  stepFault?: string
  status?: number
}

async function showConsent(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    authorization,
    ticked,
    choices,
    session,
    email,
    fault,
    stepFault: wrongFactor,
    status,
  }: ConsentPage,
): Promise<FastifyReply> {
  const language = pageLanguageOf(request)
  const words = connectWords(language)
  const signedIn = session && {
    email: session.user.email,
    businesses: await membershipsOf(parts.db, session.user.id),
    otherAddressUrl: anewUrl(request),
  }
  const step = session && (await stepOfSession(parts, session))
  const here = `${oauthPath}?${new URLSearchParams(parametersOf(authorization))}`
  return sendPage(reply, {
    title: words.title,
    language,
    status: status ?? 200,
    runsScript: offersPasskeys(parts),
    callsOwn: offersPasskeys(parts),
    body: consentBody({
      request: authorization,
      ticked,
      choices,
      action: consentPath,
      formKey: parts.cookies.formKey(request, reply),
      denyUrl: denied(parts.oauth, authorization),
      signedIn,
      ...(email !== undefined && { email }),
      fault,
      words,
      signInWords: signInWords(language),
      passkey: passkeyOffer(parts, signInWords(language)),
      company: session === undefined && (await companyLinkFrom(parts, signInWords(language), here)),
      step: step && stepFields(parts, { request, step, fault: wrongFactor }),
    }),
  })
}

function anewUrl(request: FastifyRequest): string {
  const url = new URL(request.url, 'http://here')
  url.searchParams.set('prompt', 'login')
  return `${url.pathname}${url.search}`
}

/**
 * The request and what the person chose, as they are stored with a `connect` link. Links that are
 * older than a choice lack it.
 */
export interface ConnectRequest extends LinkRequest, Partial<ConnectionChoices> {
  leadsTo: string
  authorization: AuthorizationRequest
  scopes: readonly Scope[]
}

export function connectRequest(
  authorization: AuthorizationRequest,
  scopes: readonly Scope[],
  choices: ConnectionChoices,
): ConnectRequest {
  const leadsTo = destinationOf(authorization.redirectUri).place
  return { leadsTo, authorization, scopes, ...choices }
}

export function connectRequestOf(link: MagicLink): ConnectRequest {
  if (link.purpose !== 'connect') throw new Error('only a connect link holds a request')
  return link.request as ConnectRequest
}

/**
 * Sends the browser to a client after a form. This is not a redirect, because Chromium applies
 * `form-action` to every redirect after a form, including those of the client's own site, and
 * CSP has no syntax for `[::1]`. A page that navigates by itself is not affected.
 */
export function moveOn(request: FastifyRequest, reply: FastifyReply, to: string): FastifyReply {
  const language = pageLanguageOf(request)
  const words = connectWords(language)
  const title = new URL(to).searchParams.has('code') ? words.connected : words.notConnected
  const [before, after] = words.back
  return sendPage(reply, {
    title,
    language,
    goesTo: to,
    body: html`<h1>${title}</h1>
<p>${before}<b>${destinationOf(to).place}</b>${after}</p>
<p><a class="button" href="${to}">${words.go}</a></p>`,
  })
}
