/** Takes rights from a connection: all but reading, or some of its businesses. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { accountWords } from '../../words/account.ts'
import { words } from '../../words/words.ts'
import { type Connection, isReadOnly, nameOf } from './connection-name.ts'

export function Limit({ one, onClose }: { one: Connection; onClose: () => void }) {
  const { connections } = accountWords()
  const { connection_id, businesses } = one
  const [readOnly, setReadOnly] = useState(isReadOnly(one))
  const [kept, setKept] = useState(businesses.map(({ business_id }) => business_id))
  const takesBusiness = kept.length < businesses.length
  const takesWriting = readOnly && !isReadOnly(one)
  const work = useMutation({
    mutationFn: () =>
      api.connection.save({
        connection_id,
        ...(takesWriting && { read_only: true }),
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
        <Checkbox
          label={connections.readOnlyBox}
          hint={connections.readOnlyHint}
          checked={readOnly}
          disabled={isReadOnly(one)}
          onChange={({ target }) => setReadOnly(target.checked)}
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
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="main"
            type="submit"
            busy={work.isPending}
            disabled={!takesWriting && !takesBusiness}
          >
            {connections.limit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
