/**
 * Signing in at a company's identity provider, beside the mail. The provider sends the browser back;
 * then the person is signed in, gives a second factor, or links the account that they have.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { tellNewDevice } from '../../../accounts/factors/new-device.ts'
import { secondStepOf } from '../../../accounts/factors/sign-in.ts'
import { arrive } from '../../../accounts/identities/arrive.ts'
import {
  answerSignIn,
  beginSignIn,
  endAnswer,
  keepAnswer,
  type PendingSignIn,
  pendingSignIn,
} from '../../../accounts/identities/attempt.ts'
import { providerOfAddress, providerOfBusiness } from '../../../accounts/identities/company.ts'
import { checkStillLinked, linkIdentity, linkNeeds } from '../../../accounts/identities/link.ts'
import { logOut } from '../../../accounts/identities/log-out.ts'
import {
  companyPath,
  ownProvider,
  type Provider,
  returnUrlOf,
} from '../../../accounts/identities/provider.ts'
import type { Claims } from '../../../accounts/identities/relying-party.ts'
import { hasRefresh } from '../../../accounts/identities/renew.ts'
import { type SessionProof, startSession } from '../../../accounts/sign-in/session.ts'
import type { SignedInUser } from '../../../accounts/sign-in/sign-up.ts'
import { isRefusal, orRefusal, type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import { formatId, type Id, parseId } from '../../../core/ids.ts'
import type { Tx } from '../../../lib/db/types.ts'
import { html } from '../../../lib/text/html.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { ownPage } from '../shared/own-page.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { companyWords } from './company-words.ts'
import { sendFault } from './fault-page.ts'
import { offersPasskeys } from './passkey.ts'
import { stepFault, stepFields, stepFor, withFactor } from './second-step.ts'
import { browserOf } from './sign-in-link.ts'
import { pageLanguageOf } from './sign-in-words.ts'

type ById = FastifyRequest<{ Params: { id: string } }>

/** Sends the browser to the provider: that of the address, or that of the installation. */
export async function startAtProvider(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
  isByAddress = readForm(request).text('company') === 'address',
): Promise<FastifyReply> {
  const foreign = parts.guard(request)
  if (foreign) return sendFault(reply, request, foreign)
  const url = await orRefusal(() => begin(parts, request, isByAddress))
  if (isRefusal(url)) return refused(reply, request, url)
  const language = pageLanguageOf(request)
  const words = companyWords(language)
  // Not a redirect, since Chromium applies `form-action` to each one after a form.
  return sendPage(reply, {
    title: words.title,
    language,
    goesTo: url.href,
    body: html`<h1>${words.title}</h1>
<p>${words.leads}<b>${url.host}</b>.</p>
<p><a class="button" href="${url.href}">${words.go}</a></p>`,
  })
}

/** The provider sends the browser back. */
export async function returnFromProvider(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const arrival = await orRefusal(() => comeBack(parts, request))
  if (isRefusal(arrival)) return refused(reply, request, arrival)
  if (arrival.session !== undefined) parts.cookies.signIn(reply, arrival.session)
  return reply.header('cache-control', 'no-store').redirect(arrival.to, 303)
}

/** The provider itself says that somebody has signed out there (Back-Channel Logout, section 2.5). */
export async function providerLogOut(
  parts: PageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const outcome = await orRefusal(async () => {
    const provider = await providerIn(parts, request)
    const { db, vault } = parts
    const party = await parts.party.get()
    const token = readForm(request).text('logout_token')
    const from = request.callerAddress
    return logOut({ db, vault, party }, { provider, token, from, now: parts.clock.now() })
  })
  reply.header('cache-control', 'no-store')
  if (!isRefusal(outcome)) return reply.code(200).send()
  const { code, message } = outcome
  if (code === 'rate_limited') return reply.code(statusOf[code]).send()
  return reply.code(400).send({ error: 'invalid_request', error_description: message })
}

/** The page of the second factor, and its form. */
export async function secondStepAfterProvider(
  parts: PageParts,
  request: ById,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const foreign = request.method === 'POST' ? parts.guard(request) : undefined
  if (foreign) return sendFault(reply, request, foreign)
  const pending = await orRefusal(() => pendingIn(parts, request))
  if (isRefusal(pending)) return refused(reply, request, pending)
  if (request.method !== 'POST') return showStep(parts, request, reply, { pending })
  const session = await orRefusal(() => giveStep(parts, request, pending))
  if (!isRefusal(session)) {
    parts.cookies.signIn(reply, session)
    return reply.header('cache-control', 'no-store').redirect(ownPage(pending.next), 303)
  }
  const fault = stepFault(session, request, reply)
  if (fault === undefined) return refused(reply, request, session)
  return showStep(parts, request, reply, { pending, fault, status: statusOf[session.code] })
}

