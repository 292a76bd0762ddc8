/**
 * The business of what nodes of version 1.1 queued: they wrote none. It has to be known before jobs
 * and lanes are distributed by it (docs/decisions/0061-jobs-of-businesses.md).
 */
import { sql } from '../db/db.ts'
import type { Tx } from '../db/types.ts'
import { type LaneName, placeOf, serviceBusiness } from './job.ts'

/**
 * Names the business of jobs and lanes that have none, where all jobs of a lane say the same one in
 * their payloads. Lanes without a job are those of `known`: one that is paused stays so. No node of
 * version 1.1 may run any more.
 */
export async function nameBusinesses(tx: Tx, known: readonly LaneName[]): Promise<void> {
  await tx.run(sql`
    with unnamed as (
      select shard, lane, coalesce(
        payload ->> 'business_id', payload ->> 'businessId', payload -> 'to' ->> 0,
        -- An event names its business first. Events of several are a job of the service.
        case when json_typeof(payload -> 'events') = 'array' then (
          select case when min(event ->> 0) = max(event ->> 0) then min(event ->> 0) end
          from json_array_elements(payload -> 'events') as event
        ) end) as business
      from jobs where business_id = ${serviceBusiness}
    ), lane as (
      select shard, lane, min(business) as business from unnamed
      group by shard, lane
      having count(*) = count(business) and min(business) = max(business)
        and min(business) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    )
    update jobs set business_id = lane.business::uuid
    from lane
    where jobs.business_id = ${serviceBusiness} and jobs.shard = lane.shard
      and jobs.lane = lane.lane
  `)
  await tx.run(sql`
    update lanes set business_id = named.business_id
    from (
      select distinct business_id, shard, lane from jobs where business_id <> ${serviceBusiness}
    ) as named
    where lanes.business_id = ${serviceBusiness} and lanes.shard = named.shard
      and lanes.id = named.lane
  `)
  const places = known.map(placeOf)
  await tx.run(sql`
    update lanes set business_id = known.business_id
    from unnest(${places.map((lane) => lane.businessId)}::uuid[],
      ${places.map((lane) => lane.shard)}::smallint[],
      ${places.map((lane) => lane.laneId)}::uuid[]) as known (business_id, shard, id)
    where lanes.business_id = ${serviceBusiness} and lanes.shard = known.shard
      and lanes.id = known.id
  `)
}
