/** Statements about businesses; statements about memberships are in `membership-queries.ts`. */

import { withAccessChange } from '../../core/access-changes.ts'
import { type Id, twinOf } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { Utm } from '../../core/utm.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Sql } from '../../lib/db/types.ts'
import type {
  ArchiveSetting,
  Business,
  Caps,
  DeploySettings,
  SenderProfile,
  TrackingPolicy,
} from './business.ts'
import type { Retention } from './retention.ts'

export interface NewBusiness {
  id: Id<'business'>
  name: string
  tier: Tier
  /** Recipients a day without a person's approval; null for no limit. */
  deployLimit: number | null
  now: Date
}

export function insertBusiness(db: Db, business: NewBusiness): Promise<number> {
  return db.run(sql`
    insert into businesses (id, name, tier, deploy_limit, created_at, updated_at)
    values (${business.id}, ${business.name}, ${business.tier}, ${business.deployLimit},
      ${business.now}, ${business.now})
  `)
}

/** All businesses, for the operator's list; nothing that a tenant calls may use it. */
export function selectBusinesses(
  db: Db,
): Promise<(Business & { members: number; closedAt: Date | null })[]> {
  return db.all(sql`
    select b.id, b.name, b.tier, b.time_zone as "timeZone", b.language,
      b.postal_address as "postalAddress", b.created_at as "createdAt", b.closed_at as "closedAt",
      (select count(*) from memberships m where m.business_id = b.id) as members
    from businesses b
    where b.test_of is null
    order by b.created_at, b.id
  `)
}

/** The tier, with the row locked until the transaction ends, so that a limit can be enforced. */
export function lockTier(db: Db, id: Id<'business'>): Promise<{ tier: Tier } | undefined> {
  return db.maybe(sql`select tier from businesses where id = ${id} for update`)
}

export type SettingColumn =
  | 'name'
  | 'tier'
  | 'time_zone'
  | 'language'
  | 'postal_address'
  | 'sender'
  | 'reply_to'
  | 'sms_help'
  | 'sms_sender'
  | 'track_opens'
  | 'track_clicks'
  | 'track_transactional'
  | 'tracking'
  | 'attribution_days'
  | 'deploy_limit'
  | 'two_people'
  | 'colour'
  | 'privacy_url'
  | 'retention'
  | 'utm'
  | 'archive'
  | 'attention'
  | 'relay_transactional'
  | 'relay_marketing'

type Update = (id: Id<'business'>, value: string | null, now: Date) => Sql

