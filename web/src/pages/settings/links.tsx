import { type Utm, UtmExample, UtmFields } from '../../parts/utm/utm-fields.tsx'
import { Card } from '../../ui/page.tsx'
import { words } from '../../words/words.ts'

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
    <Card title={words.settings.utm.title}>
      <div className="grid gap-4">
        <p className="text-muted">{words.settings.utm.about}</p>
        <UtmFields
          values={values}
          onChange={(utm) => setChanges({ ...changes, utm })}
          fault={fault}
        />
        <UtmExample values={values} name={words.settings.utm.fields.campaign} />
      </div>
    </Card>
  )
}
