/** The page where a signed-in person accepts or declines invitations to their address. */
import type { FastifyInstance } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
import {
  acceptInvitation,
  declineInvitation,
  invitedTo,
} from '../../../accounts/members/invitations.ts'
import { ensureBusiness } from '../../../accounts/sign-in/sign-up.ts'
import { isRefusal, orRefusal, refuse } from '../../../core/errors.ts'
import { formatId, parseId } from '../../../core/ids.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { sendFault } from '../auth/fault-page.ts'
import { requireSession } from '../auth/login.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import type { InvitationPageWords } from './invitation-page-words.ts'

const here = '/account/invitations'

type InvitationView = Awaited<ReturnType<typeof invitedTo>>[number]

export function registerInvitations(scope: FastifyInstance, parts: PageParts): void {
  scope.get(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const invited = await invitedTo(parts.db, session.user.email, parts.clock.now())
    const formKey = parts.cookies.formKey(request, reply)
    const language = pageLanguageOf(request)
    const { invitationPageWords } = await import('./invitation-page-words.ts')
    const { roleSentence } = await import('../../../accounts/members/invitation-words.ts')
    const words = invitationPageWords(language)
    const rows = invited.map((invitation) =>
      row(invitation, { formKey, words, language, may: roleSentence(language, invitation.role) }),
    )
    return sendPage(reply, {
      title: words.title,
      language,
      wide: true,
      nav: accountBar(parts, request, reply, session, here),
      body: html`<h1>${words.title}</h1>
<p class="lead">${words.lead(session.user.email)}</p>
${
  invited.length === 0
    ? html`<section class="empty"><h2>${words.none}</h2>
<p>${words.noneText}</p></section>`
    : html`<ul class="rows">${rows}</ul>`
}`,
    })
  })

  scope.post<{ Params: { id: string } }>(`${here}/:id`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendFault(reply, request, foreign)
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const form = readForm(request)
    const id = parseId('invitation', request.params.id)
    const businessId = parseId('business', form.text('business_id'))
    const yes = form.text('answer') === 'accept'
    if (!id || !businessId || (!yes && form.text('answer') !== 'decline')) {
      return sendErrorPage(reply, request, refuse('not_found', 'There is no such invitation.'))
    }
    const now = parts.clock.now()
    const answer = { businessId, id, user: session.user, now, requestId: request.id }
    if (yes) {
      const done = await orRefusal(() => acceptInvitation(parts.db, answer))
      if (isRefusal(done)) return sendErrorPage(reply, request, done)
      return reply.redirect(`/b/${formatId('business', businessId)}`, 303)
    }
    const done = await orRefusal(() =>
      declineInvitation(parts.db, answer, (tx) =>
        ensureBusiness(tx, parts.config, session.user, now),
      ),
    )
    if (isRefusal(done)) return sendErrorPage(reply, request, done)
    // A person who has just got their first business names it next.
    const own = done.unnamed && `/b/${formatId('business', done.unnamed)}/settings`
    return reply.redirect(own ?? here, 303)
  })
}

interface RowShown {
  formKey: string
  words: InvitationPageWords
  language: MailLanguage
  /** What the person could do. */
  may: string
}

function row(invited: InvitationView, { formKey, words, language, may }: RowShown): Html {
  const { businessName, role, invitedBy, expiresAt } = invited
  const moment = expiresAt.toLocaleString(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  const id = formatId('invitation', invited.id)
  const business = formatId('business', invited.businessId)
  return html`<li class="row">
<div class="row-main">
<h2><bdi>${businessName}</bdi> <span class="tag">${words.role[role]}</span></h2>
<p>${words.invites(invitedBy)} ${may}</p>
<p class="fine">${words.until(moment)}</p>
</div>
<form method="post" action="${here}/${id}" class="actions">${keyInput(formKey)}
<input type="hidden" name="business_id" value="${business}">
<button name="answer" value="accept" aria-label="${words.acceptLabel(businessName)}">${words.accept}</button>
<button class="quiet" name="answer" value="decline" aria-label="${words.declineLabel(businessName)}">${words.decline}</button></form>
</li>`
}
