/** Where a template was used, and what became of it month by month. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { CampaignStatus } from '../../parts/campaign-status.tsx'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { templateWords } from '../../words/lists.ts'
import { language } from '../../words/texts.ts'
import { number, percent } from '../../words/words.ts'

type Answer = Awaited<ReturnType<typeof api.template.results>>

export function Results({ template_id, onClose }: { template_id: string; onClose: () => void }) {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['template.results', business_id, template_id],
    queryFn: ({ signal }) => api.template.results({ business_id, template_id }, { signal }),
  })
  return (
    <Drawer open onClose={onClose} title={templateWords.results.title}>
      <div className="grid gap-6 p-4">
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={6} />}
        {data && (
          <>
            <Months months={data.months} />
            <Uses results={data} />
          </>
        )}
      </div>
    </Drawer>
  )
}

function Months({ months }: Pick<Answer, 'months'>) {
  const w = templateWords.results
  if (months.length === 0) return <p className="text-muted">{w.none}</p>
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">{w.byMonth}</h3>
      {months.length > 1 && <BarChart label={w.sent} values={months.map(({ sent }) => sent)} />}
      <table className="w-full tabular-nums">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            <th className="py-1.5 text-left font-normal">{w.month}</th>
            <th className="py-1.5 text-right font-normal">{w.sent}</th>
            <th className="py-1.5 text-right font-normal">{w.opened}</th>
            <th className="py-1.5 text-right font-normal">{w.clicked}</th>
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map(({ month, sent, opened, clicked }) => (
            <tr key={month} className="border-b border-line">
              <th className="py-1.5 text-left font-normal">{monthName(month)}</th>
              <td className="py-1.5 text-right">{number(sent)}</td>
              <td className="py-1.5 text-right">{withShare(opened, sent)}</td>
              <td className="py-1.5 text-right">{withShare(clicked, sent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Uses({ results }: { results: Answer }) {
  const business = useBusinessId()
  const w = templateWords.results
  const { campaigns, messages_30_days, connections_30_days, looked_at } = results
  return (
    <section className="grid gap-3">
      <h3 className="font-medium">{w.campaigns}</h3>
      {campaigns.length === 0 && <p className="text-muted">{w.noCampaigns}</p>}
      {campaigns.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
          {campaigns.map(({ campaign_id, name, status }) => (
            <li key={campaign_id} className="flex min-h-10 items-center gap-3 px-3 py-1.5">
              <Link
                to="/$business/campaigns/$campaign"
                params={{ business, campaign: campaign_id }}
                className="min-w-0 flex-1 truncate font-medium hover:underline"
              >
                <bdi>{name}</bdi>
              </Link>
              <CampaignStatus status={status} />
            </li>
          ))}
        </ul>
      )}
      {messages_30_days > 0 && (
        <p className="text-muted">
          {w.messages(number(messages_30_days))}
          <br />
          {w.connections(number(connections_30_days))}
        </p>
      )}
      {looked_at >= mostMessages && (
        <p className="text-sm text-muted">{w.looked(number(looked_at))}</p>
      )}
    </section>
  )
}

/** The most single messages that the service counts. */
const mostMessages = 5_000

function withShare(count: number, sent: number): string {
  return sent === 0 || count === 0 ? number(count) : `${number(count)} (${percent(count / sent)})`
}

function monthName(month: string): string {
  const format = new Intl.DateTimeFormat(language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}
