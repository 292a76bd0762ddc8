/** Fields that the data of several event types share. */
import { Type } from '../../lib/schema/schema.ts'

export const contactId = Type.String({ description: 'The id of the contact, `con_…`.' })
export const moment = (description: string) =>
  Type.String({ description: `${description} In ISO 8601 and UTC.`, format: 'date-time' })
export const orNull = <T extends ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()])
export const channel = Type.Enum(['email', 'sms'], {
  description: 'Whether it goes by email or by SMS.',
})
/** An object whose keys come from a caller or a stranger, so that only its values have a type. */
export const stringsByKey = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    description,
    additionalProperties: { type: 'string' },
  })
