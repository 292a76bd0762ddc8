/** What became of the mail of the last 30 days at each mailbox provider, in short. */
import type { api } from '../api/client.ts'
import { Card } from '../ui/page.tsx'
import { SharesBar } from '../ui/shares-bar.tsx'
import { number, words } from '../words/words.ts'
import { providerName } from './provider-name.ts'

type Totals = Awaited<ReturnType<typeof api.meta.usage>>['providers'][number]

const troubles = ['deferred', 'refused', 'bounced', 'complained'] as const

export function ProviderTotals({ providers }: { providers: readonly Totals[] }) {
  const { byProvider } = words.campaigns.results
  if (providers.length === 0) return null
  const most = Math.max(...providers.map(({ sent, refused }) => sent + refused))
  return (
    <Card title={byProvider.lately}>
      <ul className="grid gap-3">
        {providers.map((one) => {
          const name = providerName(one.provider) ?? byProvider.others
          const lost = one.refused + one.bounced
          return (
            <li key={one.provider ?? ''} className="grid gap-1">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <bdi className="min-w-0 flex-1 truncate font-medium sm:w-36 sm:flex-none">
                  {name}
                </bdi>
                <span className="order-last basis-full sm:order-none sm:flex-1 sm:basis-0">
                  <SharesBar
                    label={byProvider.bar(name, number(one.sent), number(lost))}
                    whole={most}
                    shares={[
                      { value: one.sent - one.bounced, look: 'fill-accent' },
                      { value: lost, look: 'fill-bad' },
                    ]}
                  />
                </span>
                <span className="w-16 text-right font-semibold tabular-nums">
                  {number(one.sent)}
                </span>
              </div>
              {troubles.some((counter) => one[counter] > 0) && (
                <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm">
                  {troubles
                    .filter((counter) => one[counter] > 0)
                    .map((counter) => (
                      <div key={counter} className="flex gap-1">
                        <dt className="text-muted">{byProvider[counter]}</dt>
                        <dd className="tabular-nums">{number(one[counter])}</dd>
                      </div>
                    ))}
                </dl>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
