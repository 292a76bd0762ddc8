/** The address by which the person signs in, and its change, which both mailboxes confirm. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { addressWords } from '../../words/factors.ts'
import { moment, words } from '../../words/words.ts'

export function Address() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={addressWords.title}
      actions={<Button onClick={() => setOpen(true)}>{addressWords.change}</Button>}
    >
      <div className="grid gap-2">
        <Present />
        <p className="text-muted">{addressWords.about}</p>
      </div>
      {isOpen && <Change onClose={() => setOpen(false)} />}
    </Card>
  )
}

/** The address of today, and a change that waits for the mailboxes. */
function Present() {
  const { data } = useQuery({
    queryKey: ['address.get'],
    queryFn: ({ signal }) => api.address.get({}, { signal }),
  })
  if (!data) return null
  const { email, change } = data
  return (
    <>
      <p className="break-words">{addressWords.signIn(email)}</p>
      {change && (
        <p role="status" className="break-words">
          {[
            addressWords.pending(change.email, moment(change.expires_at)),
            !change.old_confirmed && addressWords.waitsForOld(change.email),
            !change.new_confirmed && addressWords.waitsForNew(change.email),
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      )}
    </>
  )
}

function Change({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const work = useMutation({
    mutationFn: () => api.address.change({ email }),
    onSuccess: () => {
      tell(addressWords.sent)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    work.mutate()
  }
  return (
    <Dialog open onClose={onClose} title={addressWords.change} description={addressWords.about}>
      <form onSubmit={submit} className="grid gap-4">
        <Input
          label={addressWords.newAddress}
          type="email"
          required
          maxLength={254}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          fault={faultOf(work.error)('email')}
        />
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {addressWords.send}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
