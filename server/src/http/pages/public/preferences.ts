/**
 * The unsubscribe page. Mail programs post to it directly (RFC 8058), without cookie, redirect or
 * further fields. A GET changes nothing, since scanners follow every link; it shows a page with
 * plain forms.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import { type Channel, type ConsentSubject, channels } from '../../../contacts/contact.ts'
import { isRefusal, orRefusal, type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import {
  acceptedLanguages,
  chooseLanguage,
  type RecipientLanguage,
  wordsIn,
} from '../../../core/recipient-words/languages.ts'
import type { RecipientWords } from '../../../core/recipient-words/words.ts'
import type { Log } from '../../../lib/process/log.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import {
  type Change,
  type Choice,
  type Often,
  oftens,
  type TrackingChoice,
  type Wish,
} from '../../../subscriptions/choices.ts'
import {
  type Holder,
  holderOf,
  type PreferenceChange,
  type PreferenceDeps,
  type Preferences,
  preferencesOf,
  setPreferences,
} from '../../../subscriptions/preferences.ts'
import { askToComeBack } from '../../../subscriptions/return-by-page.ts'
import { takeForms, takeMultipart } from '../../body.ts'
import { visitOf } from '../../caller-address.ts'
import { asRefusal } from '../../server.ts'
import { readForm } from '../shared/form.ts'
import { brandOf, sendRecipientError, sendRecipientPage } from './recipient-page.ts'

/** The body limit in bytes: mail programs post 26, a page with all topics on two channels 6,000. */
const formLimit = 16_384

type ByToken = { Params: { token: string } }
type TokenRequest = FastifyRequest<ByToken>

export function registerPreferences(
  app: FastifyInstance,
  deps: PreferenceDeps & { log: Log },
): void {
  app.register(async (scope) => {
    takeForms(scope, formLimit)
    takeMultipart(scope)
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = asRefusal(error, request)
      if (statusOf[refusal.code] >= 500) {
        deps.log.error({ err: error, request_id: request.id }, 'http.error')
      }
      return sendRecipientError(reply, request, refusal)
    })

    const show = async (
      request: TokenRequest,
      reply: FastifyReply,
      holder: Holder,
      preferences: Preferences | Refusal,
      notice?: Notice,
    ): Promise<FastifyReply> => {
      if (!isRefusal(preferences)) {
        const { business, language } = preferences
        const title = wordsIn(language).preferences.title(business)
        const body = preferencesBody(preferences, `/u/${request.params.token}`, { notice })
        const brand = brandOf(await deps.senderProfileOf(holder.businessId))
        return sendRecipientPage(reply, { ...brand, business, language, title, body })
      }
      if (preferences.code === 'gone') return sendGone(deps, request, reply, holder)
      const senderProfile = await deps.senderProfileOf(holder.businessId)
      return sendRecipientError(reply, request, preferences, senderProfile?.name)
    }

    scope.get('/u/test', async (_request, reply) =>
      sendRecipientPage(reply, {
        business: undefined,
        title: 'A link of a test',
        body: testBody(),
      }),
    )

    scope.get<ByToken>('/u/:token', async (request, reply) => {
      const holder = await orRefusal(() => holderOf(deps.vault, request.params.token))
      if (isRefusal(holder)) return sendRecipientError(reply, request, holder)
      return show(request, reply, holder, await orRefusal(() => preferencesOf(deps, holder)))
    })

    scope.post<ByToken>('/u/:token', async (request, reply) => {
      const holder = await orRefusal(() => holderOf(deps.vault, request.params.token))
      if (isRefusal(holder)) return sendRecipientError(reply, request, holder)
      if (readForm(request).text('return') === 'yes') {
        const takenReturn = await takeReturn(deps, request, reply, holder)
        return (
          takenReturn ??
          show(request, reply, holder, await orRefusal(() => preferencesOf(deps, holder)))
        )
      }
      const wishes = askedIn(request)
      if (isRefusal(wishes)) return sendRecipientError(reply, request, wishes)
      const changed = await orRefusal(() => change(deps, holder, request, wishes))
      if (isRefusal(changed) && changed.code === 'rate_limited') {
        const now = await orRefusal(() => preferencesOf(deps, holder))
        return isRefusal(now)
          ? show(request, reply, holder, now)
          : showLimited(request, reply, changed, now)
      }
      return show(request, reply, holder, changed, wishes.notice)
    })
  })
}

