import { type Utm, UtmExample, UtmFields } from '../../parts/utm/utm-fields.tsx'
import { Card } from '../../ui/page.tsx'
import { utmWords } from '../../words/utm.ts'

interface LinksProps {
  values: Utm
  onChange: (values: Utm) => void
  fault: (field: string) => string | undefined
}

/** What links of campaigns get, unless a campaign has its own values. */
export function Links({ values, onChange, fault }: LinksProps) {
  return (
    <Card title={utmWords.title}>
      <div className="grid gap-4">
        <p className="text-muted">{utmWords.about}</p>
        <UtmFields {...{ values, onChange, fault }} />
        <UtmExample values={values} name={utmWords.fields.campaign} />
      </div>
    </Card>
  )
}
