import { useEffect, useState } from 'react'
import { ProgressBar } from '../../ui/bar-chart.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { number, percent } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { type CampaignProgress, useProgress } from './use-progress.ts'

export function Progress({ campaign }: { campaign: WholeCampaign }) {
  const isGoing = campaign.status === 'deployed'
  const { data } = useProgress(campaign.campaign_id, isGoing)
  const { run } = campaignWords
  if (!data || data.recipients === 0) return null
  const { done, recipients } = data
  const share = done / recipients
  const line = `${run.of(number(done), number(recipients))} · ${percent(share)}`
  return (
    <Card>
      <div className="grid gap-2.5">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="text-lg font-semibold tabular-nums">{line}</span>
          {isGoing && <span className="text-muted tabular-nums">{paceOf(data)}</span>}
        </p>
        <ProgressBar share={share} label={campaign.name} />
        {campaign.status === 'paused' && (
          <p className="flex items-start gap-2">
            <Icon name="pause" className="mt-0.5 shrink-0 text-warn" />
            <span>
              {run.pauseReasons[campaign.pause_reason ?? '']}{' '}
              {run.paused(number(recipients - done))}
            </span>
          </p>
        )}
        <Announced text={line} />
      </div>
    </Card>
  )
}

function paceOf({ per_minute, seconds_left }: CampaignProgress): string {
  const { run } = campaignWords
  const rate = run.rate(number(per_minute))
  return seconds_left === null ? rate : `${rate} · ${run.left(durationOf(seconds_left))}`
}

function durationOf(seconds: number): string {
  const { run } = campaignWords
  if (seconds < 90) return run.seconds(number(seconds))
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? run.minutes(number(minutes)) : run.hours(number(Math.round(minutes / 60)))
}

/** Announces to screen readers at most every five seconds. */
function Announced({ text }: { text: string }) {
  const [told, tell] = useState(text)
  useEffect(() => {
    if (told === text) return
    const timer = setTimeout(() => tell(text), 5_000)
    return () => clearTimeout(timer)
  }, [told, text])
  return (
    <p aria-live="polite" className="sr-only">
      {told}
    </p>
  )
}
