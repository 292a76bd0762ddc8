/** Explains what is about to happen to a person, and does it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { contactWords } from '../../words/contacts.ts'
import { words } from '../../words/words.ts'
import type { WholeContact } from './contact-drawer.tsx'

export type ContactAct = 'unsubscribe' | 'suppress' | 'erase'

interface ConfirmContactProps {
  contact: WholeContact
  act: ContactAct
  onClose: () => void
  /** Called when the contact no longer exists. */
  onGone: () => Promise<void>
}

export function ConfirmContact({ contact, act, onClose, onGone }: ConfirmContactProps) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { drawer, bulk } = contactWords
  const [source, setSource] = useState('')
  const texts = {
    unsubscribe: {
      title: bulk.unsubscribe,
      text: drawer.unsubscribeText,
      done: drawer.unsubscribeDone,
    },
    suppress: { title: drawer.suppress, text: drawer.suppressText, done: drawer.suppressDone },
    erase: { title: drawer.erase, text: drawer.eraseText, done: drawer.eraseDone },
  }[act]
  const work = useMutation({
    mutationFn: async () => {
      const { contact_id } = contact
      const input = { business_id, contact_id }
      if (act === 'unsubscribe') {
        // By the address of this moment: an older one would be another person's.
        const { email, phone, version } = await api.contact.get(input)
        const address = email !== null ? { email } : { phone: phone ?? '' }
        const no = { status: 'unsubscribed', source: source.trim() } as const
        const consent = { ...(email !== null && { email: no }), ...(phone !== null && { sms: no }) }
        return void (await api.contact.upsert({
          business_id,
          ...address,
          consent,
          if_version: version,
        }))
      }
      if (act === 'suppress') return void (await api.contact.suppress(input))
      await api.contact.erase(input)
      // Nothing fetches an erased person again.
      await onGone()
      client.removeQueries({ queryKey: ['contact.get', business_id, contact_id] })
    },
    onSuccess: () => {
      tell(texts.done)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={texts.title} description={texts.text}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          work.mutate()
        }}
      >
        {act === 'unsubscribe' ? (
          <Input
            label={bulk.why}
            hint={bulk.whyHint}
            required
            maxLength={200}
            value={source}
            onChange={({ target }) => setSource(target.value)}
          />
        ) : (
          <p>
            <bdi className="font-medium">{contact.name ?? contact.email ?? contact.phone}</bdi>
          </p>
        )}
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="danger" type="submit" busy={work.isPending}>
            {texts.title}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
