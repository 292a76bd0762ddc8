/** The forms of a business, newest first. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Empty, Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { formWords } from '../../words/forms.ts'
import { type Language, language } from '../../words/texts.ts'
import { ago, number, words } from '../../words/words.ts'
import { FormStatus } from './form-status.tsx'

type Row = Awaited<ReturnType<typeof api.form.list>>['forms'][number]

export function Forms() {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const [isMaking, make] = useState(false)
  const list = useList(['form.list', business_id], (page, options) =>
    api.form.list({ business_id, ...page }, options),
  )
  const forms = formWords
  const columns: RowsColumn<Row>[] = [
    {
      id: 'name',
      header: forms.name,
      cell: ({ form_id, name }) => (
        <Link
          to="/$business/forms/$form"
          params={{ business: business_id, form: form_id }}
          className="font-medium"
        >
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      header: forms.status,
      className: 'w-32',
      cell: ({ status }) => <FormStatus status={status} />,
    },
    {
      id: 'submissions',
      header: forms.submissions,
      className: 'w-28 text-right tabular-nums max-sm:w-24',
      cell: ({ submission_count }) => number(submission_count),
    },
    {
      id: 'updated',
      header: forms.updated,
      className: 'w-40 text-muted max-sm:hidden',
      cell: ({ updated_at }) => ago(updated_at),
    },
  ]
  const button = may && (
    <Button look="main" icon="plus" onClick={() => make(true)}>
      {forms.add}
    </Button>
  )
  return (
    <ListPage
      title={forms.title}
      actions={button}
      list={list}
      rowsOf={(answer) => answer.forms}
      idOf={({ form_id }) => form_id}
      columns={columns}
      empty={
        <Empty icon="form" action={button}>
          {forms.empty}
        </Empty>
      }
    >
      {isMaking && <NewForm onClose={() => make(false)} />}
    </ListPage>
  )
}

type Starter = Awaited<ReturnType<typeof api.form.gallery>>['forms'][number]

function useFormGallery(given: { language?: Language }) {
  const business_id = useBusinessId()
  return useQuery({
    queryKey: ['form.gallery', business_id, given],
    queryFn: ({ signal }) => api.form.gallery({ business_id, ...given }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** A new form begins with one of the gallery, in the business's language. The builder does the rest. */
function NewForm({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const forms = formWords
  const [chosenKey, choose] = useState('newsletter')
  const [typedName, setName] = useState<string>()
  // What a form is for is told in the app's language; its own texts are in the business's.
  const gallery = useFormGallery({})
  const cards = useFormGallery({ language }).data?.forms ?? []
  const starters = gallery.data?.forms ?? []
  const starter = starters.find(({ key }) => key === chosenKey)
  const name = typedName ?? starter?.name ?? ''
  const save = useMutation({
    mutationFn: ({ fields, page }: Starter) =>
      api.form.save({ business_id, name: name.trim(), fields, page }),
    onSuccess: ({ form_id }) =>
      navigate({ to: '/$business/forms/$form', params: { business: business_id, form: form_id } }),
  })
  return (
    <Dialog open onClose={onClose} title={forms.add}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (starter) save.mutate(starter)
        }}
      >
        {gallery.isPending && <Skeleton lines={6} />}
        {gallery.error && <Failure error={gallery.error} onRetry={() => void gallery.refetch()} />}
        {starters.length > 0 && cards.length > 0 && (
          <fieldset className="grid gap-2 sm:grid-cols-2">
            <legend className="mb-1 text-sm font-medium">{forms.beginWith}</legend>
            {cards.map(({ key, name: label, about }) => (
              <label
                key={key}
                className="flex cursor-pointer gap-2 rounded-lg border border-line p-3 has-checked:border-accent has-checked:bg-selected"
              >
                <input
                  type="radio"
                  name="starter"
                  className="mt-1 accent-accent"
                  checked={key === chosenKey}
                  onChange={() => choose(key)}
                />
                <span>
                  <span className="block font-medium">{label}</span>
                  <span className="text-sm text-muted">{about}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        <Input
          label={forms.formName}
          hint={forms.formNameHint}
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
          fault={faultOf(save.error)('name')}
        />
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            look="main"
            type="submit"
            busy={save.isPending}
            disabled={name.trim() === '' || !starter}
          >
            {forms.make}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
