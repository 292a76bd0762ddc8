/**
 * What a test key may call, and where it acts: in the twin of its business, or, where it only looks
 * at what test mode reads from the live business, there. Everything else is refused, so an operation
 * that nobody decided about reaches neither.
 */

import { refuse } from '../core/errors.ts'
import { liveOf } from '../core/ids.ts'
import type { Operation, Reach } from '../core/operation.ts'

const inTwin = new Set([
  'contact.upsert',
  'contact.get',
  'contact.get_by_email',
  'contact.get_by_external_id',
  'contact.list',
  'contact.tag',
  'contact.track',
  'contact.fields',
  'contact.merge',
  'contact.suppress',
  'contact.erase',
  'suppression.list',
  'segment.save',
  'segment.list',
  'segment.get',
  'segment.explain',
  'segment.delete',
  'form.save',
  'form.list',
  'form.get',
  'form.submit',
  'form.held',
  'form.release',
  'form.discard',
  'submission.list',
  'campaign.generate',
  'campaign.save',
  'campaign.list',
  'campaign.get',
  'campaign.preview',
  'campaign.deploy',
  'campaign.pause',
  'campaign.resume',
  'campaign.unschedule',
  'campaign.cancel',
  'campaign.copy',
  'campaign.why',
  'campaign.progress',
  'report.campaign',
  'email.send',
  'email.send_batch',
  'sms.send',
  'sms.send_batch',
  'message.list',
  'message.get',
  'message.cancel',
  'message.reschedule',
  'inbox.list',
  'inbox.get',
  'webhook.save',
  'webhook.list',
  'webhook.get',
  'webhook.delete',
  'webhook.rotate',
  'webhook.test',
  'webhook.failed',
  'webhook.deliveries',
  'webhook.replay',
  'webhook.retry',
  'meta.changes',
  'meta.usage',
])

/** Reads of what test mode takes from the live business. */
const ofLive = new Set([
  'business.get',
  'brand.get',
  'topic.list',
  'template.list',
  'template.get',
  'template.gallery',
  'form.gallery',
  'template.convert',
  'template.preview',
  'template.versions',
  'domain.status',
])

/** What tells a key of itself and of the service. */
const ofKey = new Set(['business.list', 'meta.capabilities', 'meta.find', 'meta.me'])

/** The names of all operations that a test key may call. */
export const namesInTestMode: readonly string[] = [...inTwin, ...ofLive, ...ofKey]

export function checkInTestMode({ name }: Operation): void {
  if (namesInTestMode.includes(name)) return
  throw refuse(
    'role_required',
    `${name} is not part of test mode, and this is a test key. Call it with a live key.`,
    { data: { test: true }, fix: { tool: 'meta.capabilities', arguments: {} } },
  )
}

/** Where a test key's call acts. */
export function reachInTestMode({ name }: Operation, twin: Reach): Reach {
  return ofLive.has(name) ? { ...twin, id: liveOf(twin.id) } : twin
}
