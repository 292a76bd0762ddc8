/** Adds a contact. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { contactWords } from '../../words/contacts.ts'
import { words } from '../../words/words.ts'
import { listOf } from './edited-contact.ts'
import { LanguageField } from './language-field.tsx'
import { TagsField } from './tags-field.tsx'

/** The fields that show what is wrong with them. */
const fields = ['email', 'first_name', 'last_name', 'name', 'phone', 'language', 'tags', 'consent']

interface ContactFormProps {
  onClose: () => void
  /** Called with the contact that has the address already; nothing was changed. */
  onKnown: (contactId: string) => void
}

export function ContactForm({ onClose, onKnown }: ContactFormProps) {
  const business_id = useBusinessId()
  const contacts = contactWords
  const { form } = contacts
  const [given, setGiven] = useState({
    email: '',
    phone: '',
    firstName: '',
    lastName: '',
    name: '',
    language: '',
    tags: '',
    agreed: false,
    where: '',
  })
  const [lacksAddress, setLacksAddress] = useState(false)
  const set = (part: Partial<typeof given>) => setGiven((all) => ({ ...all, ...part }))

  const save = useMutation({
    mutationFn: async () => {
      const known = await knownContact(business_id, given)
      if (known !== undefined) return { known }
      const tags = listOf(given.tags)
      await api.contact.upsert({
        business_id,
        ...addressesOf(given),
        ...(given.firstName.trim() && { first_name: given.firstName.trim() }),
        ...(given.lastName.trim() && { last_name: given.lastName.trim() }),
        ...(given.name.trim() && { name: given.name.trim() }),
        ...(given.language.trim() && { language: given.language.trim() }),
        ...(tags.length > 0 && { tags }),
        ...(given.agreed && {
          consent: { email: { status: 'subscribed', source: given.where.trim() } },
        }),
      })
      return {}
    },
    onSuccess: ({ known }) => {
      tell(known === undefined ? form.added : form.existed)
      if (known === undefined) onClose()
      else onKnown(known)
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
    <Dialog open onClose={onClose} title={form.addTitle}>
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <Input
          label={contacts.email}
          type="email"
          autoComplete="off"
          maxLength={254}
          value={given.email}
          onChange={({ target }) => set({ email: target.value })}
          fault={fault('email') ?? (lacksAddress ? form.needed : undefined)}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label={contacts.firstName}
            maxLength={99}
            value={given.firstName}
            onChange={({ target }) => set({ firstName: target.value })}
            fault={fault('first_name')}
          />
          <Input
            label={contacts.lastName}
            maxLength={99}
            value={given.lastName}
            onChange={({ target }) => set({ lastName: target.value })}
            fault={fault('last_name')}
          />
        </div>
        <Input
          label={contacts.fullName}
          hint={form.fullNameHint}
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
          <LanguageField
            value={given.language}
            onChange={(language) => set({ language })}
            fault={fault('language')}
          />
        </div>
        <TagsField value={given.tags} onChange={(tags) => set({ tags })} fault={fault('tags')} />
        <Checkbox
          label={form.agreed}
          hint={form.agreedHint}
          checked={given.agreed}
          onChange={({ target }) => set({ agreed: target.checked })}
        />
        {given.agreed && (
          <div className="grid gap-1.5">
            <Input
              label={form.where}
              hint={form.whereHint}
              value={given.where}
              onChange={({ target }) => set({ where: target.value })}
              fault={fault('consent')}
            />
            <div className="flex flex-wrap gap-1">
              {form.places.map((place) => (
                <Button key={place} look="quiet" icon="plus" onClick={() => set({ where: place })}>
                  {place}
                </Button>
              ))}
            </div>
          </div>
        )}
        {save.error && !fields.some(fault) && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={save.isPending}>
            {contacts.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Who has this email address or this number already. */
async function knownContact(
  business_id: string,
  given: { email: string; phone: string },
): Promise<string | undefined> {
  const email = given.email.trim().toLowerCase()
  const phone = given.phone.replace(/[^+\d]/g, '')
  for (const q of [email, phone]) {
    if (q === '') continue
    const { contacts } = await api.contact.list({ business_id, q, limit: 50 })
    const known = contacts.find((entry) => entry.email === email || entry.phone === q)
    if (known) return known.contact_id
  }
  return undefined
}

/** At least one of the two, which is asked before the form is sent. */
function addressesOf(given: Record<'email' | 'phone', string>) {
  const [email, phone] = [given.email.trim(), given.phone.trim()]
  if (email === '') return { phone }
  return { email, ...(phone !== '' && { phone }) }
}
