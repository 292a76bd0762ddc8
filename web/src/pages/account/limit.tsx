/** Sets what a connection may do: only read, how many recipients a day, and in which businesses. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { changesOf, LimitFields, limitsOf } from '../../parts/connections/limit-fields.tsx'
import { SaveFailure } from '../../parts/connections/save-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { accountWords } from '../../words/account.ts'
import { words } from '../../words/words.ts'
import { type Connection, nameOf } from './connection-name.ts'

export function Limit({ one, onClose }: { one: Connection; onClose: () => void }) {
  const { connections, limits } = accountWords()
  const { connection_id, businesses } = one
  const [typed, setTyped] = useState(limitsOf(one))
  const [kept, setKept] = useState(businesses.map(({ business_id }) => business_id))
  const changes = changesOf(one, typed)
  const takesBusiness = kept.length < businesses.length
  const work = useMutation({
    meta: { asksForFreshSignIn: true },
    mutationFn: () =>
      api.connection.save({
        connection_id,
        ...changes,
        ...(takesBusiness && { business_ids: kept }),
      }),
    onSuccess: () => {
      tell(connections.limited)
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
      title={connections.limitTitle(nameOf(one))}
      description={connections.limitText}
    >
      <form className="grid gap-4" onSubmit={submit}>
        <LimitFields
          one={one}
          typed={typed}
          onChange={setTyped}
          fault={faultOf(work.error)('recipients_per_day')}
        />
        {businesses.length > 1 && (
          <fieldset className="grid gap-2">
            <legend className="pb-1 text-sm font-medium">{connections.keeps}</legend>
            {businesses.map(({ business_id, name }) => (
              <Checkbox
                key={business_id}
                label={name}
                checked={kept.includes(business_id)}
                disabled={kept.length === 1 && kept.includes(business_id)}
                onChange={({ target }) =>
                  setKept(
                    target.checked
                      ? [...kept, business_id]
                      : kept.filter((id) => id !== business_id),
                  )
                }
              />
            ))}
          </fieldset>
        )}
        <SaveFailure error={work.error} signInAgain={limits.signInAgain} />
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="main"
            type="submit"
            busy={work.isPending}
            disabled={Object.keys(changes).length === 0 && !takesBusiness}
          >
            {connections.limit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
