import { refuse } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { nextCursor, pageInput } from '../../core/paging.ts'
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
    const { selectSubjectNames } = await import('./subject-names.ts')
    const rows = await selectEntries(db, business.id, request)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const subjects = page.map(({ subject }) => subject)
    const names = await selectSubjectNames(db, business.id, subjects)
    return {
      entries: page.map((entry) => viewOfEntry(entry, names)),
      ...(rows.length > limit && last && { next_cursor: cursorOf(last) }),
    }
  },
})

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
