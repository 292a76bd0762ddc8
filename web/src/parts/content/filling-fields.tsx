/** With whose data a preview is filled in: an ordinary person, the longest values, or a contact. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Input, Select, SuggestInput } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { contentWords } from '../../words/content.ts'
import { filtersIn } from '../blocks/groups.ts'
import type { Block } from '../blocks/model.ts'
import { useSettled } from '../use-settled.ts'
import type { Filling } from './use-preview.ts'

const GroupField = lazyPart(() => import('./group-field.tsx'), 'GroupField')

interface FillingFieldsProps {
  filling: Filling
  onChange: (filling: Filling) => void
  /** Names that each sending must give. */
  needs: readonly string[]
  blocks?: readonly Block[] | undefined
}

export function FillingFields({ filling, onChange, needs, blocks = [] }: FillingFieldsProps) {
  const w = contentWords
  const filters = filtersIn(blocks)
  const set = (change: Partial<Filling>) => onChange({ ...filling, ...change })
  return (
    <div className="grid gap-2.5">
      <div className="grid gap-2 sm:grid-cols-2">
        <Select
          label={w.filledIn}
          value={filling.data}
          onChange={({ target }) => set({ data: target.value as Filling['data'] })}
          options={Object.entries(w.fillings)}
        />
        {filling.data === 'contact' && (
          <ContactField
            onContact={(contact_id) => {
              const { contact_id: _former, ...rest } = filling
              onChange({ ...rest, ...(contact_id !== undefined && { contact_id }) })
            }}
          />
        )}
        {filling.data !== 'contact' && filters.length > 0 && (
          <Suspense>
            <GroupField
              filters={filters}
              group={filling.group}
              onChange={(group) => {
                const { group: _former, ...rest } = filling
                onChange({ ...rest, ...(group && { group }) })
              }}
            />
          </Suspense>
        )}
      </div>
      {needs.length > 0 && (
        <details className="grid gap-2">
          <summary className="cursor-pointer max-sm:min-h-6 text-sm font-medium">
            {w.values(needs.length)}
          </summary>
          <div className="grid gap-2 pt-2 sm:grid-cols-2">
            {needs.map((name) => (
              <Input
                key={name}
                label={name}
                placeholder={name.split('.').at(-1)}
                value={filling.variables[name] ?? ''}
                onChange={({ target }) => {
                  const { [name]: _former, ...others } = filling.variables
                  const one = target.value === '' ? {} : { [name]: target.value }
                  set({ variables: { ...others, ...one } })
                }}
              />
            ))}
          </div>
        </details>
      )}
    </div>
  )
}

function ContactField({ onContact }: { onContact: (id: string | undefined) => void }) {
  const business_id = useBusinessId()
  const w = contentWords
  const [typed, setTyped] = useState('')
  const q = useSettled(typed.trim(), 250)
  const { data } = useQuery({
    queryKey: ['contact.list', business_id, 'preview', q],
    queryFn: ({ signal }) =>
      api.contact.list({ business_id, limit: 8, ...(q !== '' && { q }) }, { signal }),
  })
  const found = (data?.contacts ?? []).flatMap(({ contact_id, email, phone, name }) => {
    const address = email ?? phone
    return address === null || address === undefined
      ? []
      : [{ contact_id, address, name: name ?? '' }]
  })
  // The answer may come after the whole address was typed.
  const match = found.find(({ address }) => address === typed.trim())?.contact_id
  const told = useRef(onContact)
  useEffect(() => {
    told.current = onContact
  })
  useEffect(() => told.current(match), [match])
  return (
    <SuggestInput
      label={w.contact}
      value={typed}
      placeholder={found[0]?.address}
      hint={
        typed !== '' && q === typed.trim() && data && match === undefined ? w.noContact : undefined
      }
      onChange={({ target }) => setTyped(target.value)}
      suggestions={found.map(({ address, name }) => [address, name] as const)}
    />
  )
}
