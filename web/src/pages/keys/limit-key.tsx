/** Sets what an API key may do: only read, and how many recipients a day. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { changesOf, LimitFields, limitsOf } from '../../parts/connections/limit-fields.tsx'
import { SaveFailure } from '../../parts/connections/save-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { accountWords } from '../../words/account.ts'
import { keyWords } from '../../words/api-keys.ts'
import { words } from '../../words/words.ts'
import type { Key } from './key.ts'

export function LimitKey({ one, onClose }: { one: Key; onClose: () => void }) {
  const business_id = useBusinessId()
  const { connections, limits } = accountWords()
  const apiKeys = keyWords()
  const [typed, setTyped] = useState(limitsOf(one))
  // A key always has a limit, so an empty field is no change.
  const { recipients_per_day: perDay, ...switched } = changesOf(one, typed)
  const changes = { ...switched, ...(typeof perDay === 'number' && { recipients_per_day: perDay }) }
  const work = useMutation({
    meta: { asksForFreshSignIn: true },
    mutationFn: () => api.key.save({ business_id, key_id: one.key_id, ...changes }),
    onSuccess: () => {
      tell(apiKeys.limited)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    work.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={connections.limitTitle(one.name)}
      description={apiKeys.limitText}
    >
      <form className="grid gap-4" noValidate onSubmit={submit}>
        <LimitFields
          isKey
          one={one}
          typed={typed}
          onChange={setTyped}
          fault={faultOf(work.error)('recipients_per_day')}
        />
        <SaveFailure error={work.error} signInAgain={limits.signInAgain} />
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="main"
            type="submit"
            busy={work.isPending}
            disabled={Object.keys(changes).length === 0}
          >
            {connections.limit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
