/** Copies the templates of a business into a new one, each in its current version. */
import { type Copied, type Copy, copyLimit } from '../core/copying.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { restyleJob } from './restyle.ts'

export async function copyTemplates(tx: Tx, { from, to, now, ids }: Copy): Promise<Copied> {
  const originals = (await selectToCopy(tx, from, copyLimit + 1)).map(({ id }) => id)
  if (originals.length > copyLimit) {
    const text = `More than ${copyLimit} templates cannot be copied at once: leave them out.`
    throw refuse('conflict', text, {
      field: 'copy',
      data: { reason: 'too_many_to_copy', limit: copyLimit },
    })
  }
  const copies = originals.map((original) => {
    const copy = newId('template')
    ids.set(formatId('template', original), formatId('template', copy))
    return copy
  })
  const versions = originals.map(() => newId('templateVersion'))
  const copied = { from, originals, copies, versions, now }
  await insertCopies(tx, to, copied)
  await insertCopiedVersions(tx, to, copied)
  await enqueue(tx, [restyleJob(to)], now)
  return { count: originals.length, leftOut: [] }
}

/** The oldest first. Contents of campaigns are left out. */
function selectToCopy(
  tx: Tx,
  businessId: Id<'business'>,
  limit: number,
): Promise<{ id: Id<'template'> }[]> {
  return tx.all(sql`
    select id from templates where business_id = ${businessId} and campaign_id is null and deleted_at is null
    order by id limit ${limit}
  `)
}

interface CopiedTemplates {
  from: Id<'business'>
  originals: readonly Id<'template'>[]
  copies: readonly Id<'template'>[]
  versions: readonly Id<'templateVersion'>[]
  now: Date
}

function insertCopies(
  tx: Tx,
  businessId: Id<'business'>,
  { from, originals, copies, now }: CopiedTemplates,
): Promise<number> {
  return tx.run(sql`
    insert into templates (business_id, id, channel, name, version, campaign_id, gallery, key, tags,
      created_at, updated_at)
    select ${businessId}, copied.copy, t.channel, t.name, 1, null, t.gallery, t.key, t.tags,
      ${now}, ${now}
    from unnest(${originals}::uuid[], ${copies}::uuid[]) as copied (original, copy)
    join templates t on t.business_id = ${from} and t.id = copied.original
  `)
}

/** The current version of each becomes the first one of its copy. */
function insertCopiedVersions(
  tx: Tx,
  businessId: Id<'business'>,
  { from, originals, copies, versions, now }: CopiedTemplates,
): Promise<number> {
  return tx.run(sql`
    insert into template_versions (business_id, template_id, version, id, source, compiled,
      connection_id, call_id, created_at)
    select ${businessId}, copied.copy, 1, copied.version, v.source, v.compiled, null, null, ${now}
    from unnest(${originals}::uuid[], ${copies}::uuid[], ${versions}::uuid[])
      as copied (original, copy, version)
    join templates t on t.business_id = ${from} and t.id = copied.original
    join template_versions v on v.business_id = ${from} and v.template_id = t.id
      and v.version = t.version
  `)
}
