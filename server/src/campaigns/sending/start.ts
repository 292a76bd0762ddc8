/** A scheduled campaign falls due: it is planned again and deployed. */

import { readDeploySettings } from '../../accounts/businesses/deploy-settings.ts'
import { isStopped } from '../../accounts/stops/stops.ts'
import { conditionsIn } from '../../contacts/filters/warnings.ts'
import { type Id, parseId } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { plannedAnew, sql } from '../../lib/db/db.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { JobKinds } from '../../lib/jobs/job.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { countAudience } from '../audience/audience.ts'
import type { Audience, Campaign } from '../campaign.ts'
import { findCampaign } from '../campaign.ts'
import { mandateOfOrder } from '../mandates/mandate.ts'
import type { PlanDeps } from '../preflight/dependencies.ts'
import { refuseBlocked } from '../preflight/gates/gate.ts'
import { type Plan, planOf, storedPlan } from '../preflight/plan.ts'
import { readPlanHash } from '../preflight/plan-hash.ts'
import { holdAllowance, releaseAllowance, toleratedOf } from './approval-allowance.ts'
import { type CampaignName, type CampaignPayload, startJob } from './campaign-job.ts'
import {
  awaitApproval,
  bindPlan,
  lockCampaign,
  pauseCampaign,
  startSending,
} from './transitions.ts'

export interface StartDeps extends PlanDeps {
  db: Database
  clock: Clock
}

export function startJobs(deps: StartDeps): JobKinds {
  return {
    [startJob]: {
      async run({ payload }) {
        const { business_id, campaign_id } = payload as CampaignPayload
        await start(deps, { businessId: business_id, id: campaign_id })
      },
    },
  }
}

async function start(deps: StartDeps, campaignName: CampaignName): Promise<void> {
  const { businessId, id } = campaignName
  const [campaign, deploying] = await Promise.all([
    findCampaign(deps.db, businessId, id),
    readDeploySettings(deps.db, businessId),
  ])
  if (!deploying || campaign?.state !== 'scheduled') return
  const now = deps.clock.now()
  const business = { id: businessId, tier: deploying.tier }
  const plan = await planOf(deps, campaign, { business, now, asksLinks: false })
  await deps.db.tx(async (tx) => {
    const locked = await lockCampaign(tx, businessId, id)
    if (locked?.state !== 'scheduled' || (locked.sendAt && locked.sendAt > now)) return
    const { recipients, hash } = plan
    const isOther =
      locked.approval === 'approved' &&
      !(await mandateOfOrder(tx, businessId, id)) &&
      (await isChangedByApps(tx, businessId, { hmac: deps.hmac, id, plan }))
    await bindPlan(tx, businessId, { id, recipients, plan: storedPlan(plan), planHash: hash })
    const due = { ...locked, recipients }
    if (isOther || !(await isAllowed(tx, businessId, due, now))) {
      const approvalReason = isOther ? ('changed_by_app' as const) : null
      await awaitApproval(tx, due, { businessId, approvalReason }, now)
    } else {
      await release(tx, campaignName, { due, plan, now })
    }
  })
}

interface Planned {
  hmac: Hmac
  id: Id<'campaign'>
  /** The plan that was made now. */
  plan: Pick<Plan, 'parts' | 'request'>
}

/**
 * Whether connected apps have changed who gets a campaign, or its sender, since a person ordered or
 * approved it. What a person said yes to stays as it was: an app that changes its segment or its
 * sender, or changes more of its recipients than an approval tolerates, makes it wait for a person
 * again, also where others left it meanwhile and the number is the same.
 */
async function isChangedByApps(
  tx: Tx,
  businessId: Id<'business'>,
  { hmac, id, plan: { parts, request } }: Planned,
): Promise<boolean> {
  const order = await tx.maybe<{ planHash: string | null; decidedAt: Date | null }>(sql`
    select plan_hash as "planHash", decided_at as "decidedAt"
    from campaigns where business_id = ${businessId} and id = ${id}
  `)
  const before = order?.planHash ? readPlanHash(hmac, id, order.planHash) : undefined
  const since = order?.decidedAt
  if (!before || !since) return false
  if (before.sender !== parts.sender && (await savedSender(tx, businessId, since))) return true
  if (before.audience !== parts.audience && (await savedSegments(tx, businessId, since)))
    return true
  if (await undidImport(tx, businessId, since)) return true
  const tolerated = toleratedOf(before.recipients)
  const saved = await savedContacts(tx, businessId, { since, audience: request.audience })
  if (saved.length <= tolerated) return false
  return saved.length > mostSaved || (await countAmong(tx, request, saved)) > tolerated
}

/** Whether a connected app saved the sender of the business. */
async function savedSender(tx: Tx, businessId: Id<'business'>, since: Date): Promise<boolean> {
  const row = await tx.maybe(sql`
    select from audit_entries a
    join connections c on c.id = a.connection_id and c.client_id is not null
    where a.business_id = ${businessId} and a.created_at > ${since} and a.action = 'business.save'
      and 'sender' = any (string_to_array(a.details ->> 'settings', ' '))
    limit 1
  `)
  return row !== undefined
}

