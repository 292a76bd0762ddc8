import { Checkbox, Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { words } from '../../words/words.ts'
import type { PartProps } from './model.ts'

/** When a campaign waits for a person. */
export function Approval({ settings, changes, setChanges, fault }: PartProps) {
  const { safety } = words.settings
  const limit = changes.deploy_limit === undefined ? settings.deploy_limit : changes.deploy_limit
  return (
    <Card title={safety.title}>
      <div className="grid gap-4">
        <div className="max-w-64">
          <Input
            label={safety.limit}
            hint={safety.limitHint}
            type="number"
            min={0}
            value={limit ?? ''}
            onChange={({ target }) =>
              setChanges({
                ...changes,
                deploy_limit: target.value === '' ? null : Number(target.value),
              })
            }
            fault={fault('deploy_limit')}
          />
        </div>
        <Checkbox
          label={safety.twoPeople}
          hint={safety.twoPeopleHint}
          checked={changes.two_people ?? settings.two_people}
          onChange={({ target }) => setChanges({ ...changes, two_people: target.checked })}
        />
      </div>
    </Card>
  )
}
