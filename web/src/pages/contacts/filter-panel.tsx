import { Suspense, useState } from 'react'
import { useMay } from '../../api/businesses.ts'
import { FilterRows } from '../../parts/filter/filter-rows.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { filterWords } from '../../words/filters.ts'
import { useContactsSearch } from './use-contacts-search.ts'

const SaveSegment = lazyPart(() => import('./save-segment.tsx'), 'SaveSegment')

/** The filter in rows. The list follows each change, and the filter can be saved as a segment. */
export function FilterPanel() {
  const { search, change } = useContactsSearch()
  const may = useMay('editor')
  const [saving, setSaving] = useState(false)
  return (
    <section
      aria-label={filterWords.title}
      className="max-h-[50vh] overflow-y-auto border-b border-line bg-sunken px-5 py-3 max-sm:px-4"
    >
      <FilterRows filter={search.filter} onChange={(filter) => change({ filter }, true)} />
      {may && search.filter && (
        <div className="sticky -bottom-3 -mb-3 flex justify-end bg-sunken py-3">
          <Button onClick={() => setSaving(true)}>{filterWords.save}</Button>
        </div>
      )}
      {saving && (
        <Suspense>
          <SaveSegment onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </section>
  )
}
