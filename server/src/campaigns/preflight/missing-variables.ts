/** Finds variables that a campaign uses and its recipients have no value for. */

import { covers } from '../../contacts/consent/covers.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Compiled } from '../../templates/compile.ts'
import { neededVariables } from '../../templates/variables.ts'
import { type AudienceAsked, fittingFilter, plannedFor } from '../audience/audience-queries.ts'
import type { MissingVariables } from './gates/content.ts'

/** The number of newest contacts that are examined. */
const lookedAt = 10_000
const attributeForm = /^contact\.attributes\.([^.]+)$/

export async function missingValues(
  db: Db,
  audience: MissingAudience,
  compiled: readonly Compiled[],
): Promise<MissingVariables> {
  const names = [...new Set(compiled.flatMap(({ variables }) => variables))]
  const bare = names.filter((name) => compiled.some((entry) => isBare(entry, name)))
  const keys = bare.flatMap((name) => attributeForm.exec(name)?.[1] ?? [])
  const asksName = bare.includes('contact.name')
  const unknown = neededVariables(bare)
  if (keys.length === 0 && !asksName) return { unknown, missing: [], lookedAt: 0 }
  const asked = { ...audience, keys, limit: lookedAt }
  const { looked, nameless, lacking } = await countMissing(db, asked)
  const missing = keys.map((key, i) => ({
    name: `contact.attributes.${key}`,
    count: lacking[i] ?? 0,
  }))
  if (asksName) missing.push({ name: 'contact.name', count: nameless })
  return { unknown, missing: missing.filter(({ count }) => count > 0), lookedAt: looked }
}

/** Whether the variable is output somewhere without a default. */
function isBare({ parts }: Compiled, name: string): boolean {
  const outputs = Object.values(parts).flatMap(outputsOf)
  return outputs.some((output) => output.includes(name) && !/\|\s*default\b/.test(output))
}

/** The texts between `{{` and the next brace, if two braces close there. */
function outputsOf(part: string): string[] {
  const outputs: string[] = []
  for (let from = part.indexOf('{{'); from >= 0; ) {
    const end = part.indexOf('}', from)
    if (end < 0) break
    if (part[end + 1] === '}') outputs.push(part.slice(from, end))
    from = part.indexOf('{{', end)
  }
  return outputs
}

/** Finds the values that contacts lack. */
type MissingAudience = Omit<AudienceAsked, 'range' | 'quota'>

interface MissingAsked extends MissingAudience {
  /** The keys of attributes. */
  keys: string[]
  limit: number
}

interface MissingFound {
  looked: number
  nameless: number
  /** How many contacts lack a value, in the order of the keys. */
  lacking: number[]
}

/** Examines the newest contacts who consented to the channel. */
function countMissing(db: Db, asked: MissingAsked): Promise<MissingFound> {
  const { businessId, channel, topic, audience, keys, limit } = asked
  const tags = audience.tags ?? null
  return db.one(
    plannedFor(
      audience,
      sqlWithin`
      with newest as materialized (
        select name, attributes from contacts c
        where business_id = ${businessId}
          and case when ${channel} = 'email' then email_consent else sms_consent end = 'subscribed'
          and ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })}
          and (${tags}::text[] is null or tags && ${tags}::text[])
          and ${fittingFilter(asked)}
        order by id desc limit ${limit}
      )
      select count(*)::int as looked, (count(*) filter (where name is null))::int as nameless,
        array(
          select (select count(*)::int from newest where not attributes ? key)
          from unnest(${keys}::text[]) with ordinality as asked (key, place) order by place
        ) as lacking
      from newest
    `,
    ),
  )
}
