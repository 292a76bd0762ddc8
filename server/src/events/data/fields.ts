/** Fields that the data of several event types share. */
import { Type } from '../../lib/schema/schema.ts'

export const contactId = Type.String({ description: 'The contact, con_….' })
export const moment = (description: string) =>
  Type.String({ description: `${description} ISO 8601, UTC.`, format: 'date-time' })
export const orNull = <T extends ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()])
export const channel = Type.Enum(['email', 'sms'], { description: 'How it goes out.' })
/** An object whose keys come from a caller or a stranger, so that only its values have a type. */
export const stringsByKey = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    description,
    additionalProperties: { type: 'string' },
  })
