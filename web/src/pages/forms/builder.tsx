/** The builder: fields, texts and rules on the left, and the visitors' view on the right. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useUnsaved } from '../../parts/use-unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { words } from '../../words/words.ts'
import { Fields } from './fields.tsx'
import { argumentsOf, draftOf, type Form, type FormDraft } from './model.ts'
import { PageTexts } from './page-texts.tsx'
import { Preview } from './preview.tsx'

export function Builder({ form }: { form: Form }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { form_id } = form
  const saved = draftOf(form)
  const [kept, setKept] = useUnsaved<FormDraft | null>(`form ${business_id} ${form_id}`, null)
  /** The version that somebody else saved meanwhile. */
  const [theirs, setTheirs] = useState(0)
  const draft = kept ?? saved
  const { forms } = words
  const isChanged = kept !== null
  const isStale = isChanged && kept.version < Math.max(theirs, form.version)
  const save = useMutation({
    mutationFn: async (status: Form['status'] | undefined) => {
      // Somebody else's version that was saved meanwhile is not overwritten unseen.
      const now = await api.form.get({ business_id, form_id })
      if (isChanged && now.version !== draft.version) {
        setTheirs(now.version)
        return undefined
      }
      return api.form.save({
        business_id,
        form_id,
        ...(isChanged && argumentsOf(draft)),
        ...(status && { status }),
      })
    },
    onSuccess: (answer, status) => {
      if (!answer) return
      setKept(null)
      tell(status === undefined ? words.saved : forms.now[status])
    },
  })
  const change = (next: Partial<FormDraft>) => setKept({ ...draft, ...next })
  const fault = faultOf(save.error)
  return (
    <form
      className="flex min-h-0 flex-1 flex-col"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(undefined)
      }}
    >
      <div className="grid flex-1 items-start gap-6 p-5 max-sm:p-4 lg:grid-cols-2">
        <fieldset disabled={!may} className="grid min-w-0 gap-6">
          {isStale && (
            <Stale
              onTheirs={() => setKept(null)}
              onMine={() => setKept({ ...draft, version: Math.max(theirs, form.version) })}
            />
          )}
          <Fields draft={draft} onChange={(fields) => change({ fields })} fault={fault} />
          <PageTexts draft={draft} onChange={change} fault={fault} />
          {save.error && <Failure error={save.error} />}
          <Copyable text={form_id} className="justify-self-start" />
        </fieldset>
        <Preview draft={draft} />
      </div>
      {may && (
        <div className="sticky bottom-0 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-5 py-3 max-sm:px-4">
          {isChanged && (
            <Button className="mr-auto" onClick={() => setKept(null)}>
              {forms.discard}
            </Button>
          )}
          {form.status === 'published' && (
            <Button busy={save.isPending} onClick={() => save.mutate('draft')}>
              {forms.unpublish}
            </Button>
          )}
          <Button
            look={form.status === 'published' ? 'main' : 'plain'}
            type="submit"
            busy={save.isPending}
            disabled={!isChanged || isStale}
          >
            {words.save}
          </Button>
          {form.status !== 'published' && (
            <Button
              look="main"
              busy={save.isPending}
              disabled={isStale}
              onClick={() => save.mutate('published')}
            >
              {forms.publish}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

/** Somebody else saved the form meanwhile. This person's changes are still here. */
function Stale({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }) {
  const { stale } = words.forms
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2.5 rounded-lg border border-line bg-warn-ground p-3"
    >
      <Icon name="warn" className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1 basis-56">{stale.text}</p>
      <Button onClick={onTheirs}>{stale.theirs}</Button>
      <Button onClick={onMine}>{stale.mine}</Button>
    </div>
  )
}