interface RequestedChange extends Pick<PreferenceChange, 'selection' | 'way'> {
  notice: Notice
}

function askedIn(request: TokenRequest): RequestedChange | Refusal {
  const form = readForm(request)
  if (form.text('List-Unsubscribe') === 'One-Click') {
    const isPage = form.text('page') === 'yes'
    const way = isPage ? 'unsubscribe page' : 'one-click unsubscribe'
    // Mail programs leave the message's topic; the page also has a button for everything.
    const leavesAll = form.text('everything') === 'yes'
    return {
      selection: ({ channel, about }) =>
        about && !leavesAll ? withoutTopic(channel, about.key) : without(channel),
      way,
      notice: leavesAll ? 'unsubscribed' : 'left',
    }
  }
  const channelNames = form.all('shown').filter(isChannel)
  if (channelNames.length === 0) {
    const text = 'Send List-Unsubscribe=One-Click to unsubscribe (RFC 8058), or use the page.'
    return refuse('invalid_request', text, { field: 'List-Unsubscribe' })
  }
  const ticked = form.all('channel')
  const channelsAsked = Object.fromEntries(
    channelNames.map((word) => [word, ticked.includes(word)]),
  )
  const topics = topicsAsked(form.all('shown_topic'), new Set(form.all('topic')))
  const tracking =
    form.text('shown_tracking') === 'yes' ? form.text('tracking') === 'yes' : undefined
  const often = oftens.find((choice) => choice === form.text('often'))
  return {
    selection: () => ({ channels: channelsAsked, topics, tracking, often }),
    way: 'preference page',
    notice: 'saved',
  }
}

const isChannel = (name: string): name is Channel => (channels as readonly string[]).includes(name)

const without = (channel: Channel): Wish => ({ channels: { [channel]: false }, topics: {} })
const withoutTopic = (channel: Channel, key: string): Wish => ({
  channels: {},
  topics: { [channel]: new Map([[key, false]]) },
})

/** Reads `email:news`, the form of the page's checkbox names. Others are ignored. */
function topicsAsked(names: readonly string[], ticked: ReadonlySet<string>): Wish['topics'] {
  const choices: Record<Channel, Map<string, boolean>> = { email: new Map(), sms: new Map() }
  for (const name of names) {
    const [channel = '', key = ''] = name.split(':', 2)
    if (isChannel(channel)) choices[channel].set(key, ticked.has(name))
  }
  return choices
}

function change(
  deps: PreferenceDeps,
  holder: Holder,
  request: TokenRequest,
  { selection, way }: RequestedChange,
): Promise<Preferences> {
  return setPreferences(deps, holder, { selection, way, words: wordsOf, visit: visitOf(request) })
}

/** The page with the refusal; its unsubscribe button still works. */
function showLimited(
  request: TokenRequest,
  reply: FastifyReply,
  { code, details }: Refusal,
  preferences: Preferences,
): FastifyReply {
  const { business, language } = preferences
  const title = wordsIn(language).preferences.tooManyTitle
  const body = preferencesBody(preferences, `/u/${request.params.token}`, { tooMany: true })
  reply.header('retry-after', String(details.retryAfter ?? 1))
  const status = statusOf[code]
  return sendRecipientPage(reply, { business, language, title, status, body })
}

/** An erased person gets no more mail, so the mail program's request has succeeded. */
async function sendGone(
  deps: PreferenceDeps,
  request: TokenRequest,
  reply: FastifyReply,
  { businessId }: Holder,
): Promise<FastifyReply> {
  return sendPage(request, reply, await deps.senderProfileOf(businessId))
}

