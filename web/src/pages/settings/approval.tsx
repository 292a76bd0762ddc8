import { useState } from 'react'
import { Checkbox, Input } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { settingsWords } from '../../words/settings.ts'
import type { PartProps } from './model.ts'

const choices = ['none', 'some', 'all'] as const
type Choice = (typeof choices)[number]

/** What the number of recipients begins with, as for a new business. */
const usualLimit = 1_000

/** Which campaigns wait for a person, and whether that person must be another one. */
export function Approval({ settings, changes, setChanges, fault }: PartProps) {
  const { safety } = settingsWords
  // The field of the number stays while it is empty, which would otherwise mean all campaigns.
  const [typesNumber, setTypesNumber] = useState(false)
  const limit = changes.deploy_limit === undefined ? settings.deploy_limit : changes.deploy_limit
  const twoPeople = changes.two_people ?? settings.two_people
  const chosen = choiceOf(limit, typesNumber)

  function choose(choice: Choice) {
    setTypesNumber(choice === 'some')
    if (choice === 'none') setChanges({ ...changes, deploy_limit: null, two_people: false })
    if (choice === 'all') setChanges({ ...changes, deploy_limit: 0 })
    if (choice === 'some') {
      setChanges({ ...changes, deploy_limit: settings.deploy_limit || usualLimit })
    }
  }

  return (
    <Card title={safety.title}>
      <div className="grid gap-4">
        <fieldset className="grid gap-2">
          <legend className="pb-2 font-medium">{safety.which}</legend>
          {choices.map((choice) => (
            <label key={choice} className="flex items-center gap-2 max-sm:py-1">
              <input
                type="radio"
                name="approval"
                className="size-3.5 accent-accent"
                checked={chosen === choice}
                onChange={() => choose(choice)}
              />
              {safety.choices[choice]}
            </label>
          ))}
        </fieldset>
        {chosen === 'some' && (
          <div className="max-w-80">
            <Input
              label={safety.limit}
              hint={safety.limitHint}
              type="number"
              min={1}
              required
              value={limit || ''}
              onChange={({ target }) => {
                setTypesNumber(true)
                setChanges({ ...changes, deploy_limit: Number(target.value) })
              }}
              fault={fault('deploy_limit')}
            />
          </div>
        )}
        <Checkbox
          label={safety.twoPeople}
          hint={safety.twoPeopleHints[chosen]}
          checked={twoPeople}
          disabled={chosen === 'none' && !twoPeople}
          onChange={({ target }) => setChanges({ ...changes, two_people: target.checked })}
        />
        {chosen === 'none' && twoPeople && (
          <p className="flex gap-2 rounded-lg bg-warn-ground p-3">
            <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
            {safety.idle}
          </p>
        )}
        {chosen !== 'none' && !twoPeople && <p className="text-sm text-muted">{safety.alone}</p>}
      </div>
    </Card>
  )
}

function choiceOf(limit: number | null, typesNumber: boolean): Choice {
  if (limit === null) return 'none'
  return limit === 0 && !typesNumber ? 'all' : 'some'
}
