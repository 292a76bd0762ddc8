/** Sets what a connection may do: only read, how many recipients a day, and in which businesses. */
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { LimitDialog } from '../../parts/connections/limit-dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { connectionWords } from '../../words/account.ts'
import { type Connection, nameOf } from './connection-name.ts'

export function Limit({ one, onClose }: { one: Connection; onClose: () => void }) {
  const connections = connectionWords
  const { connection_id, businesses } = one
  const [kept, setKept] = useState(businesses.map(({ business_id }) => business_id))
  const [seesMasked, setSeesMasked] = useState(one.sees === 'masked')
  const [takesOut, setTakesOut] = useState(one.takes_data_out)
  const sees = seesMasked ? ('masked' as const) : ('full' as const)
  const takesBusiness = kept.length < businesses.length
  return (
    <LimitDialog
      one={one}
      name={nameOf(one)}
      about={connections.limitText}
      saved={connections.limited}
      changed={(changes) => ({
        ...changes,
        ...(sees !== one.sees && { sees }),
        ...(takesOut !== one.takes_data_out && { takes_data_out: takesOut }),
        ...(takesBusiness && { business_ids: kept }),
      })}
      save={(changes) => api.connection.save({ connection_id, ...changes })}
      onClose={onClose}
    >
      <Checkbox
        label={connections.masked}
        hint={connections.maskedHint}
        checked={seesMasked}
        onChange={({ target }) => setSeesMasked(target.checked)}
      />
      <Checkbox
        label={connections.takesOut}
        hint={connections.takesOutHint}
        checked={takesOut}
        onChange={({ target }) => setTakesOut(target.checked)}
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
                  target.checked ? [...kept, business_id] : kept.filter((id) => id !== business_id),
                )
              }
            />
          ))}
        </fieldset>
      )}
    </LimitDialog>
  )
}
