import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { limitOwnConnection, noSuchConnection } from './connections.ts'
import { recipientsPerDayInput, sights, transactionalPerDayInput } from './limits-view.ts'

/** The most businesses that a call names. */
const mostBusinesses = 500

export const connectionSave = ({ appUrl }: { appUrl: string }) =>
  operation({
    name: 'connection.save',
    title: 'Limit a connection',
    summary:
      'Limits a connection of the person, from its next call on: read only, recipients per day (of all and of transactional messages), whether it sees addresses masked, whether it may take data out, and which businesses it keeps. Only the app itself can request more than it was granted.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'PATCH /v1/connections/:connection_id',
    input: {
      connection_id: Type.String({ description: 'cnx_…' }),
      read_only: Type.Optional(Type.Boolean({ description: 'false gives back what true took.' })),
      recipients_per_day: Type.Optional(Type.Union([recipientsPerDayInput, Type.Null()])),
      transactional_per_day: Type.Optional(transactionalPerDayInput),
      sees: Type.Optional(Type.Enum(sights)),
      takes_data_out: Type.Optional(Type.Boolean()),
      business_ids: Type.Optional(
        Type.Array(Type.String({ maxLength: 40 }), {
          minItems: 1,
          maxItems: mostBusinesses,
          uniqueItems: true,
          description: 'Those that it keeps.',
        }),
      ),
    },
    output: Type.Object({ connection_id: Type.String() }),

    async run({ principal, origin, now, write }, input) {
      const { connection_id, read_only, recipients_per_day, business_ids } = input
      const { transactional_per_day, sees, takes_data_out } = input
      const connectionId = parseId('connection', connection_id)
      if (!connectionId) throw noSuchConnection(connection_id)
      const limitFields = [read_only, recipients_per_day, transactional_per_day, business_ids]
      if ([...limitFields, sees, takes_data_out].every((field) => field === undefined)) {
        throw nothingNamed()
      }
      const businessIds = business_ids?.flatMap((id) => parseId('business', id) ?? [])
      if (businessIds?.length !== business_ids?.length) throw notReached()
      const limits = {
        connectionId,
        userId: principal.userId,
        isReadOnly: read_only,
        recipientsPerDay: recipients_per_day,
        transactionalPerDay: transactional_per_day,
        businessIds,
        seesMasked: sees && sees === 'masked',
        takesDataOut: takes_data_out,
        now,
      }
      return write(async (tx) => {
        const outcome = await limitOwnConnection(tx, limits, { principal, origin, appUrl })
        if (outcome === 'unknown') throw noSuchConnection(connection_id)
        if (outcome === 'not_reached') throw notReached()
        return { connection_id }
      })
    },
  })

const nothingNamed = () =>
  refuse(
    'invalid_request',
    'Pass at least one of read_only, recipients_per_day, transactional_per_day, sees, takes_data_out and business_ids.',
    {
      field: 'read_only',
      data: { reason: 'nothing_changed' },
    },
  )

const notReached = () =>
  refuse(
    'invalid_request',
    'business_ids contains a business that the connection has no access to.',
    {
      field: 'business_ids',
      data: { reason: 'business_out_of_reach' },
    },
  )
