/**
 * The built-in phones: the texts that each received, as its owner would see them, and a field for a
 * reply. Replies and receipts are processed like those of a provider.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import { isRefusal, type Refusal, refuse } from '../../../core/errors.ts'
import { formatId, parseId } from '../../../core/ids.ts'
import {
  findText,
  listPhones,
  listTexts,
  type PhoneText,
} from '../../../core/inbox/phone-queries.ts'
import { inboxNumber, receiveTypedText, reportDelivery } from '../../../core/inbox/phones.ts'
import { normalisePhone } from '../../../lib/phone/phone-number.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { mayView, phonesAreServed } from '../shared/inbox-rule.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { ago, fullTime } from '../shared/words.ts'
import { inboxWords } from './inbox-words.ts'

const shownPhones = 100
const shownTexts = 200
const longestTyped = 1_600

type ByNumber = { Params: { number: string } }
type ByAction = { Params: { number: string; id: string; action: string } }

export function registerPhones(scope: FastifyInstance, parts: PageParts): void {
  if (!phonesAreServed(parts.config)) return
  const { db, clock, texting: listener } = parts
  scope.addHook('onRequest', async (request, reply) => {
    if (mayView(parts.config, request)) return undefined
    const text =
      'The phones are shown only under the name of this server, and not through a tunnel.'
    return sendErrorPage(reply, request, refuse('not_found', text))
  })

  scope.get('/phones', async (request, reply) => {
    const { phone } = request.query as Record<string, unknown>
    if (typeof phone !== 'string' || phone === '') {
      const phones = await listPhones(db, shownPhones)
      const language = pageLanguageOf(request)
      const body = phonesBody({ phones, now: clock.now(), language })
      return show(request, reply, inboxWords(language).phones.title, body)
    }
    const number = normalisePhone(phone)
    if (isRefusal(number)) return sendErrorPage(reply, request, number)
    return reply.redirect(pathOf(number), 303)
  })

  scope.get('/phones/texts', async (request, reply) => {
    const { phone } = request.query as Record<string, unknown>
    const typed = typeof phone === 'string' && phone !== '' ? normalisePhone(phone) : null
    const texts = await listTexts(db, isRefusal(typed) ? String(phone) : typed, shownTexts)
    reply.header('cache-control', 'no-store')
    return { texts: texts.map(listed) }
  })

  scope.get<ByNumber>('/phones/:number', async (request, reply) => {
    const phone = numberOf(request)
    if (isRefusal(phone)) return sendErrorPage(reply, request, phone)
    const newestFirst = await listTexts(db, phone, shownTexts)
    const body = conversationBody({
      phone,
      path: pathOf(phone),
      texts: newestFirst.toReversed(),
      formKey: parts.cookies.formKey(request, reply),
      now: clock.now(),
      language: pageLanguageOf(request),
    })
    return show(request, reply, phone, body)
  })

  scope.post<ByNumber>('/phones/:number', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const phone = numberOf(request)
    if (isRefusal(phone)) return sendErrorPage(reply, request, phone)
    const form = readForm(request)
    const [other, body] = [form.text('to'), form.text('body').trim().slice(0, longestTyped)]
    if (other !== '' && body !== '')
      await receiveTypedText({ db, clock, listener }, { phone, other, body })
    return reply.redirect(`${pathOf(phone)}#newest`, 303)
  })

  scope.post<ByAction>('/phones/:number/:id/:action', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const { id: textId, action } = request.params
    const id = parseId('text', textId)
    const text = id && (await findText(db, id))
    if (!text?.messageId || (action !== 'delivered' && action !== 'failed')) {
      return sendErrorPage(
        reply,
        request,
        refuse('not_found', 'There is no such text message here.'),
      )
    }
    await reportDelivery({ db, clock, listener }, text, action)
    return reply.redirect(`${pathOf(text.phone)}#${textId}`, 303)
  })

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    title: string,
    body: ReturnType<typeof html>,
  ) => {
    const session = await parts.cookies.session(request, reply)
    const nav = accountBar(parts, request, reply, session, '/phones')
    const language = pageLanguageOf(request)
    const [name, about, end] = inboxWords(language).phones.banner
    const banner = html`<b>${name}</b> ${about}<code>SMS_URL</code>${end}`
    return sendPage(reply, { title, body, nav, banner, language, wide: true })
  }
}

const pathOf = (phone: string) => `/phones/${phone.slice(1)}`

function numberOf(request: FastifyRequest<ByNumber>): string | Refusal {
  const number = normalisePhone(`+${request.params.number}`)
  return isRefusal(number) ? refuse('not_found', 'There is no such phone here.') : number
}

function listed(text: PhoneText) {
  const { id, messageId, createdAt, isSentByPhone, ...rest } = text
  return {
    id: formatId('text', id),
    message_id: messageId && formatId('message', messageId),
    sent_by_phone: isSentByPhone,
    ...rest,
    created_at: createdAt.toISOString(),
  }
}

interface PhoneList {
  phones: readonly PhoneText[]
  now: Date
  language: MailLanguage
}

function phonesBody({ phones, now, language }: PhoneList): Html {
  const words = inboxWords(language).phones
  return html`<h1>${words.title}</h1>
<form method="get" action="/phones" class="filter" role="search">
<label for="phone">${words.phone}</label>
<input id="phone" name="phone" type="tel" placeholder="+33 6 12 34 56 78" required>
<button class="quiet">${words.open}</button>
</form>
${
  phones.length === 0
    ? html`<section class="empty"><h2>${words.none}</h2>
<p>${words.soon}</p></section>`
    : html`<ul class="rows mails">${phones.map((text) => line(text, now, language))}</ul>`
}`
}

function line(
  { phone, body, isSentByPhone, createdAt }: PhoneText,
  now: Date,
  language: MailLanguage,
): Html {
  return html`<li>
<a href="/phones/${phone.slice(1)}">${phone}</a>
<span class="fine clipped">${isSentByPhone && inboxWords(language).phones.typed}${body}</span>
<time class="fine" datetime="${createdAt.toISOString()}" title="${fullTime(createdAt, language)}">${ago(createdAt, now, language)}</time>
</li>`
}

interface Conversation {
  phone: string
  path: string
  /** Oldest first. */
  texts: readonly PhoneText[]
  formKey: string
  now: Date
  language: MailLanguage
}

