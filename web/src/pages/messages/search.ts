import type { MessageState } from '../../parts/message-status.tsx'

export interface MessagesSearch {
  status?: MessageState
  /** The message in the drawer. */
  open?: string
}

export function readMessagesSearch({ status, open }: Record<string, unknown>): MessagesSearch {
  return {
    ...(typeof status === 'string' && { status: status as MessageState }),
    ...(typeof open === 'string' && { open }),
  }
}