/** The page on which a person links the account that they have. */
export async function linkPage(
  parts: PageParts,
  request: ById,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const pending = await orRefusal(() => pendingIn(parts, request))
  if (isRefusal(pending)) return refused(reply, request, pending)
  const session = await parts.cookies.session(request, reply)
  const needs = await linkNeeds(parts.db, pending, { session, now: parts.clock.now() })
  const here = encodeURIComponent(`${companyPath}/link/${formatId('link', pending.id)}`)
  reply.header('cache-control', 'no-store')
  if (needs === 'factor') return reply.redirect(`/confirm?next=${here}`, 303)
  return needs === 'sign_in'
    ? showSignInFirst(request, reply, { pending, here })
    : showLink(parts, request, reply, pending)
}

export async function linkAccount(
  parts: PageParts,
  request: ById,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const foreign = parts.guard(request)
  if (foreign) return sendFault(reply, request, foreign)
  const next = await orRefusal(async () => {
    const pending = await pendingIn(parts, request)
    const session = await parts.cookies.session(request, reply)
    if (!session) throw refuse('unauthorized', 'Sign in first.', { fix: { url: '/login' } })
    const now = parts.clock.now()
    const { db, vault, factorNotices: notices } = parts
    const provider = await providerAt(parts, pending.businessId)
    await linkIdentity({ db, vault, notices }, pending, {
      session,
      provider,
      now,
      requestId: request.id,
    })
    return ownPage(pending.next)
  })
  if (isRefusal(next)) return refused(reply, request, next)
  return reply.header('cache-control', 'no-store').redirect(next, 303)
}

async function begin(
  parts: PageParts,
  request: FastifyRequest,
  isByAddress: boolean,
): Promise<URL> {
  const form = readForm(request)
  const email = isByAddress ? form.text('email') : undefined
  const now = parts.clock.now()
  const provider = await (email === undefined
    ? ownProvider(parts.config)
    : providerOfAddress(companyParts(parts), email, now))
  if (!provider) throw noProvider()
  const browser = parts.cookies.browser(request)
  if (browser === undefined) throw new Error('a form without its cookie passed the guard')
  const { db, vault } = parts
  const party = await parts.party.get()
  return beginSignIn(
    { db, vault, party },
    {
      provider,
      browser,
      next: ownPage(form.text('next')),
      returnUrl: returnUrlFor(parts, provider),
      email,
      from: request.callerAddress,
      now,
    },
  )
}

const companyParts = ({ db, vault, resolver, config: { appUrl } }: PageParts) => ({
  db,
  vault,
  resolver,
  appUrl,
})

const returnUrlFor = ({ config }: PageParts, { businessId }: Provider) =>
  returnUrlOf(config, businessId === null ? undefined : formatId('business', businessId))

/** The provider of a business, or that of the installation. */
async function providerAt(
  parts: PageParts,
  businessId: Id<'business'> | null | undefined,
): Promise<Provider> {
  const provider = await (businessId === null
    ? ownProvider(parts.config)
    : businessId && providerOfBusiness(companyParts(parts), businessId, parts.clock.now()))
  if (provider) return provider
  throw noProvider()
}

/** The provider to which an address of ours belongs. */
function providerIn(parts: PageParts, { params }: FastifyRequest): Promise<Provider> {
  const { business } = params as { business?: string }
  return providerAt(parts, business === undefined ? null : parseId('business', business))
}

const noProvider = () =>
  refuse('not_found', 'There is no company sign-in for this address. Sign in by email.', {
    data: { reason: 'no_company' },
    fix: { url: '/login' },
  })

interface Arrived {
  to: string
  session?: string
}

async function comeBack(parts: PageParts, request: FastifyRequest): Promise<Arrived> {
  const provider = await providerIn(parts, request)
  const browser = parts.cookies.browser(request)
  const now = parts.clock.now()
  const url = new URL(
    `${returnUrlFor(parts, provider)}${new URL(request.url, 'http://here').search}`,
  )
  const { db, vault } = parts
  const party = await parts.party.get()
  const answer = { provider, browser, url, now }
  const { signIn, claims } = await answerSignIn({ db, vault, party }, answer)
  // Google gives a refresh token at the first consent alone; without one nobody is asked for later.
  if (claims.needsConsent && !signIn.asksConsent && !(await hasRefresh(db, claims))) {
    const url = await beginSignIn(
      { db, vault, party },
      {
        provider,
        browser: browser ?? '',
        next: signIn.next,
        returnUrl: returnUrlFor(parts, provider),
        email: claims.email,
        asksConsent: true,
        from: request.callerAddress,
        now,
      },
    )
    return { to: url.href }
  }
  return parts.db.tx(async (tx): Promise<Arrived> => {
    const verified = { id: signIn.id, claims, now }
    const arrival = await arrive(tx, {
      vault,
      provider,
      claims,
      rule: parts.config,
      now,
      requestId: request.id,
    })
    const id = formatId('link', signIn.id)
    if (arrival.kind === 'to_link') {
      await keepAnswer(tx, vault, { ...verified, userId: null, role: arrival.role })
      return { to: `${companyPath}/link/${id}` }
    }
    const { user } = arrival
    const { requireSecondFactor: isRequired } = parts.config
    if (await secondStepOf(tx, { userId: user.id, isRequired, now })) {
      await keepAnswer(tx, vault, { ...verified, userId: user.id, role: null })
      return { to: `${companyPath}/step/${id}` }
    }
    await endAnswer(tx, signIn.id, now)
    const session = await openSession(tx, parts, request, { user, company: companyOf(claims) })
    // A person who has just got their first business names it first.
    const to = user.unnamed && `/b/${formatId('business', user.unnamed)}/settings`
    return { to: to ?? ownPage(signIn.next), session }
  })
}

