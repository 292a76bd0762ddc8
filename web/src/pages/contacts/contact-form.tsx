/** Adds a contact, or changes an existing one. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { words } from '../../words/words.ts'
import {
  type Attribute,
  AttributeRows,
  attributeChanges,
  attributeRows,
} from './attribute-rows.tsx'
import type { Contact } from './columns.tsx'

interface ContactFormProps {
  /** The contact to change; a new contact if undefined. */
  contact?: Pick<Contact, 'email' | 'phone' | 'language' | 'tags' | 'untrusted'>
  onClose: () => void
}

const listOf = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((entry) => entry !== '')

export function ContactForm({ contact, onClose }: ContactFormProps) {
  const business_id = useBusinessId()
  const { contacts } = words
  const { form } = contacts
  const before = contact?.untrusted.attributes ?? {}
  const [given, setGiven] = useState({
    email: contact?.email ?? '',
    phone: contact?.phone ?? '',
    name: contact?.untrusted.name ?? '',
    language: contact?.language ?? '',
    tags: contact?.tags.join(', ') ?? '',
    agreed: false,
    where: '',
  })
  const [attributes, setAttributes] = useState<Attribute[]>(() => attributeRows(before))
  const [lacksAddress, setLacksAddress] = useState(false)
  const set = (part: Partial<typeof given>) => setGiven((all) => ({ ...all, ...part }))

  const save = useMutation({
    mutationFn: () => {
      const tags = listOf(given.tags)
      const gone = (contact?.tags ?? []).filter((tag) => !tags.includes(tag))
      const changes = attributeChanges(before, attributes)
      return api.contact.upsert({
        business_id,
        ...(given.email.trim() && { email: given.email.trim() }),
        ...(given.phone.trim() && { phone: given.phone.trim() }),
        ...(given.name.trim() && { name: given.name.trim() }),
        ...(given.language.trim() && { language: given.language.trim() }),
        ...(tags.length > 0 && { tags }),
        ...(gone.length > 0 && { remove_tags: gone }),
        ...(Object.keys(changes).length > 0 && { attributes: changes }),
        ...(given.agreed && {
          consent: { email: { status: 'subscribed', source: given.where.trim() } },
        }),
      })
    },
    onSuccess: ({ created }) => {
      tell(contact ? words.saved : created ? form.added : form.existed)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const lacks = given.email.trim() === '' && given.phone.trim() === ''
    setLacksAddress(lacks)
    if (!lacks) save.mutate()
  }
  const fault = faultOf(save.error)

  return (
    <Dialog open onClose={onClose} title={contact ? form.editTitle : form.addTitle}>
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <Input
          label={contacts.email}
          type="email"
          autoComplete="off"
          maxLength={254}
          readOnly={Boolean(contact?.email)}
          value={given.email}
          onChange={({ target }) => set({ email: target.value })}
          fault={fault('email') ?? (lacksAddress ? form.needed : undefined)}
        />
        <Input
          label={contacts.name}
          maxLength={200}
          value={given.name}
          onChange={({ target }) => set({ name: target.value })}
          fault={fault('name')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label={contacts.phone}
            type="tel"
            hint={form.phoneHint}
            value={given.phone}
            onChange={({ target }) => set({ phone: target.value })}
            fault={fault('phone')}
          />
          <Input
            label={contacts.language}
            hint={form.languageHint}
            value={given.language}
            onChange={({ target }) => set({ language: target.value })}
            fault={fault('language')}
          />
        </div>
        <Input
          label={contacts.tags}
          hint={form.tagsHint}
          value={given.tags}
          onChange={({ target }) => set({ tags: target.value })}
          fault={fault('tags')}
        />
        {contact ? (
          <AttributeRows rows={attributes} onChange={setAttributes} />
        ) : (
          <>
            <Checkbox
              label={form.agreed}
              hint={form.agreedHint}
              checked={given.agreed}
              onChange={({ target }) => set({ agreed: target.checked })}
            />
            {given.agreed && (
              <Input
                label={form.where}
                hint={form.whereHint}
                value={given.where}
                onChange={({ target }) => set({ where: target.value })}
                fault={fault('consent')}
              />
            )}
          </>
        )}
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={save.isPending}>
            {contact ? words.save : contacts.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
