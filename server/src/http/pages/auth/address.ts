/** The page of a link that confirms the change of an address, or undoes it. A GET changes nothing. */
import type { FastifyInstance } from 'fastify'
import { addressPageWords } from '../../../accounts/addresses/address-words.ts'
import { followAddressLink, readAddressLink } from '../../../accounts/addresses/change.ts'
import { isRefusal, orRefusal } from '../../../core/errors.ts'
import { html } from '../../../lib/text/html.ts'
import { keyInput } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { sendFault } from './fault-page.ts'
import { pageLanguageOf } from './sign-in-words.ts'

interface ByToken {
  Params: { token: string }
}

export function registerAddress(scope: FastifyInstance, parts: PageParts): void {
  const { db, vault, clock } = parts
  scope.get<ByToken>('/address/:token', async (request, reply) => {
    const { token } = request.params
    const link = await orRefusal(() => readAddressLink(db, vault, { token, now: clock.now() }))
    if (isRefusal(link)) return sendFault(reply, request, link)
    const { change, act } = link
    const language = pageLanguageOf(request)
    const words = addressPageWords(language)
    return sendPage(reply, {
      title: words.title,
      language,
      body: html`<form method="post" action="/address/${token}" class="card">
<h1>${words.title}</h1>
<p>${words.text[act]}</p>
<dl><dt>${words.from}</dt><dd><bdi>${change.oldEmail}</bdi></dd>
<dt>${words.to}</dt><dd><bdi>${change.newEmail}</bdi></dd></dl>
${keyInput(parts.cookies.formKey(request, reply))}
<div class="actions"><button type="submit">${words.button[act]}</button></div>
</form>`,
    })
  })

  scope.post<ByToken>('/address/:token', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendFault(reply, request, foreign)
    const { token } = request.params
    const outcome = await orRefusal(() => followAddressLink(parts, { token, now: clock.now() }))
    if (isRefusal(outcome)) return sendFault(reply, request, outcome)
    const language = pageLanguageOf(request)
    const words = addressPageWords(language)
    return sendPage(reply, {
      title: words.title,
      language,
      body: html`<div class="card">
<h1>${words.title}</h1>
<p class="done" role="status">${words.done[outcome]}</p>
<p><a class="button" href="/b">${words.goOn}</a></p>
</div>`,
    })
  })
}