const updates: Record<SettingColumn, Update> = {
  name: (id, value, now) => {
    const naming = sql`
      update businesses set name = ${value}, updated_at = ${now} where id = ${id}
      returning id as subject`
    return withAccessChange(naming, now)
  },
  tier: (id, value, now) => {
    const lifting = sql`
      update businesses set tier = ${value}, updated_at = ${now} where id = ${id}
      returning id as subject`
    return withAccessChange(lifting, now)
  },
  time_zone: (id, value, now) =>
    sql`update businesses set time_zone = ${value}, updated_at = ${now} where id = ${id}`,
  language: (id, value, now) =>
    sql`update businesses set language = ${value}, updated_at = ${now} where id = ${id}`,
  postal_address: (id, value, now) =>
    sql`update businesses set postal_address = ${value}, updated_at = ${now} where id = ${id}`,
  sender: (id, value, now) =>
    sql`update businesses set sender = ${value}, updated_at = ${now} where id = ${id}`,
  reply_to: (id, value, now) =>
    sql`update businesses set reply_to = ${value}, updated_at = ${now} where id = ${id}`,
  sms_help: (id, value, now) =>
    sql`update businesses set sms_help = ${value}, updated_at = ${now} where id = ${id}`,
  sms_sender: (id, value, now) =>
    sql`update businesses set sms_sender = ${value}, updated_at = ${now} where id = ${id}`,
  track_opens: (id, value, now) => sql`
    update businesses set track_opens = ${value}::text::boolean, updated_at = ${now}
    where id = ${id}`,
  track_clicks: (id, value, now) => sql`
    update businesses set track_clicks = ${value}::text::boolean, updated_at = ${now}
    where id = ${id}`,
  track_transactional: (id, value, now) => sql`
    update businesses set track_transactional = ${value}::text::boolean, updated_at = ${now}
    where id = ${id}`,
  tracking: (id, value, now) =>
    sql`update businesses set tracking = ${value}, updated_at = ${now} where id = ${id}`,
  attribution_days: (id, value, now) => sql`
    update businesses set attribution_days = ${value}::text::smallint, updated_at = ${now}
    where id = ${id}`,
  // Two people need campaigns that wait. Where none did, all do from now on.
  two_people: (id, value, now) => sql`
    update businesses set two_people = ${value}::text::boolean, updated_at = ${now},
      deploy_limit = case when ${value}::text::boolean then coalesce(deploy_limit, 0)
        else deploy_limit end
    where id = ${id}`,
  relay_transactional: (id, value, now) =>
    sql`update businesses set relay_transactional = ${value}, updated_at = ${now} where id = ${id}`,
  relay_marketing: (id, value, now) =>
    sql`update businesses set relay_marketing = ${value}, updated_at = ${now} where id = ${id}`,
  colour: (id, value, now) =>
    sql`update businesses set colour = ${value}, updated_at = ${now} where id = ${id}`,
  privacy_url: (id, value, now) =>
    sql`update businesses set privacy_url = ${value}, updated_at = ${now} where id = ${id}`,
  // A kind that the value omits stays as it is. Null means that the kind is never deleted.
  retention: (id, value, now) => sql`
    update businesses set retention = jsonb_strip_nulls(retention || ${value}::jsonb),
      updated_at = ${now}
    where id = ${id}`,
  utm: (id, value, now) =>
    sql`update businesses set utm = ${value}::jsonb, updated_at = ${now} where id = ${id}`,
  // A part that the value omits stays as it is. Null removes it.
  archive: (id, value, now) => sql`
    update businesses set archive = jsonb_strip_nulls(archive || ${value}::jsonb),
      updated_at = ${now}
    where id = ${id}`,
  attention: (id, value, now) =>
    sql`update businesses set attention = ${value}::json, updated_at = ${now} where id = ${id}`,
  deploy_limit: (id, value, now) => sql`
    update businesses set deploy_limit = ${value}::text::integer, updated_at = ${now}
    where id = ${id}`,
}

/** Sets it for the business and for its twin, if it has one. Returns whether there is a business. */
export async function updateSetting(
  db: Db,
  id: Id<'business'>,
  { column, value, now }: { column: SettingColumn; value: string | null; now: Date },
): Promise<number> {
  const changed = await db.run(updates[column](id, value, now))
  if (isInTwin(column)) await db.run(updates[column](twinOf(id), value, now))
  return changed
}

/** What is kept of test data, and who approves, has no setting of its own. */
const isInTwin = (column: SettingColumn) =>
  !['retention', 'archive', 'deploy_limit', 'two_people'].includes(column)

export function findSenderProfile(db: Db, id: Id<'business'>): Promise<SenderProfile | undefined> {
  return db.maybe(sql`
    select name, postal_address as "postalAddress", sender, reply_to as "replyTo", colour, language,
      privacy_url as "privacyUrl",
      jsonb_build_object('font', brand -> 'font', 'radius', brand -> 'radius',
        'logo', brand #> '{logo,file}', 'darkLogo', brand #> '{logo,dark_file}',
        'words', brand -> 'words') as look,
      sms_sender as "smsSender", time_zone as "timeZone", track_opens as "trackOpens", track_clicks as "trackClicks",
      track_transactional as "trackTransactional", tracking, closed_at as "closedAt"
    from businesses where id = ${id}
  `)
}

export function findRelayChoice(
  db: Db,
  id: Id<'business'>,
): Promise<{ tier: Tier; transactional: string | null; marketing: string | null } | undefined> {
  return db.maybe(sql`
    select tier, relay_transactional as transactional, relay_marketing as marketing
    from businesses where id = ${id}
  `)
}