/** The replies that have a button: keywords that are understood in every country we know of. */
const quickWords = ['STOP', 'START', 'HELP']

function conversationBody({ phone, path, texts, formKey, now, language }: Conversation): Html {
  const words = inboxWords(language).phones
  const others = [...new Set(texts.map(({ other }) => other).toReversed())]
  const answered = others.length > 0 ? others : [inboxNumber]
  return html`<p><a href="/phones">← ${words.title}</a></p>
<h1>${phone}</h1>
<section class="phone" aria-label="${words.texts(phone)}">
${texts.length === 0 && html`<p class="fine">${words.noTexts}</p>`}
<ol class="texts">${texts.map((text) => bubble(text, { path, formKey, now, language }))}</ol>
<form id="newest" method="post" action="${path}" class="answer">
${keyInput(formKey)}
<div class="field"><label for="to">${words.to}</label>
<select id="to" name="to">${answered.map((entry) => html`<option>${entry}</option>`)}</select></div>
<div class="field"><label for="body">${words.text}</label>
<input id="body" name="body" autocomplete="off" maxlength="1600" required></div>
<button>${words.send}</button>
</form>
<div class="actions" role="group" aria-label="${words.answer(answered[0] ?? '')}">${quickWords.map(
    (word) => html`<form method="post" action="${path}">${keyInput(formKey)}
<input type="hidden" name="to" value="${answered[0] ?? ''}"><button class="quiet small" name="body" value="${word}">${word}</button></form>`,
  )}</div>
</section>`
}

interface PhonePage {
  path: string
  formKey: string
  now: Date
  language: MailLanguage
}

function bubble(text: PhoneText, { path, formKey, now, language }: PhonePage): Html {
  const words = inboxWords(language).phones
  const { isSentByPhone, other, body, segments, createdAt, messageId, state } = text
  const id = formatId('text', text.id)
  const action = (name: string, label: string) =>
    html`<form method="post" action="${path}/${id}/${name}">${keyInput(formKey)}<button class="quiet small">${label}</button></form>`
  return html`<li id="${id}" class="${isSentByPhone ? 'text typed' : 'text'}">
<p class="fine">${isSentByPhone ? html`${words.sentTo}${other}` : html`<b>${other}</b>`} · <time datetime="${createdAt.toISOString()}" title="${fullTime(createdAt, language)}">${ago(createdAt, now, language)}</time></p>
<p class="said">${body}</p>
<p class="fine">${words.segments(segments)}${messageId !== null && html` · ${words.states[state]}`}</p>
${
  messageId !== null &&
  state === 'taken' &&
  html`<div class="actions" role="group" aria-label="${words.what}">${action('delivered', words.deliver)}${action('failed', words.fail)}</div>`
}
</li>`
}
