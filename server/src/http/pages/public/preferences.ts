/**
 * The unsubscribe page. Mail programs post to it directly (RFC 8058), without cookie, redirect or
 * further fields. A GET changes nothing, since scanners follow every link; it shows a page with
 * plain forms.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Channel, channels } from '../../../contacts/contact.ts'
import { isRefusal, type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import { wordsIn } from '../../../core/recipient-words/languages.ts'
import type { Log } from '../../../lib/process/log.ts'
import type { Wish } from '../../../subscriptions/choices.ts'
import {
  type Holder,
  holderOf,
  type PreferenceChange,
  type PreferenceDeps,
  type Preferences,
  preferencesOf,
  setPreferences,
} from '../../../subscriptions/preferences.ts'
import { takeForms, takeMultipart } from '../../form-body.ts'
import { asRefusal } from '../../server.ts'
import { visitOf } from '../../visit.ts'
import { readForm } from '../shared/form.ts'
import { sendGone, takeReturn } from './gone.ts'
import { type Notice, preferencesBody, testBody, wordsOf } from './preferences-view.ts'
import { sendRecipientError, sendRecipientPage } from './recipient-page.ts'

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
        return sendRecipientPage(reply, { business, language, title, body })
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
      const holder = holderOf(deps.vault, request.params.token)
      if (isRefusal(holder)) return sendRecipientError(reply, request, holder)
      return show(request, reply, holder, await preferencesOf(deps, holder))
    })

    scope.post<ByToken>('/u/:token', async (request, reply) => {
      const holder = holderOf(deps.vault, request.params.token)
      if (isRefusal(holder)) return sendRecipientError(reply, request, holder)
      if (readForm(request).text('return') === 'yes') {
        const asked = await takeReturn(deps, request, reply, holder)
        return asked ?? show(request, reply, holder, await preferencesOf(deps, holder))
      }
      const asked = askedIn(request)
      if (isRefusal(asked)) return sendRecipientError(reply, request, asked)
      const changed = await change(deps, holder, request, asked)
      if (isRefusal(changed) && changed.code === 'rate_limited') {
        const now = await preferencesOf(deps, holder)
        return isRefusal(now)
          ? show(request, reply, holder, now)
          : showLimited(request, reply, changed, now)
      }
      return show(request, reply, holder, changed, asked.notice)
    })
  })
}

interface RequestedChange extends Pick<PreferenceChange, 'wish' | 'way'> {
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
      wish: ({ about }) => (about && !leavesAll ? withoutTopic(about.key) : withoutEmail),
      way,
      notice: leavesAll ? 'unsubscribed' : 'left',
    }
  }
  const shown = form.all('shown').filter(isChannel)
  if (shown.length === 0) {
    const text = 'Send List-Unsubscribe=One-Click to unsubscribe (RFC 8058), or use the page.'
    return refuse('invalid_request', text, { field: 'List-Unsubscribe' })
  }
  const ticked = form.all('channel')
  const channelsAsked = Object.fromEntries(shown.map((word) => [word, ticked.includes(word)]))
  const topics = topicsAsked(form.all('shown_topic'), new Set(form.all('topic')))
  const tracking =
    form.text('shown_tracking') === 'yes' ? form.text('tracking') === 'yes' : undefined
  return {
    wish: () => ({ channels: channelsAsked, topics, tracking }),
    way: 'preference page',
    notice: 'saved',
  }
}

const isChannel = (name: string): name is Channel => (channels as readonly string[]).includes(name)

const withoutEmail: Wish = { channels: { email: false }, topics: {} }
const withoutTopic = (key: string): Wish => ({
  channels: {},
  topics: { email: new Map([[key, false]]) },
})

/** Reads `email:news`, the form of the page's checkbox names. Others are ignored. */
function topicsAsked(shown: readonly string[], ticked: ReadonlySet<string>): Wish['topics'] {
  const asked: Record<Channel, Map<string, boolean>> = { email: new Map(), sms: new Map() }
  for (const name of shown) {
    const [channel = '', key = ''] = name.split(':', 2)
    if (isChannel(channel)) asked[channel].set(key, ticked.has(name))
  }
  return asked
}

function change(
  deps: PreferenceDeps,
  holder: Holder,
  request: TokenRequest,
  { wish, way }: RequestedChange,
): Promise<Preferences | Refusal> {
  return setPreferences(deps, holder, { wish, way, words: wordsOf, visit: visitOf(request) })
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
