/** The results of a campaign, with people and machines counted separately. */
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { colon, moment, number, percent } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { Providers } from './providers.tsx'

const ClicksOnMail = lazyPart(() => import('./clicks/clicks-on-mail.tsx'), 'ClicksOnMail')

const shown = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'unsubscribed',
  'bounced',
  'complained',
  'failed',
] as const

export function Results({ campaign }: { campaign: WholeCampaign }) {
  const { counts } = campaign
  const { results, check } = campaignWords
  const sent = counts['sent'] ?? 0
  const skipped = Object.entries(counts).filter(([metric]) => metric.startsWith('skipped:'))
  const opens = opensOver(campaign.series)
  const total = opens.values.reduce((sum, open) => sum + open, 0)
  return (
    <Card title={results.title}>
      <div className="grid gap-5">
        <dl className="grid grid-cols-2 gap-x-4 gap-y-4 sm:grid-cols-4">
          {shown.map((metric) => {
            if (metric === 'delivered' && !campaign.delivery_reported) {
              return <Accepted key={metric} campaign={campaign} />
            }
            if (metric === 'complained' && !campaign.complaints_reported) {
              return (
                <div key={metric} className="grid content-start">
                  <dt className="text-sm text-muted">{results.complained}</dt>
                  <dd className="text-muted">{results.notReported}</dd>
                </div>
              )
            }
            const count = counts[metric] ?? 0
            const machines = counts[`${metric}_by_machine`] ?? 0
            return (
              <div key={metric} className="grid content-start">
                <dt className="text-sm text-muted">{results[metric]}</dt>
                <dd className="flex items-baseline gap-1.5">
                  <span className="text-xl font-semibold tabular-nums">{number(count)}</span>
                  {metric !== 'sent' && sent > 0 && count > 0 && (
                    <span className="text-sm text-muted tabular-nums">{percent(count / sent)}</span>
                  )}
                </dd>
                {machines > 0 && (
                  <dd className="text-sm text-muted">{results.machines(number(machines))}</dd>
                )}
              </div>
            )
          })}
        </dl>
        {skipped.length > 0 && (
          <p className="text-sm text-muted">
            {results.skipped}
            {colon}
            {skipped
              .map(([metric, count]) => {
                const reason = metric.slice('skipped:'.length)
                return `${number(count)} ${check.reasons[reason] ?? reason}`
              })
              .join(', ')}
          </p>
        )}
        {total > 0 && (
          <div className="grid gap-2">
            <h3 className="text-sm text-muted">{results.chart}</h3>
            <BarChart
              values={opens.values}
              label={results.overTime(number(total))}
              axes={{
                from: moment(opens.from),
                to: moment(opens.to),
                most: number(Math.max(...opens.values)),
              }}
            />
          </div>
        )}
        <Providers campaign={campaign} />
        <Links campaign={campaign} />
        {campaign.channel === 'email' && campaign.links.length > 0 && (
          <Disclosure label={results.clicks}>
            <Suspense fallback={<Skeleton lines={8} />}>
              <ClicksOnMail campaign={campaign} />
            </Suspense>
          </Disclosure>
        )}
        {campaign.revenue.map(({ currency, orders, value }) => (
          <p key={currency}>
            {results.revenue}
            {colon}
            {results.orders(number(orders))} · {number(value)} {currency}
          </p>
        ))}
      </div>
    </Card>
  )
}

/** Opens in steps of the same length, with those in which nobody opened it. */
function opensOver({ step_seconds, points }: WholeCampaign['series']) {
  const step = step_seconds * 1000
  const opened = new Map(
    points.map(({ at: time, opened: count = 0 }) => [Date.parse(String(time)), Number(count)]),
  )
  const times = [...opened.keys()]
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const count = times.length === 0 ? 0 : Math.round((last - first) / step) + 1
  const values = Array.from({ length: count }, (_, place) => opened.get(first + place * step) ?? 0)
  const at = (time: number) => (count === 0 ? '' : new Date(time).toISOString())
  return { values, from: at(first), to: at(last + step) }
}

/** Where arrivals are not reported, all that is known is that the next server has the message. */
function Accepted({ campaign }: { campaign: WholeCampaign }) {
  const { results } = campaignWords
  const { counts, channel, leaves_this_machine } = campaign
  const accepted = Math.max(0, (counts['sent'] ?? 0) - (counts['bounced'] ?? 0))
  return (
    <div className="grid content-start">
      <dt className="text-sm text-muted">{results.accepted}</dt>
      <dd className="text-xl font-semibold tabular-nums">{number(accepted)}</dd>
      {/* The built-in inbox has its own line at the top of the page. */}
      {leaves_this_machine && (
        <dd className="text-sm text-muted">
          {channel === 'email' ? results.acceptedHint : results.acceptedTextHint}
        </dd>
      )}
    </div>
  )
}

function Links({ campaign }: { campaign: WholeCampaign }) {
  const { results } = campaignWords
  const sent = campaign.counts['sent'] ?? 0
  if (campaign.links.length === 0) return null
  return (
    <table className="w-full">
      <thead>
        <tr className="text-left text-sm text-muted">
          <th scope="col" className="border-b border-line py-1 font-medium">
            {results.links}
          </th>
          <th scope="col" className="w-28 border-b border-line py-1 text-right font-medium">
            {results.people}
          </th>
          <th scope="col" className="w-24 border-b border-line py-1 text-right font-medium">
            {results.machineClicks}
          </th>
        </tr>
      </thead>
      <tbody>
        {campaign.links.map(({ url, people, machines }) => (
          <tr key={url}>
            <td className="max-w-0 truncate border-b border-line py-1.5">
              {people > 0 ? (
                <Link
                  from="/$business/campaigns/$campaign"
                  search={{ link: url }}
                  hash="recipients"
                  title={results.whoFollowed}
                  className="text-link hover:underline"
                >
                  <bdi>{url}</bdi>
                </Link>
              ) : (
                <bdi>{url}</bdi>
              )}
            </td>
            <td className="border-b border-line text-right tabular-nums">
              {number(people)}
              {sent > 0 && people > 0 && (
                <span className="text-muted"> {percent(people / sent)}</span>
              )}
            </td>
            <td className="border-b border-line text-right text-muted tabular-nums">
              {number(machines)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
