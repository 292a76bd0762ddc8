/** The page of a link whose person was erased, and their way back: a mail that they confirm. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import { isRefusal, type Refusal, statusOf } from '../../../core/errors.ts'
import {
  acceptedLanguages,
  chooseLanguage,
  type RecipientLanguage,
  wordsIn,
} from '../../../core/recipient-words/languages.ts'
import {
  type Holder,
  type PreferenceDeps,
  preferencesOf,
} from '../../../subscriptions/preferences.ts'
import { askToComeBack } from '../../../subscriptions/return-by-page.ts'
import { visitOf } from '../../visit.ts'
import { readForm } from '../shared/form.ts'
import { goneBody, returnAskedBody, returnTextOf } from './preferences-view.ts'
import { sendRecipientPage } from './recipient-page.ts'

type TokenRequest = FastifyRequest<{ Params: { token: string } }>

/** An erased person gets no more mail, so the mail program's request has succeeded. */
export async function sendGone(
  deps: PreferenceDeps,
  request: TokenRequest,
  reply: FastifyReply,
  { businessId }: Holder,
): Promise<FastifyReply> {
  return sendPage(request, reply, await deps.senderProfileOf(businessId))
}

/** Undefined where the person still exists and can choose on their own page. */
export async function takeReturn(
  deps: PreferenceDeps,
  request: TokenRequest,
  reply: FastifyReply,
  holder: Holder,
): Promise<FastifyReply | undefined> {
  const shown = await preferencesOf(deps, holder)
  const profile = await deps.senderProfileOf(holder.businessId)
  if (!profile || !isRefusal(shown) || shown.code !== 'gone') return undefined
  const language = languageOf(request, profile)
  const typed = readForm(request).text('email').slice(0, longestTyped)
  const refusal = await askToComeBack(deps, holder, {
    email: typed,
    text: returnTextOf(profile, language),
    language,
    visit: visitOf(request),
    requestId: request.id,
  })
  if (refusal) return sendPage(request, reply, profile, { typed, refusal })
  return sendRecipientPage(reply, {
    business: profile.name,
    language,
    title: wordsIn(language).form.confirmTitle,
    body: returnAskedBody(language),
  })
}

/** An address has at most 254 characters. Longer texts are cut. */
const longestTyped = 300

function sendPage(
  request: TokenRequest,
  reply: FastifyReply,
  profile: SenderProfile | undefined,
  { typed, refusal }: { typed?: string; refusal?: Refusal } = {},
): FastifyReply {
  const language = languageOf(request, profile)
  const words = wordsIn(language)
  const retryAfter = refusal?.details.retryAfter
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  const fault = refusal?.code === 'rate_limited' ? words.preferences.tooManyText : words.form.email
  const business = profile?.name
  return sendRecipientPage(reply, {
    business,
    language,
    title: words.preferences.goneTitle,
    ...(refusal && { status: statusOf[refusal.code] }),
    body: goneBody({
      business,
      language,
      action: `/u/${request.params.token}`,
      ...(typed !== undefined && { typed }),
      ...(refusal && { fault }),
    }),
  })
}

function languageOf(
  { headers }: TokenRequest,
  profile: SenderProfile | undefined,
): RecipientLanguage {
  return chooseLanguage(...acceptedLanguages(headers['accept-language']), profile?.language)
}
