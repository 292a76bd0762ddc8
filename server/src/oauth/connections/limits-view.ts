/** What the lists of connections and of API keys show of limits and calls. */

import { scopes } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { mostRecipientsPerDay } from '../../usage/connection-limit.ts'

export const recipientsPerDayInput = Type.Integer({ minimum: 0, maximum: mostRecipientsPerDay })

/** Null for a connection or key that is older than this limit, or whose limit was lifted. */
const transactionalPerDayField = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Of transactional messages, in each business; null for no limit.',
})

/** How a connection sees addresses and numbers of people. */
export const sights = ['masked', 'full'] as const

export const transactionalPerDayInput = Type.Union([recipientsPerDayInput, Type.Null()])

export const limitFields = {
  transactional_per_day: transactionalPerDayField,
  transactional_last_day: Type.Integer({
    minimum: 0,
    description:
      'Recipients of transactional messages in 24 hours; counted where they are limited.',
  }),
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
