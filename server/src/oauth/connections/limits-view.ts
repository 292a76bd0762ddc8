/** What the lists of connections and of API keys show of limits and calls. */

import { scopes } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { mostRecipientsPerDay } from '../../usage/connection-limit.ts'

export const recipientsPerDayInput = Type.Integer({ minimum: 0, maximum: mostRecipientsPerDay })

export const limitFields = {
  withheld_scopes: Type.Array(Type.Enum(scopes), {
    description: 'Granted, and withheld as long as it only reads.',
  }),
  recipients_last_day: Type.Integer({
    minimum: 0,
    description:
      'Recipients to whom it ordered messages in 24 hours, in all its businesses; counted where it has a limit.',
  }),
}

export const callsField = Type.Array(
  Type.Object({
    operation: Type.String(),
    outcome: Type.String({ description: 'ok, or the code of the refusal.' }),
    at: Type.String(),
    request_id: Type.String(),
  }),
  { description: 'The latest calls, newest first. Seconds pass until a call is in it.' },
)
