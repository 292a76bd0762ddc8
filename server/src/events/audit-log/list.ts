import { refuse } from '../../core/errors.ts'
import { formatId, type Id, type Noun, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { nextCursor, pageInput } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import {
  type AuditPlace,
  entryView,
  filterInput,
  type ListedEntry,
  readFilter,
  viewOfEntry,
} from './entry.ts'

const defaultLimit = 50

export const auditList = operation({
  name: 'audit.list',
  title: 'List the audit log',
  summary:
    'Who did what through which connection, newest first: what was sent, imported, exported, erased, set and decided. Kept for 400 days.',
  reach: 'business',
  scope: 'meta:read',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/audit',
  input: { ...filterInput, ...pageInput },
  output: Type.Object({ entries: Type.Array(entryView), next_cursor: nextCursor }),

  async run({ db, business }, { cursor, limit = defaultLimit, ...filters }) {
    const filter = readFilter(filters)
    const before = cursor === undefined ? null : readCursor(cursor)
    const request = { ...filter, before, limit: limit + 1 }
    // Loaded at the first reader, because few processes ever have one.
    const { selectEntries } = await import('./entry.ts')
    const rows = await selectEntries(db, business.id, request)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const subjects = page.map(({ subject }) => subject)
    const names = await subjectNames(db, business.id, subjects)
    return {
      entries: page.map((entry) => viewOfEntry(entry, names)),
      ...(rows.length > limit && last && { next_cursor: cursorOf(last) }),
    }
  },
})

/** What things are called now, by the ids that entries have as their subject; what is gone has no name. */
async function subjectNames(
  db: Db,
  businessId: Id<'business'>,
  subjects: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const spelt = new Map<string, string>()
  const idsOf = (noun: Noun) =>
    subjects.flatMap((subject) => {
      const id = subject === null ? undefined : parseId(noun, subject)
      if (id === undefined || subject === null) return []
      spelt.set(id, subject)
      return [id]
    })
  const rows = await db.all<{ id: string; name: string | null }>(sql`
    select id, name from campaigns
    where business_id = ${businessId} and id = any(${idsOf('campaign')}::uuid[])
    union all
    select id, coalesce(name, email, phone) from contacts
    where business_id = ${businessId} and id = any(${idsOf('contact')}::uuid[])
    union all
    select id, name from templates
    where business_id = ${businessId} and id = any(${idsOf('template')}::uuid[])
    union all
    select id, name from forms
    where business_id = ${businessId} and id = any(${idsOf('form')}::uuid[])
    union all
    select id, name from segments
    where business_id = ${businessId} and id = any(${idsOf('segment')}::uuid[])
    union all
    select id, name from sequences
    where business_id = ${businessId} and id = any(${idsOf('sequence')}::uuid[])
    union all
    select id, name from feeds
    where business_id = ${businessId} and id = any(${idsOf('feed')}::uuid[])
    union all
    select id, file_name from imports
    where business_id = ${businessId} and id = any(${idsOf('import')}::uuid[])
    union all
    select id, url from webhooks
    where business_id = ${businessId} and id = any(${idsOf('webhook')}::uuid[])
    union all
    select id, name from api_keys
    where business_id = ${businessId} and id = any(${idsOf('connection')}::uuid[])
    union all
    select id, email from users where id = any(${idsOf('user')}::uuid[])
  `)
  return new Map(
    rows.flatMap(({ id, name }) => (name === null ? [] : [[spelt.get(id) ?? id, name]])),
  )
}

function cursorOf({ createdAt, id }: ListedEntry): string {
  return `${createdAt.getTime()}.${formatId('audit', id)}`
}

/** The latest moment of a `Date`, in milliseconds. */
const latest = 8.64e15

function readCursor(text: string): AuditPlace {
  const [time = '', spelt = ''] = text.split('.', 2)
  const [at, id] = [Number(time), parseId('audit', spelt)]
  if (time !== '' && id && Number.isSafeInteger(at) && Math.abs(at) <= latest) {
    return { createdAt: new Date(at), id }
  }
  const message = 'Invalid cursor. Pass next_cursor unchanged, or omit it.'
  throw refuse('invalid_request', message, { field: 'cursor', data: { reason: 'list_changed' } })
}
