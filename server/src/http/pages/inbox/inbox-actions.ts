/**
 * The actions of the built-in inbox on a message. They are processed exactly like the report of a
 * remote server, or the request of a person's mail program for an image.
 */
import type { FastifyInstance } from 'fastify'
import { ingestBounce } from '../../../bounces/ingest-bounce.ts'
import { bounceSample, complaintSample, type Sample } from '../../../bounces/sample-reports.ts'
import { refuse } from '../../../core/errors.ts'
import { formatId, type Id, parseId } from '../../../core/ids.ts'
import { findInboxMessage, type InboxMessage } from '../../../core/inbox/mail-queries.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { returnPath } from '../../../messages/model/return-path.ts'
import type { Visit } from '../../../tracking/visitor.ts'
import { visitOf } from '../../visit.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput } from '../shared/form.ts'
import type { PageParts } from '../shared/parts.ts'

const actions = ['bounce', 'complain', 'open', 'click'] as const
type InboxAction = (typeof actions)[number]

const labels: Record<InboxAction, string> = {
  bounce: 'Bounce it',
  complain: 'Complain about it',
  open: 'Open it',
  click: 'Click its first link',
}

const notices: Record<InboxAction, string> = {
  bounce: 'It bounced: its address gets nothing more from this business.',
  complain: 'Somebody complained: its address gets nothing more from this business.',
  open: 'It was opened.',
  click: 'Its first link was clicked; a click is told after a few seconds.',
}

/** Only a business's messages have actions; sign-in mail has no actions. */
export function actionForms(message: InboxMessage, formKey: string, done: unknown): Html | false {
  if (message.messageId === null) return false
  const id = formatId('mail', message.id)
  const notice = actions.find((action) => action === done)
  return html`${notice && html`<p class="done" role="status">${notices[notice]}</p>`}
${done === 'nothing' && html`<p class="note" role="status">This message has nothing that could count that.</p>`}
<div class="actions" role="group" aria-label="What happens to it">${actions.map(
    (action) =>
      html`<form method="post" action="/inbox/${id}/${action}">${keyInput(formKey)}<button class="quiet small">${labels[action]}</button></form>`,
  )}</div>`
}

type ByAction = { Params: { id: string; action: string } }

export function registerInboxActions(scope: FastifyInstance, parts: PageParts): void {
  scope.post<ByAction>('/inbox/:id/:action', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const id = parseId('mail', request.params.id)
    const action = actions.find((word) => word === request.params.action)
    const message = id && (await findInboxMessage(parts.db, id))
    const messageId = message?.messageId
    if (!action || !message || !messageId) {
      const text = 'There is no such message of a business here.'
      return sendErrorPage(reply, request, refuse('not_found', text))
    }
    const visit = { ...visitOf(request), method: 'GET' }
    const isDone = await act(parts, action, { message: { ...message, messageId }, visit })
    return reply.redirect(`/inbox/${request.params.id}?done=${isDone ? action : 'nothing'}`, 303)
  })
}

interface Doing {
  message: InboxMessage & { messageId: Id<'message'> }
  /** The person who uses the inbox acts as the recipient. */
  visit: Visit
}

/** Returns false if the message does not support the action. */
async function act(
  parts: PageParts,
  action: InboxAction,
  { message, visit }: Doing,
): Promise<boolean> {
  const { clicks, opens } = parts.feedback
  switch (action) {
    case 'bounce':
    case 'complain':
      await report(parts, action, message)
      return true
    case 'open': {
      const [token] = tokensIn(message, 'o')
      if (token !== undefined) await opens.keep(token, visit)
      return token !== undefined
    }
    case 'click': {
      const followed = await firstLink(parts, message)
      if (followed) await clicks.keep(followed, visit)
      return followed !== undefined
    }
  }
}

async function report(
  { vault, clock, feedback }: PageParts,
  action: 'bounce' | 'complain',
  { id, messageId, to }: Doing['message'],
): Promise<void> {
  const now = clock.now()
  const recipient = returnPath(vault, messageId, 'inbox.invalid')
  const sample: Sample = {
    to,
    returnPath: recipient,
    id: `${action}.${formatId('mail', id)}`,
    at: now,
  }
  const source = action === 'bounce' ? bounceSample(sample) : complaintSample(sample)
  await ingestBounce(feedback.reports, { recipient, source, now })
}

function tokensIn({ html: page, text }: InboxMessage, path: 'c' | 'o'): string[] {
  const found = (page ?? text).matchAll(new RegExp(`/${path}/([\\w-]+)`, 'g'))
  return [...found].map(([, token = '']) => token)
}

/** The first link that a person would see. */
async function firstLink({ feedback }: PageParts, message: InboxMessage) {
  for (const token of tokensIn(message, 'c')) {
    const followed = await feedback.clicks.find(token)
    if (followed && followed.url !== null) return followed
  }
  return undefined
}
