/** What the service itself answers to a text: that STOP was heard, and how to get help. */

import { type Id, newId } from '../../core/ids.ts'
import { emitAll } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { queueMessages } from '../model/queue.ts'
import { sentEvent } from '../timeline/announce.ts'
import { insertMessages } from './save-queries.ts'

export interface Reply {
  businessId: Id<'business'>
  /** E.164. */
  to: string
  body: string
  contactId?: Id<'contact'>
}

/**
 * Queues it before everything else and past the suppressions: whoever has just said STOP is
 * told once that it was heard. It is owed, so that it takes nothing of the tier.
 */
export async function queueReply(tx: Tx, reply: Reply, now: Date): Promise<Id<'message'>> {
  const { businessId, to, body, contactId = null } = reply
  const id = newId('message')
  const common = { businessId, id, channel: 'sms', kind: 'transactional', isReply: true } as const
  const row = {
    ...common,
    segments: null,
    contactId,
    recipient: to,
    mark: null,
    templateId: null,
    templateVersionId: null,
    state: 'queued',
    dueAt: now,
    queuedAt: now,
    connectionId: null,
    callId: null,
    subject: null,
    html: null,
    text: body,
    variables: null,
    attachments: null,
    trackOpens: false,
    trackClicks: false,
  } as const
  await insertMessages(tx, [row], now)
  await queueMessages(tx, [{ ...common, dueAt: now }], now)
  await emitAll(tx, [sentEvent({ ...common, contactId, campaignId: null, to }, undefined)], now)
  return id
}
