/** A condition that may be there or not: added, changed as rows, or read and removed where rows cannot say it. */
import { Suspense } from 'react'
import { filterInWords } from '../../parts/filter/filter-words.ts'
import { type Filter, toGroup, unfinished } from '../../parts/filter/model.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Skeleton } from '../../ui/states.tsx'
import { automationWords } from '../../words/automations.ts'

// Most automations have few conditions, and their editor is large.
const FilterRows = lazyPart(() => import('../../parts/filter/filter-rows.tsx'), 'FilterRows')

interface ConditionProps {
  /** The heading; none where the label of what is around it says enough. */
  name?: string
  about?: string
  /** The button that adds the condition. Without it, the condition is always there. */
  add?: string
  filter: Filter | undefined
  onChange: (filter: Filter | undefined) => void
}

const isEmpty = (filter: Filter) => Object.keys(filter).length === 0

export function ConditionField({ name, about, add, filter, onChange }: ConditionProps) {
  const w = automationWords
  const isThere = filter !== undefined || add === undefined
  const given = filter && !isEmpty(filter) ? filter : undefined
  return (
    <div className="grid gap-2">
      {name && (
        <div className="grid">
          <h3 className="text-sm font-medium">{name}</h3>
          {about && <p className="text-sm text-muted">{about}</p>}
        </div>
      )}
      {!isThere && (
        <div>
          <Button look="quiet" icon="plus" className="-ml-2.5" onClick={() => onChange(unfinished)}>
            {add}
          </Button>
        </div>
      )}
      {isThere && (
        <div className="grid gap-2 rounded-lg border border-line p-3">
          {given && !toGroup(given) ? (
            <p>
              <bdi>{filterInWords(given)}</bdi>
            </p>
          ) : (
            <Suspense fallback={<Skeleton lines={2} />}>
              <FilterRows
                isWithinAutomation
                filter={given}
                onChange={(next: Filter | undefined) => onChange(next ?? unfinished)}
              />
            </Suspense>
          )}
          {(add !== undefined || (given && !toGroup(given))) && (
            <div>
              <Button
                look="quiet"
                icon="close"
                className="-ml-2.5"
                onClick={() => onChange(add === undefined ? unfinished : undefined)}
              >
                {w.removeCondition}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  )
}
