import { Badge, type Tone } from '../ui/badge.tsx'
import type { IconName } from '../ui/icon.tsx'
import { messageWords } from '../words/lists.ts'

export type MessageState =
  | 'scheduled'
  | 'queued'
  | 'attempting'
  | 'accepted'
  | 'deferred'
  | 'delivered'
  | 'bounced'
  | 'failed'
  | 'unknown'
  | 'suppressed'
  | 'cancelled'

const looks: Record<MessageState, { tone: Tone; icon?: IconName }> = {
  scheduled: { tone: 'calm', icon: 'clock' },
  queued: { tone: 'calm', icon: 'clock' },
  attempting: { tone: 'live' },
  accepted: { tone: 'good' },
  deferred: { tone: 'warn', icon: 'clock' },
  delivered: { tone: 'good' },
  bounced: { tone: 'bad' },
  failed: { tone: 'bad' },
  unknown: { tone: 'warn' },
  suppressed: { tone: 'calm', icon: 'pause' },
  cancelled: { tone: 'calm', icon: 'close' },
}

export function MessageStatus({ status }: { status: MessageState }) {
  return <Badge {...looks[status]}>{messageWords.status[status] ?? status}</Badge>
}
