/** The rows of a filter, each with the number of contacts that match it alone. */
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Code } from '../../ui/copy.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { contactWords } from '../../words/contacts.ts'
import { filterWords } from '../../words/filters.ts'
import { number } from '../../words/words.ts'
import {
  type Filter,
  type FilterRow,
  type Join,
  kinds,
  newRow,
  operatorsOf,
  toFilter,
  toRows,
  valueKindOf,
} from './model.ts'
import { useFilterCount } from './use-filter-count.ts'

interface FilterRowsProps {
  filter: Filter | undefined
  onChange: (filter: Filter | undefined) => void
}

export function FilterRows({ filter, onChange }: FilterRowsProps) {
  const [start] = useState(() =>
    filter ? toRows(filter) : { rows: [newRow()], join: 'and' as const },
  )
  const [rows, setRows] = useState<FilterRow[]>(start?.rows ?? [])
  const [join, setJoin] = useState<Join>(start?.join ?? 'and')
  const { data, isFetching } = useFilterCount(filter)
  const filters = filterWords
  if (!start) {
    return (
      <div className="grid gap-2">
        <p className="text-muted">{filters.tooNested}</p>
        <Code>{JSON.stringify(filter, null, 2)}</Code>
      </div>
    )
  }
  const set = (next: FilterRow[], nextJoin = join) => {
    setRows(next)
    setJoin(nextJoin)
    onChange(toFilter(next, nextJoin))
  }
  const complete = rows.filter((row) => toFilter([row], 'and') !== undefined)
  const aloneOf = (row: FilterRow) => {
    const place = complete.indexOf(row)
    const condition = data?.conditions[place]
    return isFetching || place < 0 || data?.conditions.length !== complete.length
      ? undefined
      : condition?.alone
  }
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted">{filters.match}</span>
        <Select
          label={filters.match}
          hidden
          className="w-auto!"
          value={join}
          onChange={({ target }) => set(rows, target.value as Join)}
          options={[
            ['and', filters.all],
            ['or', filters.any],
          ]}
        />
        <span aria-live="polite" className="ml-auto font-medium tabular-nums">
          {filter === undefined
            ? ''
            : data?.count === undefined
              ? filters.counting
              : filters.fits(number(data.count))}
        </span>
      </div>
      <ul className="grid gap-2">
        {rows.map((row) => (
          <li
            key={row.id}
            className="flex flex-wrap items-center gap-2 max-sm:rounded-lg max-sm:border max-sm:border-line max-sm:p-2"
          >
            <Row
              row={row}
              onChange={(next) => set(rows.map((entry) => (entry.id === row.id ? next : entry)))}
            />
            <span className="ml-auto min-w-12 text-right text-sm text-muted tabular-nums">
              {aloneOf(row) === undefined ? '' : number(aloneOf(row) ?? 0)}
            </span>
            <IconButton
              icon="close"
              label={filters.remove}
              onClick={() => set(rows.filter((entry) => entry.id !== row.id))}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button look="quiet" icon="plus" onClick={() => setRows([...rows, newRow()])}>
          {filters.add}
        </Button>
      </div>
    </div>
  )
}

function Row({ row, onChange }: { row: FilterRow; onChange: (row: FilterRow) => void }) {
  const filters = filterWords
  const named = (list: readonly string[], names: Record<string, string>) =>
    list.map((text) => [text, names[text] ?? text] as const)
  const isDeed = row.kind.startsWith('did')
  return (
    <>
      <Select
        label={filters.what}
        hidden
        className="w-36!"
        value={row.kind}
        onChange={({ target }) => onChange({ ...newRow(target.value), id: row.id })}
        options={named(kinds, filters.kinds)}
      />
      {row.kind === 'attribute' && (
        <Input
          label={filters.key}
          hidden
          className="w-32!"
          placeholder={filters.key}
          value={row.key}
          onChange={({ target }) => onChange({ ...row, key: target.value })}
        />
      )}
      <Select
        label={filters.how}
        hidden
        className="w-40!"
        value={row.operator}
        onChange={({ target }) => onChange({ ...row, operator: target.value })}
        options={named(operatorsOf(row.kind), isDeed ? filters.events : filters.operators)}
      />
      {isDeed && <span className="text-muted">{filters.operators['within']}</span>}
      <Value row={row} onChange={(value) => onChange({ ...row, value })} />
    </>
  )
}

function Value({ row, onChange }: { row: FilterRow; onChange: (value: string) => void }) {
  const filters = filterWords
  const contacts = contactWords
  const choices = { consent: filters.consents, source: contacts.sources }
  const kind = valueKindOf(row)
  if (kind === 'none') return null
  if (kind === 'consent' || kind === 'source') {
    return (
      <Select
        label={filters.value}
        hidden
        className="w-40!"
        value={row.value}
        onChange={({ target }) => onChange(target.value)}
        options={Object.entries(choices[kind])}
      />
    )
  }
  return (
    <Input
      label={filters.value}
      hidden
      className="w-40!"
      placeholder={kind === 'duration' ? filters.duration : filters.value}
      value={row.value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
