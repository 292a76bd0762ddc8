/** For how many months each kind of data is stored, and what the next night deletes. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { settingsWords } from '../../words/settings.ts'

const kinds = ['messages', 'evidence', 'submissions', 'contacts', 'history', 'events'] as const

/** Caps on marketing and requests for permission look back over half a year. */
const fewest = { history: 6, events: 6 } as const
const isHistory = (kind: (typeof kinds)[number]): kind is keyof typeof fewest => kind in fewest
type Months = { [K in (typeof kinds)[number]]?: number | null }

export function Retention({
  saved,
  changes,
  setChanges,
  fault,
}: {
  saved: Months
  changes: Months | undefined
  setChanges: (changes: Months) => void
  fault: (field: string) => string | undefined
}) {
  const business_id = useBusinessId()
  const { retention } = settingsWords
  const { data } = useQuery({
    queryKey: ['retention.preview', business_id, saved],
    queryFn: ({ signal }) => api.retention.preview({ business_id }, { signal }),
  })
  const whole = { ...saved, ...changes }
  return (
    <Card title={retention.title}>
      <div className="grid gap-4">
        <p className="text-muted">{retention.text}</p>
        {data?.most_months != null && (
          <p className="text-muted">{retention.most(data.most_months)}</p>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          {kinds.map((kind) => {
            const next = data?.[kind]
            return (
              <Input
                key={kind}
                label={retention.kinds[kind]}
                type="number"
                min={isHistory(kind) ? fewest[kind] : 1}
                max={(isHistory(kind) && data?.most_months) || 120}
                placeholder={isHistory(kind) && data?.most_months ? `${data.most_months}` : ''}
                value={whole[kind] ?? ''}
                onChange={({ target }) =>
                  setChanges({
                    ...changes,
                    [kind]: target.value === '' ? null : Number(target.value),
                  })
                }
                {...(next && next.months !== null && { hint: retention.next(next) })}
                fault={fault(`retention.${kind}`)}
              />
            )
          })}
        </div>
      </div>
    </Card>
  )
}
