import { Badge, type Tone } from '../ui/badge.tsx'
import type { IconName } from '../ui/icon.tsx'
import { automationWords } from '../words/automations.ts'

export type AutomationState = keyof typeof automationWords.states

const looks: Record<AutomationState, { tone: Tone; icon?: IconName }> = {
  draft: { tone: 'calm' },
  awaiting_approval: { tone: 'warn', icon: 'clock' },
  running: { tone: 'live' },
  paused: { tone: 'warn', icon: 'pause' },
  stopped: { tone: 'calm', icon: 'close' },
}

export function AutomationStatus({ status }: { status: AutomationState }) {
  return <Badge {...looks[status]}>{automationWords.states[status]}</Badge>
}
