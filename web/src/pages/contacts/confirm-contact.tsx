/** Explains what is about to happen to a person, and does it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { contactWords } from '../../words/contacts.ts'
import { words } from '../../words/words.ts'

export type ContactAct = 'suppress' | 'erase'

interface ConfirmContactProps {
  contactId: string
  act: ContactAct
  onClose: () => void
  /** Called when the contact no longer exists. */
  onGone: () => Promise<void>
}

export function ConfirmContact({ contactId, act, onClose, onGone }: ConfirmContactProps) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { drawer } = contactWords
  const texts = {
    suppress: { title: drawer.suppress, text: drawer.suppressText, done: drawer.suppressDone },
    erase: { title: drawer.erase, text: drawer.eraseText, done: drawer.eraseDone },
  }[act]
  const work = useMutation({
    mutationFn: async () => {
      const input = { business_id, contact_id: contactId }
      if (act === 'suppress') return void (await api.contact.suppress(input))
      await api.contact.erase(input)
      // Nothing fetches an erased person again.
      await onGone()
      client.removeQueries({ queryKey: ['contact.get', business_id, contactId] })
    },
    onSuccess: () => {
      tell(texts.done)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={texts.title} description={texts.text}>
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {texts.title}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
