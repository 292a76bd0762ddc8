/** The results of a campaign by the provider that receives its mail. */
import { Suspense, useState } from 'react'
import { useMay } from '../../api/businesses.ts'
import { mostTried, ProviderCounts, providerLabel } from '../../parts/provider-counts.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { requirementWords } from '../../words/sender-requirements.ts'
import { ago, number } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import type { HeldProvider } from './lift-hold.tsx'

const LiftHold = lazyPart(() => import('./lift-hold.tsx'), 'LiftHold')

type Provider = WholeCampaign['providers'][number]

export function Providers({ campaign }: { campaign: WholeCampaign }) {
  const { byProvider } = campaignWords.results
  const [lifted, lift] = useState<HeldProvider>()
  if (campaign.providers.length === 0) return null
  const most = mostTried(campaign.providers)
  return (
    <section className="grid gap-2">
      <h3 className="text-sm text-muted">{byProvider.title}</h3>
      <ul className="divide-y divide-line border-y border-line">
        {campaign.providers.map((provider) => (
          <ProviderLine
            key={provider.provider ?? ''}
            one={provider}
            most={most}
            isHeard={campaign.complaints_reported}
            onLift={lift}
          />
        ))}
      </ul>
      <Suspense>
        {lifted && (
          <LiftHold
            campaignId={campaign.campaign_id}
            held={lifted}
            onClose={() => lift(undefined)}
          />
        )}
      </Suspense>
    </section>
  )
}

interface ProviderLineProps {
  one: Provider
  most: number
  /** Whether complaints are reported by any provider. */
  isHeard: boolean
  onLift: (held: HeldProvider) => void
}

function ProviderLine({ one, most, isHeard, onLift }: ProviderLineProps) {
  const { byProvider } = campaignWords.results
  const may = useMay('admin')
  const name = providerLabel(one)
  return (
    <li className="grid gap-1.5 py-2.5">
      <ProviderCounts
        one={one}
        most={most}
        isSilent={isHeard && !one.complaints_reported}
        badge={one.held && <Badge tone="warn">{byProvider.held}</Badge>}
      />
      {one.held && (
        <div className="flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 basis-64">
            {byProvider.heldText[one.held.reason](ago(one.held.until))}
          </p>
          {one.provider !== null && may && (
            <Button
              aria-label={`${byProvider.lift}: ${name}`}
              onClick={() =>
                onLift({ provider: one.provider ?? '', name, until: one.held?.until ?? '' })
              }
            >
              {byProvider.lift}
            </Button>
          )}
        </div>
      )}
      {one.missing && (
        <ul className="grid gap-0.5">
          {one.missing.map((requirement) => (
            <li key={requirement}>{requirementWords[requirement]}</li>
          ))}
        </ul>
      )}
      {one.refusals && (
        <div className="grid gap-0.5 text-sm">
          <h4 className="text-muted">{byProvider.commonest}</h4>
          <ul className="grid gap-0.5">
            {one.refusals.map((refusal) => (
              <li key={refusal.words} className="flex gap-2">
                <span className="shrink-0 tabular-nums">{number(refusal.count)}</span>
                <bdi className="min-w-0 break-words text-muted">{refusal.words}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  )
}
