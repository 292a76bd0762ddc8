/** What became of the mail of the last 30 days at each mailbox provider, in short. */
import { Card } from '../ui/page.tsx'
import { campaignWords } from '../words/campaigns.ts'
import { type CountedProvider, mostTried, ProviderCounts } from './provider-counts.tsx'

interface ReportedProvider extends CountedProvider {
  complaints_reported: boolean
}

export function ProviderTotals({ providers }: { providers: readonly ReportedProvider[] }) {
  if (providers.length === 0) return null
  const most = mostTried(providers)
  const isHeard = providers.some((one) => one.complaints_reported)
  return (
    <Card title={campaignWords.results.byProvider.lately}>
      <ul className="grid gap-3">
        {providers.map((one) => (
          <li key={one.provider ?? ''} className="grid gap-1">
            <ProviderCounts
              one={one}
              most={most}
              troublesOnly
              isSilent={isHeard && !one.complaints_reported}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}
