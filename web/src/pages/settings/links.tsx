import { type Utm, UtmExample, UtmFields } from '../../parts/utm/utm-fields.tsx'
import { Card } from '../../ui/page.tsx'
import { settingsWords } from '../../words/settings.ts'

interface LinksProps<C> {
  settings: { utm: Utm | null }
  changes: C
  setChanges: (changes: C) => void
  fault: (field: string) => string | undefined
}

/** What links of campaigns get, unless a campaign has its own values. */
export function Links<C extends { utm?: object }>(props: LinksProps<C>) {
  const { settings, changes, setChanges, fault } = props
  const values: Utm = changes.utm ?? settings.utm ?? {}
  return (
    <Card title={settingsWords.utm.title}>
      <div className="grid gap-4">
        <p className="text-muted">{settingsWords.utm.about}</p>
        <UtmFields
          values={values}
          onChange={(utm) => setChanges({ ...changes, utm })}
          fault={fault}
        />
        <UtmExample values={values} name={settingsWords.utm.fields.campaign} />
      </div>
    </Card>
  )
}
