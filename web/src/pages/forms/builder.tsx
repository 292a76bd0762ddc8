/** The builder: fields, texts and rules on the left, and the visitors' view on the right. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { formWords } from '../../words/forms.ts'
import { words } from '../../words/words.ts'
import { Fields } from './fields.tsx'
import { argumentsOf, draftOf, type Form, type FormDraft, subscribesNobody } from './model.ts'
import { PageTexts } from './page-texts.tsx'
import { Preview } from './preview.tsx'

// Loaded when the editor is there, so that the page appears sooner.
const DraftNotices = lazyPart(() => import('../../parts/drafts/draft-notices.tsx'), 'DraftNotices')

export function Builder({ form }: { form: Form }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { form_id } = form
  const editing = useDraft<FormDraft>({
    name: `form ${business_id} ${form_id}`,
    version: form.version,
    stored: draftOf(form),
    saved: form.saved,
  })
  const draft = editing.value
  const forms = formWords
  const { isChanged } = editing
  const isBlocked = editing.conflicts.length > 0
  const { save, isSaving, isRetrying, error } = useSave(
    editing,
    (changed, status: Form['status'] | undefined) =>
      api.form.save({
        business_id,
        form_id,
        ...argumentsOf(changed),
        ...(status && { status }),
        if_version: editing.version,
      }),
    (status) => tell(status === undefined ? words.saved : forms.now[status]),
  )
  const change = editing.change
  const fault = faultOf(error)
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save(undefined)
      }}
    >
      <div className="grid flex-1 items-start gap-6 p-5 max-sm:p-4 lg:grid-cols-2">
        <fieldset disabled={!may} className="grid min-w-0 gap-6">
          <Suspense>
            <DraftNotices
              draft={editing}
              isRetrying={isRetrying}
              labels={forms.parts}
              textOf={textOf}
            />
          </Suspense>
          <Fields draft={draft} onChange={(fields) => change({ fields })} fault={fault} />
          {subscribesNobody(draft) && (
            <p className="flex items-start gap-2 rounded-lg border border-line bg-warn-ground p-3">
              <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
              {forms.subscribesNobody}
            </p>
          )}
          {draft.fields.some(({ type }) => type === 'consent') && <PolicyNotice />}
          <PageTexts draft={draft} onChange={change} fault={fault} />
          {error && <Failure error={error} />}
        </fieldset>
        <Preview draft={draft} />
      </div>
      {may && (
        <div className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-5 py-3 max-sm:px-4">
          {isChanged && (
            <Button className="mr-auto" onClick={editing.discard}>
              {forms.discard}
            </Button>
          )}
          {form.status === 'published' && (
            <Button busy={isSaving} disabled={isBlocked} onClick={() => save('draft')}>
              {forms.unpublish}
            </Button>
          )}
          <Button
            look={form.status === 'published' ? 'main' : 'plain'}
            type="submit"
            busy={isSaving}
            disabled={!isChanged || isBlocked}
          >
            {words.save}
          </Button>
          {form.status !== 'published' && (
            <Button
              look="main"
              busy={isSaving}
              disabled={isBlocked}
              onClick={() => save('published')}
            >
              {forms.publish}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

/** Who asks for consent says where people read what happens with their data. */
function PolicyNotice() {
  const business_id = useBusinessId()
  const forms = formWords
  const { data } = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  if (!data || data.privacy_url !== null) return null
  return (
    <div className="flex items-start gap-2 rounded-lg border border-line bg-warn-ground p-3">
      <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
      <p className="min-w-0">
        {forms.noPolicy}{' '}
        <Link
          to="/$business/settings"
          params={{ business: business_id }}
          className="text-link underline"
        >
          {forms.toPolicy}
        </Link>
      </p>
    </div>
  )
}

/** Fields as lines, texts of the page as they are; the rest is short. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    return (value as FormDraft['fields'])
      .map(({ label, type, required }) => `${label} (${type}${required ? ' *' : ''})`)
      .join('\n')
  }
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value)
    .filter((text) => text !== '')
    .join('\n')
}
