/** The dialog that saves the filter of the list as a segment. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unfinished } from '../../parts/filter/model.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { filterWords } from '../../words/filters.ts'
import { words } from '../../words/words.ts'
import { useContactsSearch } from './use-contacts-search.ts'

export function SaveSegment({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const { search } = useContactsSearch()
  const [name, setName] = useState('')
  const filters = filterWords
  const save = useMutation({
    mutationFn: () => api.segment.save({ business_id, name, filter: search.filter ?? unfinished }),
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
