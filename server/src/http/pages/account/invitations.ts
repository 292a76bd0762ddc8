/** The page where a signed-in person accepts or declines invitations to their address. */
import type { FastifyInstance } from 'fastify'
import {
  acceptInvitation,
  declineInvitation,
  invitedTo,
} from '../../../accounts/members/invitations.ts'
import { roleWords } from '../../../accounts/members/role-words.ts'
import { ensureBusiness } from '../../../accounts/sign-in/sign-up.ts'
import { isRefusal, orRefusal, refuse } from '../../../core/errors.ts'
import { formatId, parseId } from '../../../core/ids.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { requireSession } from '../auth/login.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput, readForm } from '../shared/form.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { fullTime } from '../shared/words.ts'

const here = '/account/invitations'

type InvitationView = Awaited<ReturnType<typeof invitedTo>>[number]

export function registerInvitations(scope: FastifyInstance, parts: PageParts): void {
  scope.get(here, async (request, reply) => {
    const session = await requireSession(parts, request, reply, here)
    if (!session) return reply
    const invited = await invitedTo(parts.db, session.user.email, parts.clock.now())
    const formKey = parts.cookies.formKey(request, reply)
    return sendPage(reply, {
      title: 'Invitations',
      wide: true,
      nav: accountBar(parts, request, reply, session, here),
      body: html`<h1>Invitations</h1>
<p class="lead">Businesses that invited ${session.user.email} to become a member.</p>
${
  invited.length === 0
    ? html`<section class="empty"><h2>No invitations</h2>
<p>Invitations expire after seven days.</p></section>`
    : html`<ul class="rows">${invited.map((person) => row(person, formKey))}</ul>`
}`,
    })
  })

  scope.post<{ Params: { id: string } }>(`${here}/:id`, async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
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

function row(invited: InvitationView, formKey: string): Html {
  const { businessName, role, invitedBy, expiresAt } = invited
  const id = formatId('invitation', invited.id)
  const business = formatId('business', invited.businessId)
  return html`<li class="row">
<div class="row-main">
<h2><bdi>${businessName}</bdi> <span class="tag">as ${role}</span></h2>
<p>${invitedBy} invites you. You could ${roleWords[role]}.</p>
<p class="fine">Until ${fullTime(expiresAt)}</p>
</div>
<form method="post" action="${here}/${id}" class="actions">${keyInput(formKey)}
<input type="hidden" name="business_id" value="${business}">
<button name="answer" value="accept" aria-label="Accept the invitation to ${businessName}">Accept</button>
<button class="quiet" name="answer" value="decline" aria-label="Decline the invitation to ${businessName}">Decline</button></form>
</li>`
}
