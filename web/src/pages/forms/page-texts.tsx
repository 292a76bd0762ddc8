/** The texts around the fields, and what happens after a submission. */
import { Checkbox, Input, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { contactWords } from '../../words/contacts.ts'
import { formWords } from '../../words/forms.ts'
import type { FormDraft } from './model.ts'

interface PageTextsProps {
  draft: FormDraft
  onChange: (part: Partial<FormDraft>) => void
  fault: (field: string) => string | undefined
}

export function PageTexts({ draft, onChange, fault }: PageTextsProps) {
  const forms = formWords
  const { page } = draft
  const text = (field: keyof FormDraft['page']) => ({
    label: forms.texts[field],
    value: page[field],
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ page: { ...page, [field]: target.value } }),
    fault: fault(`page.${field}`),
  })
  return (
    <>
      <Card title={forms.pageTitle}>
        <div className="grid gap-4">
          <Input {...text('title')} placeholder={draft.name} maxLength={200} />
          <TextArea {...text('intro')} rows={2} />
          <div className="grid gap-4 sm:grid-cols-2">
            <Input {...text('submit')} maxLength={100} />
            <Input {...text('colour')} placeholder="#4f46e5" maxLength={7} />
          </div>
          <TextArea {...text('thanks')} rows={2} />
          <Input {...text('redirect_url')} type="url" placeholder="https://" />
          <TextArea
            {...text('allowed_sites')}
            rows={2}
            hint={forms.sitesHint}
            placeholder="https://shop.example"
          />
        </div>
      </Card>
      <Card title={forms.rules}>
        <div className="grid gap-4">
          <Input
            label={forms.formName}
            hint={forms.formNameHint}
            maxLength={200}
            value={draft.name}
            onChange={({ target }) => onChange({ name: target.value })}
            fault={fault('name')}
          />
          <Input
            label={forms.tags}
            hint={contactWords.form.tagsHint}
            value={draft.tags}
            onChange={({ target }) => onChange({ tags: target.value })}
            fault={fault('tags')}
          />
          <Checkbox
            label={forms.doubleOptIn}
            hint={forms.doubleOptInHint}
            checked={draft.double_opt_in}
            onChange={({ target }) => onChange({ double_opt_in: target.checked })}
          />
        </div>
      </Card>
    </>
  )
}
