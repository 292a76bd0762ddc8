import { roles } from '../../../core/operation.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { keyInput } from '../shared/form.ts'

export interface MembersShown {
  business: { business_id: string; name: string; role: string }
  members: readonly { user_id: string; email: string; role: string; is_you: boolean }[]
  /** Undefined for members who are not owners. */
  invitations:
    | readonly { invitation_id: string; email: string; role: string; expires_at: string }[]
    | undefined
  formKey: string
  fault?: { message: string; email: string } | undefined
}

export function membersBody(shown: MembersShown): Html {
  const { business, members, invitations } = shown
  const owns = invitations !== undefined
  return html`<h1>Members of <bdi>${business.name}</bdi></h1>
${owns && inviteForm(shown)}
${
  invitations &&
  invitations.length > 0 &&
  html`<section><h2>Invited, not yet members</h2>
<ul class="rows">${invitations.map((invitation) => invitationRow(invitation, shown))}</ul></section>`
}
<section><h2>Members</h2>
<ul class="rows">${members.map((member) => memberRow(member, shown, owns))}</ul></section>`
}

const path = ({ business }: MembersShown) => `/account/businesses/${business.business_id}/members`

function roleSelect(id: string, chosen: string): Html {
  return html`<select id="${id}" name="role">${roles.map((role) => html`<option value="${role}"${role === chosen && html` selected`}>${role}</option>`)}</select>`
}

function inviteForm(shown: MembersShown): Html {
  const { formKey, fault } = shown
  return html`<form method="post" action="${path(shown)}" class="card">
<h2>Invite somebody</h2>
<p>They get a mail, and become a member once they accept. The invitation is valid for seven days.</p>
${keyInput(formKey)}
<div class="field"><label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="off" required maxlength="254" value="${fault?.email ?? ''}"${fault && html` aria-invalid="true" aria-describedby="email-fault"`}>
${fault && html`<p class="fault" role="alert" id="email-fault">${fault.message}</p>`}</div>
<div class="field"><label for="role">Role</label>
${roleSelect('role', 'viewer')}
<p class="fine">viewer reads; editor writes drafts; admin sends; owner does everything.</p></div>
<div class="actions"><button type="submit">Invite</button></div>
</form>`
}

function invitationRow(
  one: NonNullable<MembersShown['invitations']>[number],
  shown: MembersShown,
): Html {
  return html`<li class="row">
<div class="row-main"><h3>${one.email} <span class="tag">as ${one.role}</span></h3>
<p class="fine">Until ${one.expires_at.slice(0, 10)}</p></div>
<form method="post" action="${path(shown)}/withdraw">${keyInput(shown.formKey)}<input type="hidden" name="id" value="${one.invitation_id}"><button class="quiet" aria-label="Withdraw the invitation of ${one.email}">Withdraw</button></form>
</li>`
}

function memberRow(one: MembersShown['members'][number], shown: MembersShown, owns: boolean): Html {
  const { formKey } = shown
  const select = `role-${one.user_id}`
  return html`<li class="row">
<div class="row-main"><h3>${one.email} <span class="tag">${one.role}</span>${one.is_you && html` <span class="tag">you</span>`}</h3>
${
  owns &&
  html`<details class="confirm"><summary class="button quiet"><span class="closed">Change</span><span class="opened">Cancel</span></summary>
<form method="post" action="${path(shown)}" class="card">${keyInput(formKey)}
<input type="hidden" name="email" value="${one.email}">
<div class="field"><label for="${select}">Role of ${one.email}</label>${roleSelect(select, one.role)}</div>
<button type="submit">Save</button></form>
${
  !one.is_you &&
  html`<form method="post" action="${path(shown)}/remove">${keyInput(formKey)}<input type="hidden" name="id" value="${one.user_id}">
<p class="fine">API keys that they made end with it; the owners get a mail that names them.</p><button class="quiet">Remove ${one.email}</button></form>`
}</details>`
}
${
  one.is_you &&
  html`<details class="confirm"><summary class="button quiet"><span class="closed">Leave this business</span><span class="opened">Cancel</span></summary>
<form method="post" action="${path(shown)}/leave" class="card">${keyInput(formKey)}
<p>You can no longer reach it afterwards, and neither can the apps you connected. API keys that you made end; the owners get a mail.</p>
<button type="submit">Leave</button></form></details>`
}</div>
</li>`
}
