/** What each tier allows, and how many businesses have it, for the operator. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Card, Fact, Facts } from '../../ui/page.tsx'
import { operatorWords } from '../../words/operator.ts'
import { number } from '../../words/words.ts'
import { OperatorPage } from './frame.tsx'

export function OperatorTiers() {
  const { tiers, tierNames } = operatorWords
  const business = useBusinessId()
  const query = useQuery({
    queryKey: ['operator.tiers'],
    queryFn: ({ signal }) => api.operator.tiers({}, { signal }),
  })
  return (
    <OperatorPage title={tiers.title} query={query}>
      {(answer) => (
        <>
          <p className="text-muted">{tiers.about}</p>
          <div className="grid gap-4 lg:grid-cols-3">
            {answer.tiers.map(({ tier, businesses, limits }) => (
              <Card key={tier} title={tierNames[tier] ?? tier}>
                <div className="grid gap-4">
                  <Facts>
                    {Object.entries(limits).map(([metric, limit]) => (
                      <Fact key={metric} name={tiers.limits[metric] ?? metric}>
                        <span className="tabular-nums">
                          {limit === null ? tiers.noLimit : number(limit)}
                        </span>
                      </Fact>
                    ))}
                  </Facts>
                  <p>
                    {tiers.has(businesses)}
                    {businesses > 0 && (
                      <>
                        {' · '}
                        <Link
                          to="/$business/operator/businesses"
                          params={{ business }}
                          search={{ tier }}
                          aria-label={`${tiers.show}: ${tierNames[tier] ?? tier}`}
                          className="text-link underline"
                        >
                          {tiers.show}
                        </Link>
                      </>
                    )}
                  </p>
                </div>
              </Card>
            ))}
          </div>
        </>
      )}
    </OperatorPage>
  )
}
