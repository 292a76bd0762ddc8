/** What the shown entries are chosen by: who, through what, what and when. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Input, Select } from '../../ui/field.tsx'
import { auditWords } from '../../words/audit.ts'
import { connectionName, operationName } from './names.tsx'
import type { AuditFilters } from './search.ts'

interface FiltersProps {
  filters: AuditFilters
  onChange: (filters: AuditFilters) => void
}

export function Filters({ filters, onChange }: FiltersProps) {
  const business_id = useBusinessId()
  const audit = auditWords
  const isFiltered = Object.keys(filters).length > 0
  // On a phone the fields would leave little room for the entries.
  const [isOpen, setOpen] = useState(isFiltered)
  const { data } = useQuery({
    queryKey: ['audit.choices', business_id],
    queryFn: ({ signal }) => api.audit.choices({ business_id }, { signal }),
  })
  const set = (part: { [name in keyof AuditFilters]: string }) =>
    onChange(
      Object.fromEntries(
        Object.entries({ ...filters, ...part }).filter(([, value]) => value !== ''),
      ),
    )
  const people = (data?.people ?? []).map(
    ({ user_id, email }) => [user_id, email ?? audit.somebody] as const,
  )
  const connections = (data?.connections ?? []).map(
    (connection) => [connection.connection_id, connectionName(connection)] as const,
  )
  const operations = (data?.operations ?? []).map((name) => [name, operationName(name)] as const)
  const size = 'w-40! max-sm:w-full!'
  return (
    <div className="grid gap-2">
      <Button
        className="justify-self-start sm:hidden!"
        icon="segment"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {audit.filter}
      </Button>
      <div
        className={cx(
          'flex flex-wrap items-end gap-2 max-sm:grid max-sm:grid-cols-2',
          !isOpen && 'max-sm:hidden',
        )}
      >
        <Select
          label={audit.who}
          className={size}
          value={filters.person ?? ''}
          options={[['', audit.everybody], ...people]}
          onChange={({ target }) => set({ person: target.value })}
        />
        <Select
          label={audit.through}
          className={size}
          value={filters.connection ?? ''}
          options={[['', audit.everyWay], ...connections]}
          onChange={({ target }) => set({ connection: target.value })}
        />
        <Select
          label={audit.what}
          className={size}
          value={filters.operation ?? ''}
          options={[['', audit.everything], ...operations]}
          onChange={({ target }) => set({ operation: target.value })}
        />
        <Input
          label={audit.since}
          className={size}
          type="date"
          value={filters.since ?? ''}
          onChange={({ target }) => set({ since: target.value })}
        />
        <Input
          label={audit.until}
          className={size}
          type="date"
          value={filters.until ?? ''}
          onChange={({ target }) => set({ until: target.value })}
        />
        {isFiltered && (
          <Button look="quiet" icon="close" onClick={() => onChange({})}>
            {audit.clear}
          </Button>
        )}
      </div>
    </div>
  )
}
