import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { FilterRows } from '../../parts/filter/filter-rows.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { filterWords } from '../../words/filters.ts'
import { words } from '../../words/words.ts'
import { useContactsSearch } from './use-contacts-search.ts'

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
        <div className="flex justify-end">
          <Button onClick={() => setSaving(true)}>{filterWords.save}</Button>
        </div>
      )}
      {saving && <SaveSegment onClose={() => setSaving(false)} />}
    </section>
  )
}

function SaveSegment({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const { search } = useContactsSearch()
  const [name, setName] = useState('')
  const filters = filterWords
  const save = useMutation({
    mutationFn: () => api.segment.save({ business_id, name, filter: search.filter ?? {} }),
    onSuccess: () => {
      tell(filters.saved(name))
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={filters.save}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Input
          label={filters.saveName}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={save.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
