/** The forms of a business, newest first. */
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Empty, Failure, faultOf } from '../../ui/states.tsx'
import { formWords } from '../../words/forms.ts'
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
        <Empty
          icon="form"
          action={button}
          call={{
            tool: 'form.save',
            arguments: {
              name: 'Newsletter',
              fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
            },
          }}
        >
          {forms.empty}
        </Empty>
      }
    >
      {isMaking && <NewForm onClose={() => make(false)} />}
    </ListPage>
  )
}

/** A new form asks for an address and for consent. The builder adds the rest. */
function NewForm({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const forms = formWords
  const [name, setName] = useState('')
  const save = useMutation({
    mutationFn: () =>
      api.form.save({
        business_id,
        name: name.trim(),
        fields: [
          { key: 'email', label: forms.first.email, type: 'email', required: true },
          { key: 'name', label: forms.first.name, type: 'text' },
          { key: 'news', label: forms.first.consent, type: 'consent', channel: 'email' },
        ],
      }),
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
          save.mutate()
        }}
      >
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
          <Button look="main" type="submit" busy={save.isPending} disabled={name.trim() === ''}>
            {forms.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
