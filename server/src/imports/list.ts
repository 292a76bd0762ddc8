import { operation } from '../core/operation.ts'
import {
  inView,
  isBrief,
  nextCursor,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../core/paging.ts'
import { Type } from '../lib/schema/schema.ts'
import { type Import, listImports } from './import.ts'
import { fieldsOf, importFields } from './view.ts'

const {
  text: _text,
  found: _found,
  choices: _choices,
  untrusted: _untrusted,
  ...listed
} = importFields

export const importList = operation({
  name: 'import.list',
  title: 'List imports',
  area: 'contacts',
  summary: 'Imports of files, newest first, with their states and results. Free, changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/imports',
  input: { view: viewInput, ...pageInput },
  seldom: ['view'],
  output: Type.Object({ imports: Type.Array(Type.Object(listed)), next_cursor: nextCursor }),

  async run(context, { view, ...paging }) {
    const { db, business } = context
    const page = pageOf('import', paging)
    const rows = await listImports(db, business.id, page)
    const brief = isBrief(context, view)
    const shownOf = (row: Import) => inView(viewOf(row), { brief, fields: briefFields })
    const { shown: pageRows, next } = pageFrom('import', rows, page, shownOf)
    return { imports: pageRows.map(shownOf), ...next }
  },
})

const viewOf = (entry: Import) => fieldsOf(entry, { whole: false })

const briefFields = [
  'import_id',
  'state',
  'kind',
  'file_name',
  'created_at',
  'progress',
  'result',
  'undo_until',
] as const
