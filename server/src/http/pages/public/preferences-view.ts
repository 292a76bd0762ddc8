/** The page on which a recipient unsubscribes or chooses what to get, in the recipient's language. */
import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import type { ConsentSubject } from '../../../contacts/contact.ts'
import { type RecipientLanguage, wordsIn } from '../../../core/recipient-words/languages.ts'
import type { RecipientWords } from '../../../core/recipient-words/words.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { Change, Choice, TrackingChoice } from '../../../subscriptions/choices.ts'
import type { Preferences } from '../../../subscriptions/preferences.ts'

type Words = RecipientWords['preferences']

/** The change just made. `left`: the person left the message's topic, or all mailings if it had none. */
export type Notice = 'unsubscribed' | 'left' | 'saved'

export function preferencesBody(
  { business, language, choices, about, tracking }: Preferences,
  action: string,
  { notice, tooMany = false }: { notice?: Notice | undefined; tooMany?: boolean } = {},
): Html {
  const words = wordsIn(language).preferences
  const email = choices.find(({ channel, subscribed }) => channel === 'email' && subscribed)
  const topic = email?.topics.find(({ key, wanted }) => key === about?.key && wanted)
  return html`<h1>${words.title(isolated(business))}</h1>
${notice && html`<p class="done" role="status">${noticeText(words, notice, about && email && about.name)}</p>`}
${tooMany && html`<p class="warning" role="alert">${words.tooManyText}</p>`}
${topic && unsubscribeForm(action, words.leaveTopic(isolated(topic.name)))}
${email && unsubscribeForm(action, about ? words.leaveAll : words.unsubscribe, about ? 'everything' : words.askUnsubscribe)}
<form method="post" action="${action}" class="card">
<fieldset>
<legend>${words.legend}</legend>
<ul class="scopes">${choices.map((choice) => line(choice, business, words))}</ul>
</fieldset>
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

function topicLines({ channel, topics }: Choice, label: string): Html {
  return html`<ul class="scopes nested" aria-label="${label}">${topics.map(
    ({ key, name, description, wanted }) =>
      html`<li><input type="hidden" name="shown_topic" value="${channel}:${key}">
<label><input type="checkbox" name="topic" value="${channel}:${key}"${wanted && html` checked`}>
<span><bdi>${name}</bdi>${description !== null && html` <span class="fine">${description}</span>`}</span></label></li>`,
  )}</ul>`
}

function sentence(words: Words, business: string, channel: ConsentSubject): string {
  if (channel === 'tracking') return words.trackingChoice(business)
  return channel === 'email' ? words.emailChoice(business) : words.smsChoice(business)
}

/** The text that a person agreed or objected to, for the consent ledger. */
export function wordsOf(
  { name }: SenderProfile,
  { channel, topic }: Change,
  language: RecipientLanguage,
): string {
  const words = wordsIn(language).preferences
  return topic ? words.topicChoice(topic.name, name) : sentence(words, name, channel)
}

export interface GonePage {
  /** Undefined where the business has been deleted as well. */
  business: string | undefined
  language: RecipientLanguage
  action: string
  /** The text in the field, and its error. */
  typed?: string
  fault?: string
}

/** The text that the person agrees to is above the field, exactly as the ledger stores it. */
export function goneBody({ business, language, action, typed, fault }: GonePage): Html {
  const words = wordsIn(language).preferences
  const name = business === undefined ? undefined : isolated(business)
  return html`<h1>${words.goneTitle}</h1>
<p>${words.goneText(name)}</p>
${
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
export function returnTextOf({ name }: SenderProfile, language: RecipientLanguage): string {
  return wordsIn(language).preferences.emailChoice(name)
}

export function returnAskedBody(language: RecipientLanguage): Html {
  const words = wordsIn(language)
  return html`<h1>${words.form.confirmTitle}</h1>
<p role="status">${words.preferences.returnAsked}</p>`
}

/** Isolates a name, so that its writing direction does not affect the sentence (Unicode UAX 9). */
function isolated(name: string): string {
  return `\u2068${name}\u2069`
}

/** The page of the link in a test message, which only members of the business get. */
export function testBody(): Html {
  return html`<h1>A link of a test</h1>
<p>In the campaign itself this link is each recipient's own: it opens the page where they unsubscribe or choose what they get. This one belongs to a test, so it changes nothing.</p>`
}
