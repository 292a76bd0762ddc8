/**
 * Templates of blocks are compiled with the brand in them, so a change of it compiles them anew: each
 * gets a version with the same source. Drafts of campaigns take on the brand when they are planned.
 */
import { isRefusal, orRefusal } from '../core/errors.ts'
import { type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import type { JobKinds, NewJob } from '../lib/jobs/job.ts'
import { type Clock, later, seconds } from '../lib/time/clock.ts'
import { restyled } from './compiled-source.ts'
import type { PreviewDeps } from './previews.ts'
import {
  type CompiledTemplate,
  findTemplate,
  insertVersion,
  lockTemplate,
  updateTemplate,
} from './template.ts'

const kind = 'template.restyle'

export function restyleJob(businessId: Id<'business'>): NewJob {
  return { kind, businessId, payload: { business_id: businessId } }
}

interface RestyleDeps extends PreviewDeps {
  db: Database
  clock: Clock
}

export function restyleJobs(deps: RestyleDeps): JobKinds {
  return {
    [kind]: {
      atOnce: 1,
      async run({ payload }, signal) {
        const { business_id: businessId } = payload as { business_id: Id<'business'> }
        // What is done has the new look, so that a job that runs again goes on where it stopped.
        for (const { id } of await templatesOfBlocks(deps.db, businessId)) {
          if (signal.aborted) return { outcome: 'again', at: deps.clock.now() }
          const wait = await restyle(deps, businessId, id)
          if (wait !== undefined) return { outcome: 'again', at: later(deps.clock.now(), wait) }
        }
        return { outcome: 'done' }
      },
    },
  }
}

/** Those that lists show, with blocks in a language or more. */
export function templatesOfBlocks(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ id: Id<'template'> }[]> {
  return db.all(sql`
    select t.id from templates t
    join template_versions v on v.business_id = t.business_id
      and v.template_id = t.id and v.version = t.version
    where t.business_id = ${businessId} and t.campaign_id is null and t.deleted_at is null
      and (v.source -> 'blocks' is not null
        or jsonb_path_exists(v.source::jsonb, '$.translations.*.blocks'))
    order by t.id
  `)
}

/** Returns after how many milliseconds to try again, if that makes sense. */
async function restyle(
  deps: RestyleDeps,
  businessId: Id<'business'>,
  id: Id<'template'>,
): Promise<number | undefined> {
  const template = await findTemplate(deps.db, businessId, id)
  const restyledTemplate = template && (await orRefusal(() => restyled(deps, businessId, template)))
  if (!restyledTemplate) return undefined
  if (isRefusal(restyledTemplate)) {
    const { retryAfter } = restyledTemplate.details
    // One that can no longer be compiled stays as it is until somebody saves it.
    return retryAfter === undefined ? undefined : seconds(retryAfter)
  }
  const version = { ...template, compiled: restyledTemplate.compiled }
  const isSaved = await deps.db.tx((tx) => saveLook(tx, businessId, version, deps.clock.now()))
  return isSaved ? undefined : seconds(1)
}

/** False if somebody has saved another version meanwhile. */
async function saveLook(
  tx: Tx,
  businessId: Id<'business'>,
  { id, name, version: before, source, compiled }: CompiledTemplate,
  now: Date,
): Promise<boolean> {
  const locked = await lockTemplate(tx, businessId, id)
  if (locked?.version !== before) return false
  const version = before + 1
  await updateTemplate(tx, businessId, { id, name, version, losesMark: false, now })
  const newVersion = {
    templateId: id,
    version,
    id: newId('templateVersion'),
    source,
    compiled,
    now,
  }
  await insertVersion(tx, businessId, { ...newVersion, connectionId: null, callId: null })
  return true
}
