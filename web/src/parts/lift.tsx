/** Lifts a suppression, with a reason. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId } from '../api/businesses.ts'
import { api } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Input } from '../ui/field.tsx'
import { Failure, faultOf } from '../ui/states.tsx'
import { tell } from '../ui/tell.ts'
import { suppressionWords as texts } from '../words/suppressions.ts'
import { words } from '../words/words.ts'

interface LiftProps {
  of: { suppression_id: string } | { email: string } | { phone: string }
  name: string
  onClose: () => void
}

export function Lift({ of, name, onClose }: LiftProps) {
  const business_id = useBusinessId()
  const [reason, setReason] = useState('')
  const work = useMutation({
    mutationFn: () => api.suppression.lift({ business_id, ...of, reason }),
    onSuccess: ({ lifted, stays }) => {
      if (!lifted) tell(texts.gone)
      else tell(stays === null ? texts.lifted : texts.stays)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    work.mutate()
  }
  return (
    <Dialog open onClose={onClose} title={texts.liftTitle(name)} description={texts.liftText}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={texts.why}
          hint={texts.whyHint}
          required
          maxLength={500}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          fault={faultOf(work.error)('reason')}
        />
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {texts.liftDo}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
