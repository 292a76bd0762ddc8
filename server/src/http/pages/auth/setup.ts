/** The page of the setup link of the first start, which creates the first user. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { finishWithFirstUser, readSetupLink } from '../../../accounts/sign-in/setup.ts'
import { isRefusal, orRefusal } from '../../../core/errors.ts'
import { html } from '../../../lib/text/html.ts'
import { nextOf, sendErrorPage } from '../shared/error-page.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { faultOf } from './authorize.ts'
import { setupWords } from './connect-words.ts'
import { emailField } from './login.ts'
import { browserOf } from './sign-in-link.ts'
import { pageLanguageOf } from './sign-in-words.ts'

type SetupRequest = FastifyRequest<{ Params: { token: string } }>

export function registerSetup(scope: FastifyInstance, parts: PageParts): void {
  scope.get<{ Params: { token: string } }>('/setup/:token', async (request, reply) => {
    const link = await orRefusal(() =>
      readSetupLink(parts, request.params.token, parts.clock.now()),
    )
    if (isRefusal(link)) return sendErrorPage(reply, request, link, nextOf(link))
    return showSetup(parts, request, reply, {})
  })

  scope.post<{ Params: { token: string } }>('/setup/:token', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const form = readForm(request)
    const typed = {
      email: form.text('email'),
      businessName: form.text('business'),
      postalAddress: form.text('postal_address'),
      senderEmail: form.text('sender'),
    }
    const session = await orRefusal(() =>
      finishWithFirstUser(parts, {
        ...typed,
        token: request.params.token,
        tier: parts.config.defaultTier,
        deployLimit: parts.config.defaultDeployLimit,
        now: parts.clock.now(),
        browser: browserOf(request, parts.config),
      }),
    )
    if (isRefusal(session)) {
      const { field } = session.details
      if (field === undefined) return sendErrorPage(reply, request, session, nextOf(session))
      return showSetup(parts, request, reply, { ...typed, field, ...faultOf(session, reply) })
    }
    parts.cookies.signIn(reply, session)
    // The page Home lists what is left to do before the first campaign.
    return reply.redirect('/b', 303)
  })
}

interface SetupShown {
  email?: string
  businessName?: string
  postalAddress?: string
  senderEmail?: string
  field?: string
  fault?: string
  status?: number
}

function showSetup(
  parts: PageParts,
  request: SetupRequest,
  reply: FastifyReply,
  { email, businessName, postalAddress, senderEmail, field, fault, status }: SetupShown,
): FastifyReply {
  const nameFault = field === 'name' ? fault : undefined
  const addressFault = field === 'postal_address' ? fault : undefined
  const senderFault = field === 'sender' ? fault : undefined
  const language = pageLanguageOf(request)
  const words = setupWords(language)
  return sendPage(reply, {
    title: words.title,
    language,
    status: status ?? 200,
    body: html`<form method="post" action="${request.url}" class="card">
<h1>${words.heading}</h1>
<p>${words.lead}</p>
${keyInput(parts.cookies.formKey(request, reply))}
${emailField({ label: words.address, ...(email !== undefined && { email }), fault: field === 'email' ? fault : undefined })}
<div class="field">
<label for="business">${words.business}</label>
<input id="business" name="business" autocomplete="organization" required maxlength="100"
  value="${businessName ?? ''}"${nameFault !== undefined && html` aria-invalid="true" aria-describedby="name-fault"`}>
${nameFault !== undefined && html`<p id="name-fault" class="fault" role="alert">${nameFault}</p>`}
</div>
<p>${words.later}</p>
<div class="field">
<label for="postal_address">${words.postalAddress}</label>
<textarea id="postal_address" name="postal_address" rows="3" maxlength="1000" autocomplete="street-address"${addressFault !== undefined && html` aria-invalid="true"`} aria-describedby="${addressFault === undefined ? 'address-help' : 'address-fault address-help'}">${postalAddress ?? ''}</textarea>
${addressFault !== undefined && html`<p id="address-fault" class="fault" role="alert">${addressFault}</p>`}
<p class="fine" id="address-help">${words.postalAddressHelp}</p>
</div>
<div class="field">
<label for="sender">${words.sender}</label>
<input id="sender" name="sender" type="email" maxlength="254" autocomplete="off" value="${senderEmail ?? ''}"${senderFault !== undefined && html` aria-invalid="true"`} aria-describedby="${senderFault === undefined ? 'sender-help' : 'sender-fault sender-help'}">
${senderFault !== undefined && html`<p id="sender-fault" class="fault" role="alert">${senderFault}</p>`}
<p class="fine" id="sender-help">${words.senderHelp}</p>
</div>
<div class="actions"><button type="submit">${words.start}</button></div>
<p class="fine">${words.once}</p>
</form>`,
  })
}
