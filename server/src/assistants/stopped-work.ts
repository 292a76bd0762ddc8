/**
 * What a stop pauses and a resume continues: the campaigns and automations of a business, or those
 * that one connection ordered; and who may stop and resume.
 */
import type { Stop } from '../accounts/stops/stops.ts'
import { pauseCampaign, resumeCampaign } from '../campaigns/sending/transitions.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type Origin, type Principal, type Reach, roles } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { resumeFeeds } from '../feeds/resume.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { wakeAt } from '../sequences/enter.ts'

export const workFields = {
  campaigns: Type.Integer({ description: 'Campaigns that were paused or resumed.' }),
  automations: Type.Integer({ description: 'Automations that were paused or resumed.' }),
}

export function mayStop({ role }: Pick<Reach, 'role'>): boolean {
  return roles.indexOf(role) >= roles.indexOf('approver')
}

/** Whoever pressed the button may undo it; otherwise an admin or owner does. */
export function mayEnd(
  { stoppedBy }: Pick<Stop, 'stoppedBy'>,
  { principal, business }: { principal: Principal; business: Pick<Reach, 'role'> },
): boolean {
  return stoppedBy === principal.userId || roles.indexOf(business.role) >= roles.indexOf('admin')
}

export function onlyAdmins() {
  const text = 'Another member stopped it, so an admin or owner resumes it.'
  return refuse('role_required', text, { data: { role: 'admin' } })
}

interface Work {
  businessId: Id<'business'>
  /** Set for what one connection ordered; otherwise all. */
  connectionId?: Id<'connection'>
  /** Undefined for the operator. */
  origin?: Origin | undefined
  now: Date
}

export type Done = { campaigns: number; automations: number }

/** Pauses what runs. Once it commits, nothing more of it is sent. */
export async function pauseWork(
  tx: Tx,
  { businessId, connectionId, origin, now }: Work,
): Promise<Done> {
  const ordered = connectionId ?? null
  const campaigns = await tx.all<{ id: Id<'campaign'> }>(sql`
    select id from campaigns
    where business_id = ${businessId} and state = 'deployed'
      and (${ordered}::uuid is null or connection_id = ${ordered})
    order by id for no key update
  `)
  for (const { id } of campaigns)
    await pauseCampaign(tx, { businessId, id, origin }, 'stopped', now)
  const automations = await tx.run(sql`
    update sequences s set status = 'paused', pause_reason = 'stopped', updated_at = ${now}
    where business_id = ${businessId} and status = 'running' and (${ordered}::uuid is null or exists (
      select from sequence_versions v
      where v.business_id = s.business_id and v.sequence_id = s.id
        and v.version = s.running_version and v.connection_id = ${ordered}
    ))
  `)
  const feeds = await tx.run(sql`
    update feeds set status = 'paused', pause_reason = 'stopped', due_at = null, updated_at = ${now}
    where business_id = ${businessId} and status = 'running'
      and (${ordered}::uuid is null or (started ->> 'connectionId')::uuid = ${ordered})
  `)
  return { campaigns: campaigns.length, automations: automations + feeds }
}

/** Resumes what a stop paused, unless another stop still holds it. */
export async function resumeWork(
  tx: Tx,
  { businessId, connectionId, origin, now }: Work,
): Promise<Done> {
  const ordered = connectionId ?? null
  const campaigns = await tx.all<{ id: Id<'campaign'> }>(sql`
    select id from campaigns c
    where business_id = ${businessId} and state = 'paused' and pause_reason = 'stopped'
      and (${ordered}::uuid is null or connection_id = ${ordered})
      and not exists (
        select from sending_stops s
        where s.business_id = ${businessId} and s.stopped_id in (${businessId}, c.connection_id)
      )
    order by id for no key update
  `)
  for (const { id } of campaigns) await resumeCampaign(tx, { businessId, id, origin }, now)
  const automations = await tx.all<{ id: Id<'sequence'> }>(sql`
    update sequences q set status = 'running', pause_reason = null, updated_at = ${now}
    from sequence_versions v
    where q.business_id = ${businessId} and q.status = 'paused' and q.pause_reason = 'stopped'
      and v.business_id = q.business_id and v.sequence_id = q.id and v.version = q.running_version
      and (${ordered}::uuid is null or v.connection_id = ${ordered})
      and not exists (
        select from sending_stops s
        where s.business_id = ${businessId} and s.stopped_id in (${businessId}, v.connection_id)
      )
    returning q.id
  `)
  for (const { id } of automations) {
    await wakeAt(tx, { businessId, sequenceId: id }, { at: now, now })
  }
  const feeds = await resumeFeeds(tx, { businessId, connectionId: ordered, now })
  return { campaigns: campaigns.length, automations: automations.length + feeds }
}

export function auditStop(
  tx: Tx,
  { businessId, connectionId, origin, now }: Work,
  action: string,
  details: Record<string, boolean | number>,
): Promise<void> {
  const subject = connectionId
    ? formatId('connection', connectionId)
    : formatId('business', businessId)
  return recordAudit(tx, [{ businessId, action, subject, details, origin }], now)
}
