/** The service's own answers to texts: the confirmation of STOP and START, and help. */

import { type Id, newId } from '../core/ids.ts'
import { emitAll } from '../events/emit.ts'
import type { Tx } from '../lib/db/types.ts'
import { sentEvent } from './message-events.ts'
import { queueMessages } from './queue.ts'
import { insertMessages } from './save.ts'

export interface Reply {
  businessId: Id<'business'>
  /** The recipient's number (E.164). */
  to: string
  body: string
  contactId?: Id<'contact'>
}

/**
 * Queues the answer ahead of everything else and regardless of suppressions: a person who has just
 * sent STOP gets one confirmation. Answers are obligatory, so they do not count against the tier.
 */
export async function queueReply(tx: Tx, reply: Reply, now: Date): Promise<Id<'message'>> {
  const { businessId, to, body, contactId = null } = reply
  const id = newId('message')
  const common = { businessId, id, channel: 'sms', kind: 'transactional', isReply: true } as const
  const row = {
    ...common,
    topic: null,
    segments: null,
    contactId,
    recipient: to,
    mark: null,
    templateId: null,
    templateVersionId: null,
    shownBlocks: null,
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
    labels: null,
    fields: null,
    language: null,
    copyOf: null,
  } as const
  await insertMessages(tx, [row], now)
  await queueMessages(tx, [{ ...common, dueAt: now }], now)
  await emitAll(tx, [sentEvent({ ...common, contactId, campaignId: null, to }, undefined)], now)
  return id
}
