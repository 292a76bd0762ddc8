import type { MessageState } from '../../parts/message-status.tsx'

export interface MessagesSearch {
  status?: MessageState
  /** The address or number that the messages went to. */
  to?: string
  /** The message in the drawer. */
  open?: string
}

export function readMessagesSearch({ status, to, open }: Record<string, unknown>): MessagesSearch {
  return {
    ...(typeof status === 'string' && { status: status as MessageState }),
    ...(typeof to === 'string' && to !== '' && { to }),
    ...(typeof open === 'string' && { open }),
  }
}
