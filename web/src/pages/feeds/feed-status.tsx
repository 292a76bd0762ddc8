import { Badge } from '../../ui/badge.tsx'
import { feedWords } from '../../words/feeds.ts'

interface FeedStatusProps {
  feed: {
    status: 'draft' | 'awaiting_approval' | 'running' | 'paused'
    start_waits: boolean
    problem: string | null
  }
}

export function FeedStatus({ feed: { status, start_waits: waits, problem } }: FeedStatusProps) {
  const w = feedWords.states
  if (waits) {
    return (
      <Badge tone="warn" icon="clock">
        {w.awaiting_approval}
      </Badge>
    )
  }
  if (status === 'running' && problem !== null) {
    return (
      <Badge tone="bad" icon="warn">
        {w.broken}
      </Badge>
    )
  }
  if (status === 'running') return <Badge tone="live">{w.running}</Badge>
  return <Badge tone={status === 'paused' ? 'warn' : 'calm'}>{w[status]}</Badge>
}
