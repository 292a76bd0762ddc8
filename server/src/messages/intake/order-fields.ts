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
  appUrl,
}: BusinessContext): Pick<MessageToSave, OrderField> {
  const { id: businessId, tier } = business
  return {
    businessId,
    tier,
    origin,
    hmac,
    connectionLimit: limitOfConnection(principal, { businessId, appUrl }),
  }
}

/**
 * Whether the same message may be queued again within two minutes. Models repeat themselves, so a
 * tool call is guarded, unless its idempotency key says what a repetition is. Programs send what
 * they are told, unless they ask to be guarded.
 */
export function allowsDuplicate(
  { isToolCall, hasKey }: Pick<BusinessContext, 'isToolCall' | 'hasKey'>,
  isWanted: boolean | undefined,
): boolean {
  return hasKey || (isWanted ?? !isToolCall)
}
