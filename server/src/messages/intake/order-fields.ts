import type { BusinessContext } from '../../core/operation.ts'
import { limitOfConnection } from '../../usage/connection-limit.ts'
import type { MessageToSave } from './to-save.ts'

type OrderField = 'businessId' | 'tier' | 'origin' | 'hmac' | 'connectionLimit'

/** The fields of a message that say for which business, and by whose call, it is sent. */
export function orderFields({
  business,
  origin,
  hmac,
  principal,
}: BusinessContext): Pick<MessageToSave, OrderField> {
  const { id: businessId, tier } = business
  return { businessId, tier, origin, hmac, connectionLimit: limitOfConnection(principal) }
}