/** Whether a connected app undid an import, which takes addresses off the suppression list as well. */
async function undidImport(tx: Tx, businessId: Id<'business'>, since: Date): Promise<boolean> {
  const row = await tx.maybe(sql`
    select from audit_entries a
    join connections c on c.id = a.connection_id and c.client_id is not null
    where a.business_id = ${businessId} and a.created_at > ${since} and a.action = 'import.undo'
    limit 1
  `)
  return row !== undefined
}

/** Whether the latest save of a segment was a connected app's. */
async function savedSegments(tx: Tx, businessId: Id<'business'>, since: Date): Promise<boolean> {
  const row = await tx.maybe(sql`
    select from last_saves l
    join segments s on s.business_id = l.business_id and s.id = l.object_id
    join connections c on c.id = l.connection_id and c.client_id is not null
    where l.business_id = ${businessId} and l.saved_at > ${since}
    limit 1
  `)
  return row !== undefined
}

/** How many saved contacts are compared with the audience; more are too many without a look. */
const mostSaved = 50_000

interface Saving {
  since: Date
  /** With the filters of its segments. */
  audience: Audience
}

/**
 * The contacts that connected apps saved: new ones, those of whom they changed what decides who gets
 * it, those of whom they told what its filter asks for, and those with whom they merged others. Names that nobody filters by bring nobody
 * into it.
 */
async function savedContacts(
  tx: Tx,
  businessId: Id<'business'>,
  { since, audience: { filter, tags } }: Saving,
): Promise<Id<'contact'>[]> {
  const conditions = filter ? conditionsIn(filter) : []
  const fields = conditions.flatMap((condition) => ('field' in condition ? condition.field : []))
  const byTags = tags || conditions.some((condition) => 'tag' in condition) ? ['tags'] : []
  const changes = ['email', 'phone', ...byTags, ...fields]
  const happenings = conditions.flatMap((condition) => ('did' in condition ? condition.did : []))
  const isByTime = fields.includes('updated_at')
  const changed = await tx.all<{ id: string | null }>(
    plannedAnew(sql`
      select distinct e.body::json -> 'data' ->> 'contact_id' as id from events e
      join connections c on c.id = e.connection_id and c.client_id is not null
      where e.business_id = ${businessId} and e.created_at > ${since} and e.erased_at is null
        and (e.type = 'contact.created' or e.type = any(${happenings}::text[])
          or (e.type = 'contact.updated' and (${isByTime} or exists (
            select from json_array_elements_text(e.body::json -> 'data' -> 'changed') as field
            where field = any(${changes}::text[])
              or split_part(field, '.', 1) in ('consent', 'topics')
          ))))
      limit ${mostSaved + 1}
    `),
  )
  const reported = await tx.all<{ id: Id<'contact'> }>(
    plannedAnew(sql`
      select distinct d.contact_id as id from own_events d
      join connections c on c.id = d.connection_id and c.client_id is not null
      where d.business_id = ${businessId} and d.name = any(${happenings}::text[])
        and d.created_at > ${since}
      limit ${mostSaved + 1}
    `),
  )
  // The history of two people may bring in whoever stays, though no field of theirs changed.
  const merged = await tx.all<{ id: string | null }>(sql`
    select distinct a.subject as id from audit_entries a
    join connections c on c.id = a.connection_id and c.client_id is not null
    where a.business_id = ${businessId} and a.created_at > ${since} and a.action = 'contact.merge'
    limit ${mostSaved + 1}
  `)
  const ids = [
    ...[...changed, ...merged].flatMap(({ id }) => parseId('contact', id ?? '') ?? []),
    ...reported.map(({ id }) => id),
  ]
  return [...new Set(ids)]
}

/** How many of the contacts would get the campaign now. */
async function countAmong(
  tx: Tx,
  request: Plan['request'],
  contactIds: readonly Id<'contact'>[],
): Promise<number> {
  const range = { after: null, upTo: null, among: contactIds }
  const counts = await countAudience(tx, { ...request, quota: null, range })
  return counts.find(({ reason }) => reason === null)?.count ?? 0
}

/**
 * Whether a person has approved it, or its recounted recipients fit the limit once its own
 * reservation is released.
 */
async function isAllowed(
  tx: Tx,
  businessId: Id<'business'>,
  campaign: Campaign & { recipients: number },
  now: Date,
): Promise<boolean> {
  if (campaign.approval === 'approved') return true
  // An issue of a feed that a person has to see, whatever the limit is.
  if (campaign.approval === 'asked') return false
  await releaseAllowance(tx, businessId, campaign)
  return holdAllowance(tx, businessId, campaign, now)
}

interface Due {
  due: Campaign
  plan: Plan
  now: Date
}

/**
 * If a gate has closed since, or a person has stopped it, nothing is sent: a person fixes it and
 * resumes.
 */
async function release(tx: Tx, campaignName: CampaignName, { due, plan, now }: Due): Promise<void> {
  await startSending(tx, due, { ...campaignName, evenIfStopped: true }, now)
  if (refuseBlocked(plan.gates)) await pauseCampaign(tx, campaignName, 'gate', now)
  else if (await isStopped(tx, campaignName.businessId, due.connectionId)) {
    await pauseCampaign(tx, campaignName, 'stopped', now)
  }
}
