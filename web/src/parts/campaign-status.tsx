import { Badge, type Tone } from '../ui/badge.tsx'
import type { IconName } from '../ui/icon.tsx'
import { campaignWords } from '../words/campaigns.ts'

export type CampaignState = keyof typeof campaignWords.status

const looks: Record<CampaignState, { tone: Tone; icon?: IconName }> = {
  draft: { tone: 'calm' },
  awaiting_approval: { tone: 'warn', icon: 'clock' },
  scheduled: { tone: 'live', icon: 'clock' },
  deployed: { tone: 'live' },
  paused: { tone: 'warn', icon: 'pause' },
  completed: { tone: 'good' },
  cancelled: { tone: 'calm', icon: 'close' },
}

export function CampaignStatus({ status }: { status: CampaignState }) {
  return <Badge {...looks[status]}>{campaignWords.status[status]}</Badge>
}
