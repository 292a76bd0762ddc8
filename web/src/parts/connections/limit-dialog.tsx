/** The dialog that limits a connection or a key; what both can limit, and what only one of them can. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { connectionWords, limitWords } from '../../words/account.ts'
import { words } from '../../words/words.ts'
import { changesOf, type HasLimits, LimitFields, limitsOf } from './limit-fields.tsx'
import { SaveFailure } from './save-failure.tsx'

type Changes = ReturnType<typeof changesOf>

interface LimitDialogProps<Save> {
  one: HasLimits
  name: string
  about: string
  /** Told once it is saved. */
  saved: string
  /** A key always has a limit. */
  isKey?: boolean
  /** What would be saved of these changes, which is nothing where it has no fields. */
  changed(changes: Changes): Save
  save(changes: Save): Promise<unknown>
  onClose: () => void
  /** Below the limits. */
  children?: ReactNode
}

export function LimitDialog<Save extends object>({
  one,
  name,
  about,
  saved,
  isKey = false,
  changed,
  save,
  onClose,
  children,
}: LimitDialogProps<Save>) {
  const connections = connectionWords
  const limits = limitWords
  const [typed, setTyped] = useState(limitsOf(one))
  const changes = changed(changesOf(one, typed))
  const work = useMutation({
    meta: { asksForFreshSignIn: true },
    mutationFn: () => save(changes),
    onSuccess: () => {
      tell(saved)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    work.mutate()
  }
  return (
    <Dialog open onClose={onClose} title={connections.limitTitle(name)} description={about}>
      <form className="grid gap-4" noValidate={isKey} onSubmit={submit}>
        <LimitFields
          isKey={isKey}
          one={one}
          typed={typed}
          onChange={setTyped}
          fault={faultOf(work.error)}
        />
        {children}
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
