import { parseId } from '../core/ids.ts'
import { isConnection, operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { findTemplate, findVersionNumbered, listVersions } from './template.ts'
import { noSuchTemplate, sourceView, templateIdInput } from './view.ts'

/** The newest versions that are listed. */
const mostVersions = 100

export const templateVersions = operation({
  name: 'template.versions',
  title: 'List the versions of a template',
  area: 'templates',
  summary:
    'The versions of a template, newest first; with version that one and its source, which template.save can restore.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/templates/:template_id/versions',
  input: {
    template_id: templateIdInput,
    version: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  output: Type.Object({
    versions: Type.Array(
      Type.Object({
        version: Type.Integer(),
        through_connection: Type.Boolean(),
        by: Type.Optional(Type.String()),
        created_at: Type.String({ description: 'ISO 8601, UTC.' }),
        source: Type.Optional(sourceView),
      }),
    ),
  }),

  async run({ db, business, principal }, { template_id, version }) {
    const id = parseId('template', template_id)
    const template = id && (await findTemplate(db, business.id, id))
    if (!template) throw noSuchTemplate(template_id)
    const rows =
      version === undefined
        ? await listVersions(db, business.id, { templateId: id, limit: mostVersions })
        : await findVersionNumbered(db, business.id, { templateId: id, version })
    return {
      versions: rows.map(({ connectionId, createdAt, source, email, ...row }) => ({
        version: row.version,
        through_connection: connectionId !== null,
        // Programs do not see the members of a business (`member.list`).
        ...(email !== null && !isConnection(principal) && { by: email }),
        created_at: createdAt.toISOString(),
        ...(source && { source: { ...source } }),
      })),
    }
  },
})
