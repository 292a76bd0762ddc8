/** The page on which a recipient unsubscribes or chooses what to get, in the recipient's language. */
import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import type { Channel } from '../../../contacts/model/contact.ts'
import { type RecipientLanguage, wordsIn } from '../../../core/recipient-words/languages.ts'
import type { RecipientWords } from '../../../core/recipient-words/words.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { Choice, Preferences } from '../../../subscriptions/preferences.ts'

type Words = RecipientWords['preferences']

/** What was just done. */
export type Notice = 'unsubscribed' | 'saved'

export function preferencesBody(
  { business, language, choices }: Preferences,
  action: string,
  { notice, tooMany = false }: { notice?: Notice | undefined; tooMany?: boolean } = {},
): Html {
  const words = wordsIn(language).preferences
  const hasEmail = choices.some(({ channel, subscribed }) => channel === 'email' && subscribed)
  return html`<h1>${words.title(isolated(business))}</h1>
${notice && html`<p class="done" role="status">${words[notice]}</p>`}
${tooMany && html`<p class="warning" role="alert">${words.tooManyText}</p>`}
${hasEmail && unsubscribeForm(action, words)}
<form method="post" action="${action}" class="card">
<fieldset>
<legend>${words.legend}</legend>
<ul class="scopes">${choices.map((choice) => line(choice, business, words))}</ul>
</fieldset>
<div class="actions"><button class="quiet">${words.save}</button></div>
<p class="fine">${words.stillSent}</p>
</form>`
}

/** The same that a mail program posts; `page` tells them apart in the ledger of consent. */
function unsubscribeForm(action: string, words: Words): Html {
  return html`<form method="post" action="${action}" class="card">
<p>${words.askUnsubscribe}</p>
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<input type="hidden" name="page" value="yes">
<div class="actions"><button>${words.unsubscribe}</button></div>
</form>`
}

function line({ channel, hint, subscribed }: Choice, business: string, words: Words): Html {
  const to = channel === 'email' ? words.emailTo(hint) : words.smsTo(hint)
  return html`<li><input type="hidden" name="shown" value="${channel}">
<label><input type="checkbox" name="channel" value="${channel}"${subscribed && html` checked`}>
<span>${sentence(words, business, channel)} <span class="fine">${to}</span></span></label></li>`
}

function sentence(words: Words, business: string, channel: Channel): string {
  return channel === 'email' ? words.emailChoice(business) : words.smsChoice(business)
}

/** The words that a person said yes or no to, for the ledger of consent. */
export function wordsOf(
  { name }: SenderProfile,
  channel: Channel,
  language: RecipientLanguage,
): string {
  return sentence(wordsIn(language).preferences, name, channel)
}

export function goneBody(business: string | undefined, language: RecipientLanguage): Html {
  const words = wordsIn(language).preferences
  return html`<h1>${words.goneTitle}</h1>
<p>${words.goneText(business === undefined ? undefined : isolated(business))}</p>`
}

/** A name whose direction of writing does not reach the sentence around it (Unicode UAX 9). */
function isolated(name: string): string {
  return `\u2068${name}\u2069`
}

/** Where the link of a campaign's test leads; the business's own members read it. */
export function testBody(): Html {
  return html`<h1>A link of a test</h1>
<p>In the campaign itself this link is each recipient's own: it opens the page where they unsubscribe or choose what they get. This one belongs to a test, so it changes nothing.</p>`
}
