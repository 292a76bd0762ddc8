/** Changes a contact. If somebody else changes it meanwhile, the person sees both and chooses. */
import { type FormEvent, Suspense, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { contactWords } from '../../words/contacts.ts'
import { words } from '../../words/words.ts'
import { AttributeRows, attributeRows, attributesOf } from './attribute-rows.tsx'
import type { WholeContact } from './contact-drawer.tsx'
import { attributeField, type ContactDraft, callOf, fieldsOf } from './edited-contact.ts'
import { LanguageField } from './language-field.tsx'
import { TagsField } from './tags-field.tsx'

const DraftNotices = lazyPart(() => import('../../parts/drafts/draft-notices.tsx'), 'DraftNotices')

interface EditContactProps {
  contact: WholeContact
  onClose: () => void
}

export function EditContact({ contact, onClose }: EditContactProps) {
  const business_id = useBusinessId()
  const contacts = contactWords
  const { form } = contacts
  const stored = fieldsOf(contact)
  const draft = useDraft<ContactDraft>({
    name: `contact ${business_id} ${contact.contact_id}`,
    version: contact.version,
    stored,
    saved: undefined,
  })
  const { save, isSaving, isRetrying, error } = useSave(
    draft,
    async (changed) => {
      if (!draft.isChanged) return
      const change = callOf(contact, changed)
      await api.contact.upsert({ business_id, ...change, if_version: draft.version })
    },
    () => tell(words.saved),
  )
  const fault = faultOf(error)
  const { value } = draft
  const text = (
    field: 'email' | 'phone' | 'name' | 'first_name' | 'last_name' | 'language' | 'tags',
  ) => ({
    value: value[field],
    onChange: ({ target }: { target: { value: string } }) =>
      draft.change({ [field]: target.value }),
    fault: fault(field),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(undefined, onClose)
  }
  const attributes = Object.keys({ ...stored, ...value }).flatMap((field) =>
    field.startsWith('attributes.') ? [[field, field.slice('attributes.'.length)] as const] : [],
  )
  const { email, phone, firstName, lastName, fullName, language, tags } = contacts
  const names = { name: fullName, first_name: firstName, last_name: lastName }
  return (
    <Dialog open onClose={onClose} title={form.editTitle}>
      <form className="grid gap-4" onSubmit={submit} noValidate>
        <Suspense>
          <DraftNotices
            draft={draft}
            isRetrying={isRetrying}
            labels={{ email, phone, ...names, language, tags, ...Object.fromEntries(attributes) }}
          />
        </Suspense>
        <Input
          label={email}
          type="email"
          autoComplete="off"
          maxLength={254}
          readOnly={contact.email !== null}
          {...text('email')}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Input label={firstName} maxLength={99} {...text('first_name')} />
          <Input label={lastName} maxLength={99} {...text('last_name')} />
        </div>
        <Input label={fullName} maxLength={200} {...text('name')} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label={phone}
            type="tel"
            hint={form.phoneHint}
            // Without an email address, the number says whose contact it is.
            readOnly={contact.email === null}
            {...text('phone')}
          />
          <LanguageField
            value={value.language ?? ''}
            onChange={(next) => draft.change({ language: next })}
            fault={fault('language')}
          />
        </div>
        <TagsField
          value={value.tags ?? ''}
          onChange={(next) => draft.change({ tags: next })}
          fault={fault('tags')}
        />
        <Attributes key={`${draft.turn} ${contact.version}`} draft={draft} stored={stored} />
        {error && <Failure error={error} />}
        <DialogActions>
          <Button
            onClick={() => {
              draft.discard()
              onClose()
            }}
          >
            {words.cancel}
          </Button>
          <Button look="main" type="submit" busy={isSaving} disabled={draft.conflicts.length > 0}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface AttributesProps {
  draft: ReturnType<typeof useDraft<ContactDraft>>
  stored: ContactDraft
}

/** Rows of which each has a key and a value while the person types; the draft has only whole ones. */
function Attributes({ draft, stored }: AttributesProps) {
  const [rows, setRows] = useState(() => attributeRows(attributesIn(draft.value)))
  return (
    <AttributeRows
      rows={rows}
      onChange={(next) => {
        setRows(next)
        const now = attributesOf(attributesIn(stored), next)
        const keys = Object.keys({
          ...attributesIn(stored),
          ...attributesIn(draft.changed),
          ...now,
        })
        const part: Partial<ContactDraft> = {}
        for (const key of keys) {
          const field = attributeField(key)
          part[field] = now[key] ?? (stored[field] === undefined ? undefined : null)
        }
        draft.change(part)
      }}
    />
  )
}

function attributesIn(draft: Partial<ContactDraft>): Record<string, string | number | boolean> {
  const all = Object.entries(draft).flatMap(([field, value]) =>
    field.startsWith('attributes.') && value !== null && value !== undefined
      ? [[field.slice('attributes.'.length), value] as const]
      : [],
  )
  return Object.fromEntries(all) as Record<string, string | number | boolean>
}
