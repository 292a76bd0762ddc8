import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { setLimits } from '../connections/connections.ts'
import { recipientsPerDayInput, transactionalPerDayInput } from '../connections/limits-view.ts'
import { checkLimits } from '../connections/loosening.ts'
import { lockKey } from './key-queries.ts'
import { noSuchKey } from './revoke.ts'

export const keySave = ({ appUrl }: { appUrl: string }) =>
  operation({
    name: 'key.save',
    title: 'Limit an API key',
    summary:
      'Limits an API key, from its next call on: read only, and recipients per day (of all and of transactional messages).',
    reach: 'business',
    scope: 'meta:read',
    role: 'admin',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'PATCH /v1/keys/:key_id',
    input: {
      key_id: Type.String({ description: 'cnx_…' }),
      read_only: Type.Optional(Type.Boolean({ description: 'false gives back what true took.' })),
      recipients_per_day: Type.Optional(recipientsPerDayInput),
      transactional_per_day: Type.Optional(transactionalPerDayInput),
    },
    output: Type.Object({ key_id: Type.String() }),

    async run({ business, principal, now, write, origin }, input) {
      const { key_id, read_only, recipients_per_day, transactional_per_day } = input
      const id = parseId('connection', key_id)
      if (!id) throw noSuchKey(key_id)
      const named = [read_only, recipients_per_day, transactional_per_day]
      if (named.every((field) => field === undefined)) throw nothingNamed()
      const limits = {
        isReadOnly: read_only,
        recipientsPerDay: recipients_per_day,
        transactionalPerDay: transactional_per_day,
      }
      return write(async (tx) => {
        const current = await lockKey(tx, business.id, id)
        if (!current) throw noSuchKey(key_id)
        checkLimits(limits, current, { principal, now, appUrl })
        const details = {
          ...(read_only !== undefined && { read_only }),
          ...(recipients_per_day !== undefined && { recipients_per_day }),
          ...(transactional_per_day !== undefined && { transactional_per_day }),
        }
        const entry = { businessId: business.id, action: 'key.save', subject: key_id, origin }
        await recordAudit(tx, [{ ...entry, details }], now)
        await setLimits(tx, id, { ...limits, now })
        return { key_id }
      })
    },
  })

const nothingNamed = () =>
  refuse(
    'invalid_request',
    'Pass at least one of read_only, recipients_per_day and transactional_per_day.',
    {
      field: 'read_only',
      data: { reason: 'nothing_changed' },
    },
  )
