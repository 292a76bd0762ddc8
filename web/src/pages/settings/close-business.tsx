/** Closing the business, for its owners: what happens, and a dialog that takes its name. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { settingsWords } from '../../words/settings.ts'
import { words } from '../../words/words.ts'

export function CloseBusiness({ business_id, name }: { business_id: string; name: string }) {
  const { close } = settingsWords
  const [isOpen, open] = useState(false)
  return (
    <Card title={close.title}>
      <div className="grid justify-items-start gap-3">
        <p className="text-muted">{close.about}</p>
        <Button look="danger" onClick={() => open(true)}>
          {close.button}
        </Button>
      </div>
      <Dialog open={isOpen} onClose={() => open(false)} title={close.ask(name)}>
        <CloseForm business_id={business_id} name={name} onClose={() => open(false)} />
      </Dialog>
    </Card>
  )
}

function CloseForm(props: { business_id: string; name: string; onClose: () => void }) {
  const { business_id, name, onClose } = props
  const { close } = settingsWords
  const [typed, setTyped] = useState('')
  const [keeps, setKeeps] = useState(false)
  const work = useMutation({
    mutationFn: async () => {
      const request = { business_id, name: typed, keep_suppressions: keeps }
      const answer = await api.business.close(request)
      location.assign('/account/closed')
      return answer
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    work.mutate()
  }
  const fault = faultOf(work.error)('name')
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <ul className="grid list-disc gap-1 pl-5">
        {close.effects.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <Checkbox
        label={close.keep}
        hint={close.keepHint}
        checked={keeps}
        onChange={({ target }) => setKeeps(target.checked)}
      />
      <Input
        label={close.type(name)}
        required
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        fault={fault}
      />
      {work.error && fault === undefined && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" type="submit" busy={work.isPending} disabled={typed.trim() !== name}>
          {close.confirm}
        </Button>
      </DialogActions>
    </form>
  )
}
