/** The page that another browser shows for a link: everything that its button would do. */
import type { Membership } from '../../../accounts/businesses/business.ts'
import type { MagicLink } from '../../../accounts/sign-in/magic-link.ts'
import { type Scope, scopes } from '../../../core/operation.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { keyInput } from '../shared/form.ts'
import { scopeWords } from '../shared/words.ts'
import { connectRequestOf } from './connect-request.ts'
import { appHeading, businessList, mark } from './consent-view.ts'
import type { SignInWords } from './sign-in-english.ts'

export interface LinkShown {
  link: MagicLink
  action: string
  formKey: string
  /** Undefined for a new user. */
  businesses: readonly Membership[] | undefined
  /** What the person granted to this app before, which it keeps. */
  kept: readonly Scope[]
  fault?: string | undefined
  words: SignInWords
}

const newcomer = html`<p>You are new here: you get a business of your own, and it will see that one.</p>`

export function linkBody(shown: LinkShown): Html {
  const { link, fault, words } = shown
  const asksCode = link.shortCodeHash !== null
  return html`<form method="post" action="${shown.action}" class="card">
${link.purpose === 'connect' ? connectWords(shown) : signingIn(link, words)}
${keyInput(shown.formKey)}
${asksCode ? codeField(fault) : fault !== undefined && html`<p class="fault" role="alert">${fault}</p>`}
<div class="actions"><button type="submit">${link.purpose === 'connect' ? 'Connect' : words.title}</button></div>
<p class="fine">${words.notYou}</p>
</form>`
}

function connectWords({ link, businesses, kept }: LinkShown): Html {
  const { authorization, scopes: ticked, transactionalPerDay } = connectRequestOf(link)
  const granted = scopes.filter(
    (scope) =>
      scope === 'meta:read' ||
      (authorization.scopes.includes(scope) ? ticked : kept).includes(scope),
  )
  return html`${appHeading(authorization)}
<p class="fine">You are about to agree as <b>${link.email}</b>, in another browser than the one that asked.</p>
<section class="tight">
<h2>It will be able to</h2>
<ul class="scopes">${granted.map((word) => {
    const { text, careful } = scopeWords[word]
    return html`<li class="fixed"><span class="tick" aria-hidden="true">✓</span> <span>${careful && mark()}${text}${careful && html`<span class="careful">: ${careful}</span>`}</span></li>`
  })}</ul>
${granted.includes('messaging:send') && transactionalPerDay !== undefined && html`<p class="fine">Transactional messages to at most ${String(transactionalPerDay)} people in 24 hours, in each business.</p>`}
</section>
<div class="reach">${businesses ? businessList(businesses) : newcomer}</div>`
}

function signingIn({ email }: MagicLink, words: SignInWords): Html {
  const [before, after] = words.elsewhereText
  return html`<h1>${words.elsewhereTitle}</h1>
<p>${before}<b>${email}</b>${after}</p>`
}

function codeField(fault: string | undefined): Html {
  return html`<div class="field">
<label for="code">Code from the first tab</label>
<p id="code-help" class="fine">The tab that says “Check your mail” shows six digits. If you have no such tab, stop: somebody else asked for this.</p>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="9" class="digits-input"
  aria-describedby="${fault === undefined ? 'code-help' : 'fault code-help'}"${fault !== undefined && html` aria-invalid="true"`}>
${fault !== undefined && html`<p id="fault" class="fault" role="alert">${fault}</p>`}
</div>`
}