export function findTimeZone(
  db: Db,
  id: Id<'business'>,
): Promise<{ timeZone: string } | undefined> {
  return db.maybe(sql`select time_zone as "timeZone" from businesses where id = ${id}`)
}

export interface Settings {
  name: string
  postal_address: string | null
  /** `Ana's Shop <hello@shop.example>`. */
  sender: string | null
  reply_to: string | null
  sms_sender: string | null
  sms_help: string | null
  time_zone: string
  language: string
  track_opens: boolean
  track_clicks: boolean
  track_transactional: boolean
  tracking: TrackingPolicy
  attribution_days: number
  deploy_limit: number | null
  two_people: boolean
  colour: string | null
  privacy_url: string | null
  retention: Retention
  utm: Utm | null
  archive: ArchiveSetting
  attention: Caps | null
  /** Counts the changes. */
  version: number
}

export function findSettings(db: Db, id: Id<'business'>): Promise<Settings | undefined> {
  return db.maybe(sql`
    select name, postal_address, sender, reply_to, sms_sender, sms_help, time_zone, language,
      track_opens, track_clicks, track_transactional, tracking, attribution_days, deploy_limit,
      two_people, colour, privacy_url, retention, utm, archive, attention, settings_version as version
    from businesses where id = ${id}
  `)
}

export interface BusinessSwitches {
  id: Id<'business'>
  track_opens: boolean
  track_clicks: boolean
  track_transactional: boolean
}

/** Whether these businesses record opens and clicks. */
export function selectTrackingSwitches(
  db: Db,
  ids: readonly Id<'business'>[],
): Promise<BusinessSwitches[]> {
  return db.all(sql`
    select id, track_opens, track_clicks, track_transactional
    from businesses where id = any (${ids}::uuid[]) order by id
  `)
}

export function countSettingsChange(tx: Db, id: Id<'business'>): Promise<number> {
  return tx.run(sql`
    update businesses set settings_version = settings_version + 1 where id = ${id}
  `)
}

/** How much marketing one person gets at most. */
export async function findCaps(db: Db, id: Id<'business'>): Promise<Caps | undefined> {
  const row = await db.maybe<{ caps: Caps | null }>(sql`
    select attention as caps from businesses where id = ${id}
  `)
  return row?.caps ?? undefined
}

/** Settings that protect people from programs: no program may loosen them. */
export interface ProtectiveSettings {
  deployLimit: number | null
  twoPeople: boolean
  retention: Retention
  attention: Caps | null
}

export function lockProtectiveSettings(
  tx: Db,
  id: Id<'business'>,
): Promise<ProtectiveSettings | undefined> {
  return tx.maybe(sql`
    select deploy_limit as "deployLimit", two_people as "twoPeople", retention,
      attention
    from businesses where id = ${id} for update
  `)
}

/** Which of these businesses have no postal address. */
export function selectWithoutAddress(
  db: Db,
  ids: readonly Id<'business'>[],
): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`
    select id from businesses where id = any (${ids}::uuid[]) and postal_address is null
  `)
}

export interface ApprovalRules {
  id: Id<'business'>
  /** Null for no limit. */
  deployLimit: number | null
  twoPeople: boolean
}

/** The rules by which each business's marketing needs a person's approval. */
export function selectApprovalRules(
  db: Db,
  ids: readonly Id<'business'>[],
): Promise<ApprovalRules[]> {
  return db.all(sql`
    select id, deploy_limit as "deployLimit", two_people as "twoPeople"
    from businesses where id = any (${ids}::uuid[])
  `)
}

export function findDeploySettings(
  db: Db,
  id: Id<'business'>,
): Promise<DeploySettings | undefined> {
  return db.maybe(sql`
    select name, tier, time_zone as "timeZone", postal_address as "postalAddress",
      deploy_limit as "deployLimit", two_people as "twoPeople", utm
    from businesses where id = ${id}
  `)
}
