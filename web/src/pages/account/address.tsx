/** The address by which the person signs in, and its change, which both mailboxes confirm. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { addressWords } from '../../words/factors.ts'
import { words } from '../../words/words.ts'

export function Address() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title={addressWords.title}
      actions={<Button onClick={() => setOpen(true)}>{addressWords.change}</Button>}
    >
      <p className="text-muted">{addressWords.about}</p>
      {isOpen && <Change onClose={() => setOpen(false)} />}
    </Card>
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