const companyOf = ({ issuer, subject, session }: Claims) => ({
  issuer,
  subject,
  providerSession: session ?? null,
})

interface Opening {
  user: Pick<SignedInUser, 'id'>
  company: ReturnType<typeof companyOf>
  proof?: SessionProof
}

async function openSession(
  tx: Tx,
  parts: PageParts,
  request: FastifyRequest,
  { user: { id: userId }, company, proof }: Opening,
): Promise<string> {
  const now = parts.clock.now()
  const from = browserOf(request, parts.config)
  await tellNewDevice(tx, parts.factorNotices, { userId, agent: from.agent, now })
  return startSession(tx, userId, now, { ...from, company, ...(proof && { proof }) })
}

function pendingIn(parts: PageParts, request: ById): Promise<PendingSignIn> {
  const id = parseId('link', request.params.id)
  if (!id) throw refuse('not_found', 'There is no such page.')
  const browser = parts.cookies.browser(request)
  return pendingSignIn(parts.db, id, { browser, now: parts.clock.now() })
}

/** Takes the second factor, and signs the person in whom the provider named, as long as it still would. */
async function giveStep(parts: PageParts, request: ById, pending: PendingSignIn): Promise<string> {
  const userId = userOf(pending)
  const { issuer, subject, providerSession } = pending
  const provider = await providerAt(parts, pending.businessId)
  return withFactor(parts, request, userId, (take) =>
    parts.db.tx(async (tx) => {
      await endAnswer(tx, pending.id, parts.clock.now())
      await checkStillLinked(tx, { ...pending, userId }, provider)
      const proof = await take(tx)
      const company = { issuer, subject, providerSession }
      return openSession(tx, parts, request, { user: { id: userId }, company, proof })
    }),
  )
}

function userOf({ userId }: PendingSignIn): Id<'user'> {
  if (userId) return userId
  throw refuse('not_found', 'There is no such page.')
}

async function showStep(
  parts: PageParts,
  request: ById,
  reply: FastifyReply,
  { pending, fault, status = 200 }: { pending: PendingSignIn; fault?: string; status?: number },
): Promise<FastifyReply> {
  const step = await stepFor(parts, userOf(pending))
  const language = pageLanguageOf(request)
  const words = companyWords(language)
  const runs = step?.hasPasskey === true && offersPasskeys(parts)
  return sendPage(reply, {
    title: words.title,
    language,
    status,
    runsScript: runs,
    callsOwn: runs,
    body: html`<form method="post" action="${companyPath}/step/${request.params.id}" class="card">
<h1>${words.title}</h1>
${keyInput(parts.cookies.formKey(request, reply))}
${step && stepFields(parts, { request, step, fault })}
<div class="actions"><button type="submit">${words.go}</button></div>
</form>`,
  })
}

function showSignInFirst(
  request: ById,
  reply: FastifyReply,
  { pending, here }: { pending: PendingSignIn; here: string },
): FastifyReply {
  const language = pageLanguageOf(request)
  const words = companyWords(language)
  const [before, after] = words.firstText
  return sendPage(reply, {
    title: words.firstTitle,
    language,
    body: html`<div class="card">
<h1>${words.firstTitle}</h1>
<p>${before}<b>${pending.email}</b>${after}</p>
<p><a class="button" href="/login?again=yes&amp;next=${here}">${words.signIn}</a></p>
</div>`,
  })
}

function showLink(
  parts: PageParts,
  request: ById,
  reply: FastifyReply,
  pending: PendingSignIn,
): FastifyReply {
  const language = pageLanguageOf(request)
  const words = companyWords(language)
  const [before, between, after] = words.linkText
  const { host } = new URL(pending.issuer)
  return sendPage(reply, {
    title: words.linkTitle,
    language,
    body: html`<form method="post" action="${companyPath}/link/${request.params.id}" class="card">
<h1>${words.linkTitle}</h1>
<p>${before}<b>${host}</b>${between}<b>${pending.email}</b>${after}</p>
${keyInput(parts.cookies.formKey(request, reply))}
<div class="actions"><button type="submit">${words.link}</button></div>
<p class="fine">${words.notYou}</p>
</form>`,
  })
}

/** A refusal in the language of the page, with the way back to the sign-in. */
function refused(
  reply: FastifyReply,
  request: FastifyRequest,
  refusal: Refusal,
): Promise<FastifyReply> {
  return sendFault(reply, request, refusal, {
    ofPage: companyWords(pageLanguageOf(request)).faults,
  })
}
