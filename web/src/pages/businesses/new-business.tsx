/** A new business, which begins with what is copied from one that the person owns. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type Business, businessesQuery, useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useUnsaved } from '../../parts/use-unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { businessesWords } from '../../words/businesses.ts'
import { colon, number, words } from '../../words/words.ts'

const kinds = ['settings', 'templates', 'forms', 'segments'] as const
type Kind = (typeof kinds)[number]
type Created = Awaited<ReturnType<typeof api.business.create>>

interface NewBusinessProps {
  businesses: readonly Business[]
  onClose: () => void
}

export function NewBusiness({ businesses, onClose }: NewBusinessProps) {
  const texts = businessesWords.add
  const [created, setCreated] = useState<Created>()
  const owned = businesses.filter(({ role }) => role === 'owner')
  if (created) return <Result created={created} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={texts.title} description={texts.about}>
      {owned.length === 0 ? (
        <p>{texts.noOwner}</p>
      ) : (
        <NewBusinessForm owned={owned} onClose={onClose} onCreated={setCreated} />
      )}
    </Dialog>
  )
}

interface FormProps {
  owned: readonly Business[]
  onClose: () => void
  onCreated: (created: Created) => void
}

function NewBusinessForm({ owned, onClose, onCreated }: FormProps) {
  const texts = businessesWords.add
  const here = useBusinessId()
  const client = useQueryClient()
  const first = owned.find(({ business_id }) => business_id === here) ?? owned[0]
  const blank = { name: '', source: first?.business_id ?? '', copy: [...kinds] as Kind[] }
  // It survives a new sign-in, which making a business may ask for.
  const [typed, setTyped] = useUnsaved('new business', blank)
  const source = owned.some(({ business_id }) => business_id === typed.source)
    ? typed.source
    : blank.source
  const make = useMutation({
    mutationFn: () =>
      api.business.create({ business_id: source, name: typed.name.trim(), copy: typed.copy }),
    onSuccess: async (created) => {
      setTyped(blank)
      await client.invalidateQueries({ queryKey: businessesQuery.queryKey })
      onCreated(created)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  const fault = faultOf(make.error)('name')
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <Input
        label={texts.name}
        required
        maxLength={200}
        value={typed.name}
        onChange={({ target }) => setTyped({ ...typed, name: target.value })}
        fault={fault}
      />
      <Select
        label={texts.from}
        value={source}
        onChange={({ target }) => setTyped({ ...typed, source: target.value })}
        options={owned.map(({ business_id, name }) => [business_id, name])}
      />
      <fieldset className="grid gap-2">
        <legend className="pb-1 text-sm font-medium">{texts.what}</legend>
        {kinds.map((kind) => (
          <Checkbox
            key={kind}
            label={texts.kinds[kind]}
            hint={texts.hints[kind]}
            checked={typed.copy.includes(kind)}
            onChange={({ target }) =>
              setTyped({
                ...typed,
                copy: kinds.filter((one) =>
                  one === kind ? target.checked : typed.copy.includes(one),
                ),
              })
            }
          />
        ))}
        <p className="text-sm text-muted">{texts.never}</p>
      </fieldset>
      {make.error && fault === undefined && <Failure error={make.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="main" type="submit" busy={make.isPending}>
          {texts.create}
        </Button>
      </DialogActions>
    </form>
  )
}

/** What was copied, and what could not be. */
function Result({ created, onClose }: { created: Created; onClose: () => void }) {
  const texts = businessesWords.add
  const navigate = useNavigate()
  const { business_id, name, copied, left_out } = created
  return (
    <Dialog open onClose={onClose} title={texts.done(name)}>
      {copied.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-medium">{texts.copied}</h3>
          <ul className="grid gap-0.5">
            {copied.map(({ kind, count }) => (
              <li key={kind}>
                {texts.count[kind] ?? `${texts.kinds[kind]}${colon}${number(count)}`}
              </li>
            ))}
          </ul>
        </section>
      )}
      {left_out.length > 0 && (
        <section className="grid gap-1">
          <h3 className="font-medium">{texts.leftOut}</h3>
          <ul className="grid gap-1">
            {left_out.map((one) => (
              <li key={one.name}>
                <bdi>{one.name}</bdi>
                <span className="block text-sm text-muted">{texts.why[one.why] ?? one.why}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <DialogActions>
        <Button onClick={onClose}>{words.close}</Button>
        <Button
          look="main"
          onClick={() => void navigate({ to: '/$business', params: { business: business_id } })}
        >
          {texts.open}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