/** Undefined where the person still exists and can choose on their own page. */
async function takeReturn(
  deps: PreferenceDeps,
  request: TokenRequest,
  reply: FastifyReply,
  holder: Holder,
): Promise<FastifyReply | undefined> {
  const shown = await orRefusal(() => preferencesOf(deps, holder))
  const profile = await deps.senderProfileOf(holder.businessId)
  if (!profile || profile.closedAt || !isRefusal(shown) || shown.code !== 'gone') return undefined
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
    ...brandOf(profile),
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
    ...brandOf(profile),
    business,
    language,
    title: words.preferences.goneTitle,
    ...(refusal && { status: statusOf[refusal.code] }),
    body: goneBody({
      business,
      takesBack: profile !== undefined && !profile.closedAt,
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

/** The page on which a recipient unsubscribes or chooses what to get, in the recipient's language. */
type Words = RecipientWords['preferences']

/** The change just made. `left`: the person left the message's topic, or all mailings if it had none. */
type Notice = 'unsubscribed' | 'left' | 'saved'

function preferencesBody(
  { business, language, choices, channel, about, tracking, often, hasDigest }: Preferences,
  action: string,
  { notice, tooMany = false }: { notice?: Notice | undefined; tooMany?: boolean } = {},
): Html {
  const words = wordsIn(language).preferences
  const ownChoice = choices.find((choice) => choice.channel === channel && choice.subscribed)
  const topic = ownChoice?.topics.find(({ key, wanted }) => key === about?.key && wanted)
  const address =
    ownChoice && channel === 'sms' ? words.smsTo(ownChoice.hint) : words.askUnsubscribe
  // The other notices are about email.
  const banner = notice && channel === 'sms' ? 'saved' : notice
  return html`<h1>${words.title(isolated(business))}</h1>
${banner && html`<p class="done" role="status">${noticeText(words, banner, about && ownChoice && about.name)}</p>`}
${tooMany && html`<p class="warning" role="alert">${words.tooManyText}</p>`}
${topic && unsubscribeForm(action, words.leaveTopic(isolated(topic.name)))}
${ownChoice && unsubscribeForm(action, about ? words.leaveAll : words.unsubscribe, about ? 'everything' : address)}
<form method="post" action="${action}" class="card">
<fieldset>
<legend>${words.legend}</legend>
<ul class="scopes">${choices.map((choice) => line(choice, business, words))}</ul>
</fieldset>
${oftenLines(often, words, hasDigest)}
${tracking && trackingLine(tracking, words.trackingLegend, words.trackingChoice(isolated(business)))}
<div class="actions"><button class="quiet">${words.save}</button></div>
<p class="fine">${words.stillSent}</p>
</form>`
}

/** @param topic The name of the topic that was left, if the person still gets other mailings. */
function noticeText(words: Words, notice: Notice, topic: string | undefined): string {
  if (notice === 'saved') return words.saved
  if (notice === 'left' && topic !== undefined) return words.leftTopic(isolated(topic))
  return words.unsubscribed
}

/** Posts the same fields as a mail program; `page` distinguishes them in the consent ledger. */
function unsubscribeForm(action: string, button: string, about?: string): Html {
  const isEverything = about === 'everything'
  return html`<form method="post" action="${action}" class="card">
${about !== undefined && !isEverything && html`<p>${about}</p>`}
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<input type="hidden" name="page" value="yes">
${isEverything && html`<input type="hidden" name="everything" value="yes">`}
<div class="actions"><button${isEverything && html` class="quiet"`}>${button}</button></div>
</form>`
}

function line(choice: Choice, business: string, words: Words): Html {
  const { channel, hint, subscribed, topics } = choice
  const to = channel === 'email' ? words.emailTo(hint) : words.smsTo(hint)
  return html`<li><input type="hidden" name="shown" value="${channel}">
<label><input type="checkbox" name="channel" value="${channel}"${subscribed && html` checked`}>
<span>${sentence(words, business, channel)} <span class="fine">${to}</span></span></label>
${topics.length > 0 && topicLines(choice, `${words.topics}: ${to}`)}</li>`
}

function trackingLine({ allowed }: TrackingChoice, legend: string, text: string): Html {
  return html`<fieldset>
<legend>${legend}</legend>
<ul class="scopes"><li><input type="hidden" name="shown_tracking" value="yes">
<label><input type="checkbox" name="tracking" value="yes"${allowed && html` checked`}>
<span>${text}</span></label></li></ul>
</fieldset>`
}

function oftenLines(chosen: Often, words: Words, hasDigest: boolean): Html {
  const offered = oftens.filter((often) => often !== 'digest' || hasDigest)
  return html`<fieldset>
<legend>${words.often}</legend>
<ul class="scopes">${offered.map(
    (often) =>
      html`<li><label><input type="radio" name="often" value="${often}"${often === chosen && html` checked`}>
<span>${words.oftens[often]}</span></label></li>`,
  )}</ul>
</fieldset>`
}

function topicLines({ channel, topics }: Choice, label: string): Html {
  return html`<ul class="scopes nested" aria-label="${label}">${topics.map(
    ({ key, name, description, wanted: isChosen }) =>
      html`<li><input type="hidden" name="shown_topic" value="${channel}:${key}">
<label><input type="checkbox" name="topic" value="${channel}:${key}"${isChosen && html` checked`}>
<span><bdi>${name}</bdi>${description !== null && html` <span class="fine">${description}</span>`}</span></label></li>`,
  )}</ul>`
}

function sentence(words: Words, business: string, channel: ConsentSubject): string {
  if (channel === 'tracking') return words.trackingChoice(business)
  return channel === 'email' ? words.emailChoice(business) : words.smsChoice(business)
}

/** The text that a person agreed or objected to, for the consent ledger. */
function wordsOf(
  { name }: SenderProfile,
  { channel, topic }: Change,
  language: RecipientLanguage,
): string {
  const words = wordsIn(language).preferences
  return topic ? words.topicChoice(topic.name, name) : sentence(words, name, channel)
}

interface GonePage {
  /** Undefined where the business has been deleted as well. */
  business: string | undefined
  /** Whether a person can ask for its mail again; a closed business takes nobody back. */
  takesBack: boolean
  language: RecipientLanguage
  action: string
  /** The text in the field, and its error. */
  typed?: string
  fault?: string
}

/** The text that the person agrees to is above the field, exactly as the ledger stores it. */
function goneBody({ business, takesBack, language, action, typed, fault }: GonePage): Html {
  const words = wordsIn(language).preferences
  const name = business === undefined ? undefined : isolated(business)
  return html`<h1>${words.goneTitle}</h1>
<p>${words.goneText(name)}</p>
${
  takesBack &&
  name !== undefined &&
  html`<form method="post" action="${action}" class="card">
<input type="hidden" name="return" value="yes">
<p>${words.returnText}</p>
<div class="field">
<label for="email">${words.returnLabel}</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="254"
  value="${typed ?? ''}"${fault !== undefined && html` aria-invalid="true" aria-describedby="fault"`}>
${fault !== undefined && html`<p id="fault" class="fault" role="alert">${fault}</p>`}
</div>
<p>${words.emailChoice(name)}</p>
<div class="actions"><button class="quiet">${words.returnButton}</button></div>
</form>`
}`
}

/** The text that a returning person agrees to. */
function returnTextOf({ name }: SenderProfile, language: RecipientLanguage): string {
  return wordsIn(language).preferences.emailChoice(name)
}

function returnAskedBody(language: RecipientLanguage): Html {
  const words = wordsIn(language)
  return html`<h1>${words.form.confirmTitle}</h1>
<p role="status">${words.preferences.returnAsked}</p>`
}

/** Isolates a name, so that its writing direction does not affect the sentence (Unicode UAX 9). */
function isolated(name: string): string {
  return `\u2068${name}\u2069`
}

/** The page of the link in a test message, which only members of the business get. */
function testBody(): Html {
  return html`<h1>A link of a test</h1>
<p>In the campaign itself this link is each recipient's own: it opens the page where they unsubscribe or choose what they get. This one belongs to a test, so it changes nothing.</p>`
}
