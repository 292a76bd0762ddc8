/** What became of the mail at one mailbox provider: its name, a bar of its share, and the counts. */
import type { ReactNode } from 'react'
import { SharesBar } from '../ui/shares-bar.tsx'
import { campaignWords } from '../words/campaigns.ts'
import { number } from '../words/words.ts'
import { providerName } from './provider-name.ts'

const counters = ['delivered', 'deferred', 'refused', 'bounced', 'complained'] as const

export interface CountedProvider extends Record<(typeof counters)[number], number> {
  /** Null: all further providers together. */
  provider: string | null
  sent: number
}

export const providerLabel = ({ provider }: Pick<CountedProvider, 'provider'>) =>
  providerName(provider) ?? campaignWords.results.byProvider.others

/** All that the provider answered for good. The longest bar is that of the provider with the most. */
export const mostTried = (providers: readonly CountedProvider[]) =>
  Math.max(...providers.map(({ sent, refused }) => sent + refused))

interface ProviderCountsProps {
  one: CountedProvider
  most: number
  /** After the name. */
  badge?: ReactNode
  /** Whether only what went wrong is told. */
  troublesOnly?: boolean
  /** Whether it is told that this provider reports no complaints. */
  isSilent?: boolean
}

export function ProviderCounts({ one, most, badge, troublesOnly, isSilent }: ProviderCountsProps) {
  const { byProvider } = campaignWords.results
  const name = providerLabel(one)
  const lost = one.refused + one.bounced
  const told = counters.filter(
    (counter) => one[counter] > 0 && !(troublesOnly && counter === 'delivered'),
  )
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 flex-1 items-center gap-2 font-medium sm:w-44 sm:flex-none">
          <bdi className="truncate">{name}</bdi>
          {badge}
        </span>
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
        <span className="w-16 text-right font-semibold tabular-nums">{number(one.sent)}</span>
      </div>
      {(told.length > 0 || isSilent) && (
        <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm sm:pl-47">
          {told.map((counter) => (
            <div key={counter} className="flex gap-1">
              <dt className="text-muted">{byProvider[counter]}</dt>
              <dd className="tabular-nums">{number(one[counter])}</dd>
            </div>
          ))}
          {isSilent && (
            <div className="flex gap-1 text-muted">
              <dt>{byProvider.complained}</dt>
              <dd>{campaignWords.results.notReported}</dd>
            </div>
          )}
        </dl>
      )}
    </>
  )
}
