/** A filter as rows and groups of rows, each row with the number of people who match it alone. */
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Code } from '../../ui/copy.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Input, Select, SuggestInput } from '../../ui/field.tsx'
import { contactWords } from '../../words/contacts.ts'
import { filterWords } from '../../words/filters.ts'
import { number } from '../../words/words.ts'
import { campaignNotOpened, filterInWords } from './filter-words.ts'
import {
  completeRows,
  durationOf,
  durationText,
  type FieldType,
  type Filter,
  type FilterGroup,
  type FilterItem,
  type FilterRow,
  isGroup,
  isNegated,
  type Join,
  kinds,
  narrowingOf,
  nearestName,
  newGroup,
  newRow,
  operatorsOf,
  toFilter,
  toGroup,
  typedEvent,
  units,
  valueKindOf,
  withStart,
} from './model.ts'
import { useCatalogue, useFilterCount, useNames, useTotal } from './use-filter-count.ts'

interface FilterRowsProps {
  filter: Filter | undefined
  onChange: (filter: Filter | undefined) => void
  isWithinAutomation?: boolean
}

/** In an automation, what somebody did may be counted from when they entered, and may be of any name. */
const WithinAutomation = createContext(false)

/** Who did something since they entered is only known once they are inside. */
const countable = (filter: Filter | undefined) =>
  /"since":"(?:entry|step)"/.test(JSON.stringify(filter ?? {})) ? undefined : filter

/** How many people match a row alone; undefined until that is counted. */
type CountOf = (row: FilterRow) => number | undefined

/** Who is in a draft that goes again to those who did not open the first. */
function NotOpened({ campaign_id }: { campaign_id: string }) {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['campaign.get', business_id, campaign_id],
    queryFn: ({ signal }) => api.campaign.get({ business_id, campaign_id }, { signal }),
  })
  return data ? <p>{filterWords.notOpened(data.name)}</p> : null
}

export function FilterRows({ filter, onChange, isWithinAutomation = false }: FilterRowsProps) {
  const [group, setGroup] = useState(() => (filter ? toGroup(filter) : newGroup()))
  const { data, isFetching, isError } = useFilterCount(countable(filter))
  const total = useTotal()
  const filters = filterWords
  const firstCampaign = filter && campaignNotOpened(filter)
  if (!group && firstCampaign) return <NotOpened campaign_id={firstCampaign} />
  if (!group) {
    return (
      <div className="grid gap-2">
        <p className="text-muted">{filters.tooNested}</p>
        <p>
          <bdi>{filter && filterInWords(filter)}</bdi>
        </p>
        <Json filter={filter} />
      </div>
    )
  }
  const complete = completeRows(group)
  const countOf: CountOf = (row) => {
    const index = complete.indexOf(row)
    if (isFetching || index < 0 || data?.conditions.length !== complete.length) return undefined
    const alone = data.conditions[index]?.alone ?? undefined
    if (alone === undefined || !isNegated(row)) return alone
    return total === undefined ? undefined : total - alone
  }
  return (
    <WithinAutomation value={isWithinAutomation}>
      <div className="grid gap-3">
        <Group
          group={group}
          countOf={countOf}
          onChange={(next) => {
            setGroup(next)
            onChange(toFilter(next))
          }}
          summary={
            <span aria-live="polite" className="ml-auto font-medium tabular-nums">
              {countable(filter) === undefined
                ? ''
                : isError
                  ? filters.notCounted
                  : data?.count == null
                    ? filters.counting
                    : filters.fits(number(data.count))}
            </span>
          }
        />
        {filter && !isWithinAutomation && <Json filter={filter} />}
      </div>
    </WithinAutomation>
  )
}

function Json({ filter }: { filter: Filter | undefined }) {
  return (
    <Disclosure label={filterWords.asJson}>
      <Code>{JSON.stringify(filter, null, 2)}</Code>
    </Disclosure>
  )
}

interface GroupProps {
  group: FilterGroup
  countOf: CountOf
  onChange: (group: FilterGroup) => void
  summary?: React.ReactNode
  onRemove?: () => void
}

function Group({ group, countOf, onChange, summary, onRemove }: GroupProps) {
  const filters = filterWords
  const { items, join } = group
  const isInner = onRemove !== undefined
  const set = (next: FilterItem[]) => onChange({ ...group, items: next })
  const replace = (item: FilterItem) =>
    set(items.map((entry) => (entry.id === item.id ? item : entry)))
  const remove = (id: number) => set(items.filter((entry) => entry.id !== id))
  return (
    <div className={cx('grid gap-2', isInner && 'rounded-lg border border-line p-2')}>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted">{isInner ? filters.matchInner : filters.match}</span>
        <Select
          label={isInner ? filters.matchInner : filters.match}
          hidden
          className="w-auto!"
          value={join}
          onChange={({ target }) => onChange({ ...group, join: target.value as Join })}
          options={[
            ['and', filters.all],
            ['or', filters.any],
            ['none', filters.none],
          ]}
        />
        {summary}
        {onRemove && (
          <IconButton
            icon="close"
            className="ml-auto"
            label={filters.removeGroup}
            onClick={onRemove}
          />
        )}
      </div>
      <ul className="grid gap-2">
        {items.map((item) => (
          <li key={item.id}>
            {isGroup(item) ? (
              <Group
                group={item}
                countOf={countOf}
                onChange={replace}
                onRemove={() => remove(item.id)}
              />
            ) : (
              <Row
                row={item}
                count={countOf(item)}
                onChange={replace}
                onRemove={() => remove(item.id)}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" icon="plus" onClick={() => set([...items, newRow()])}>
          {filters.add}
        </Button>
        {!isInner && (
          <Button
            look="quiet"
            icon="plus"
            onClick={() => set([...items, newGroup([newRow()], join === 'or' ? 'and' : 'or')])}
          >
            {filters.addGroup}
          </Button>
        )}
      </div>
    </div>
  )
}

interface RowProps {
  row: FilterRow
  count: number | undefined
  onChange: (row: FilterRow) => void
  onRemove: () => void
}

function Row({ row, count, onChange, onRemove }: RowProps) {
  const filters = filterWords
  const catalogue = useCatalogue()
  const isDeed = row.kind.startsWith('did')
  const events = catalogue?.events ?? []
  const names = isDeed
    ? { ...filters.events, ...(row.kind === 'did_not' && filters.neverDid) }
    : row.kind === 'topic'
      ? filters.consents
      : filters.operators
  const isWithin = useContext(WithinAutomation)
  const operators = operatorsOf(row, isDeed && isWithin ? [...events, typedEvent] : events)
  const shown = operators.includes(row.operator) ? operators : [...operators, row.operator]
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-2 max-sm:rounded-lg max-sm:border max-sm:border-line max-sm:p-2">
        <What row={row} onChange={onChange} />
        <Select
          label={filters.how}
          hidden
          className="w-52! max-sm:w-full!"
          value={row.operator}
          onChange={({ target }) => onChange(withOperator(row, target.value))}
          options={shown.map((text) => [text, names[text] ?? text] as const)}
        />
        <Narrowing row={row} onChange={onChange} />
        {isDeed && row.operator === typedEvent && (
          <Input
            label={filters.ownEvent}
            hidden
            className="w-40!"
            placeholder={filters.ownEvent}
            value={row.key}
            onChange={({ target }) => onChange({ ...row, key: target.value })}
          />
        )}
        {isDeed && (isWithin || row.since) && <Since row={row} onChange={onChange} />}
        {row.since === undefined && (
          <Value row={row} onChange={(value) => onChange({ ...row, value })} />
        )}
        <span className="ml-auto min-w-12 text-right text-sm text-muted tabular-nums">
          {count === undefined ? '' : number(count)}
        </span>
        <IconButton icon="close" label={filters.remove} onClick={onRemove} />
      </div>
      <Unknown row={row} count={count} onChange={onChange} />
    </div>
  )
}

/** From when an activity counts: a period back from now, or since the person entered. */
function Since({ row, onChange }: { row: FilterRow; onChange: (row: FilterRow) => void }) {
  const filters = filterWords
  return (
    <Select
      label={filters.period}
      hidden
      className="w-44!"
      value={row.since ?? 'within'}
      onChange={({ target }) => {
        const { since: _before, ...rest } = row
        onChange(target.value === 'within' ? rest : { ...rest, since: 'entry' })
      }}
      options={[
        ['within', filters.anyPeriod],
        ['entry', filters.sinceEntry],
        ...(row.since === 'step' ? [['step', filters.sinceStep] as const] : []),
      ]}
    />
  )
}

/** A value stays where the new operator takes one of the same kind. */
function withOperator(row: FilterRow, operator: string): FilterRow {
  const next = { ...row, operator, of: narrowingOf({ ...row, operator }) ? row.of : '' }
  return valueKindOf(next) === valueKindOf(row) ? next : withStart(next)
}

const prefix = 'attributes.'

/** What the condition is about: the fields of everybody, then the business's own. */
function What({ row, onChange }: { row: FilterRow; onChange: (row: FilterRow) => void }) {
  const filters = filterWords
  const catalogue = useCatalogue()
  const isOwn = row.kind === 'attribute'
  const fields = (catalogue?.fields ?? []).map(
    ({ field, contacts }) =>
      [field, filters.field(field.slice(prefix.length), number(contacts))] as const,
  )
  const chosen = `${prefix}${row.key}`
  const isListed = fields.some(([field]) => field === chosen)
  const typeOf = (field: string): FieldType =>
    catalogue?.fields.find((entry) => entry.field === field)?.type ?? 'any'
  return (
    <>
      <Select
        label={filters.what}
        hidden
        className="w-44!"
        value={isOwn && !row.isTyped ? chosen : row.kind}
        onChange={({ target: { value } }) => {
          const next = value.startsWith(prefix)
            ? newRow('attribute', value.slice(prefix.length), typeOf(value))
            : newRow(value)
          onChange({ ...next, id: row.id, ...(value === 'attribute' && { isTyped: true }) })
        }}
        options={[
          ...kinds.map((kind) => [kind, filters.kinds[kind] ?? kind] as const),
          ...fields,
          ...(isOwn && !row.isTyped && !isListed ? [[chosen, row.key] as const] : []),
          ['attribute', filters.kinds['attribute'] ?? ''],
        ]}
      />
      {isOwn && row.isTyped && (
        <Input
          label={filters.key}
          hidden
          className="w-32!"
          placeholder={filters.key}
          value={row.key}
          onChange={({ target: { value } }) => {
            const type = typeOf(`${prefix}${value.trim()}`)
            const next = { ...row, key: value, type }
            onChange(
              type === row.type
                ? next
                : { ...newRow('attribute', value, type), id: row.id, isTyped: true },
            )
          }}
        />
      )}
    </>
  )
}

/** The campaign or the form of an activity, by name. */
function Narrowing({ row, onChange }: { row: FilterRow; onChange: (row: FilterRow) => void }) {
  const filters = filterWords
  const of = narrowingOf(row)
  const named = useNames(of)
  if (!of) return null
  const isListed = row.of === '' || named.some(([id]) => id === row.of)
  return (
    <Select
      label={filters.narrowings[of].label}
      hidden
      className="w-40!"
      value={row.of}
      onChange={({ target }) => onChange({ ...row, of: target.value })}
      options={[
        ['', filters.narrowings[of].any],
        ...named,
        ...(isListed ? [] : [[row.of, filters.narrowings[of].other] as const]),
      ]}
    />
  )
}

function Value({ row, onChange }: { row: FilterRow; onChange: (value: string) => void }) {
  const filters = filterWords
  const kind = valueKindOf(row)
  const named = useNames(kind === 'topic' || kind === 'segment' ? kind : undefined)
  const suggestions = useValues(row)
  const given = {
    label: filters.value,
    hidden: true,
    className: 'w-40!',
    value: row.value,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  switch (kind) {
    case 'none':
      return null
    case 'standing':
    case 'consent':
      return <Select {...given} options={Object.entries(choicesOf(kind))} />
    case 'source':
      return <Select {...given} options={Object.entries(contactWords.sources)} />
    case 'boolean':
      return (
        <Select
          {...given}
          options={[
            ['true', filters.yes],
            ['false', filters.no],
          ]}
        />
      )
    case 'topic':
    case 'segment':
      return <Select {...given} options={[['', filters.choose], ...named]} />
    case 'number':
      return <Input {...given} className="w-28!" type="number" step="any" />
    case 'day':
      return <Input {...given} type="date" />
    case 'duration':
      return <Duration row={row} onChange={onChange} />
    default:
      return (
        <SuggestInput
          {...given}
          placeholder={filters.value}
          suggestions={suggestions.map(({ value, contacts }) => [
            value,
            filters.field(value, number(contacts)),
          ])}
        />
      )
  }
}

const choicesOf = (kind: 'standing' | 'consent'): Record<string, string> =>
  kind === 'standing' ? contactWords.states : filterWords.consents

/** "In the last [60] [days]". An activity without a number is of any time. */
function Duration({ row, onChange }: { row: FilterRow; onChange: (value: string) => void }) {
  const filters = filterWords
  const { count, unit } = durationOf(row.value)
  const isDeed = row.kind.startsWith('did')
  return (
    <>
      {isDeed && <span className="text-muted">{filters.operators['within']}</span>}
      <Input
        label={filters.value}
        hidden
        className="w-20!"
        type="number"
        min={1}
        step={1}
        placeholder={isDeed ? filters.ever : ''}
        value={count}
        onChange={({ target }) => onChange(durationText(target.value, unit))}
      />
      <Select
        label={filters.unit}
        hidden
        className="w-24!"
        value={unit}
        onChange={({ target }) => onChange(durationText(count || '1', target.value))}
        options={units.map((name) => [name, filters.units[name]] as const)}
      />
    </>
  )
}

/** The most frequent values of the row's field, or the tags. */
function useValues(row: FilterRow): readonly { value: string; contacts: number }[] {
  const catalogue = useCatalogue()
  if (row.kind === 'tag') {
    return (catalogue?.tags ?? []).map(({ tag, contacts }) => ({ value: tag, contacts }))
  }
  if (row.kind !== 'attribute') return []
  const found = catalogue?.fields.find(({ field }) => field === `${prefix}${row.key.trim()}`)
  return found?.values ?? []
}

/** Says that nobody has the field or the value, with the most similar one that somebody has. */
function Unknown({ row, count, onChange }: Omit<RowProps, 'onRemove'>) {
  const filters = filterWords
  const catalogue = useCatalogue()
  const values = useValues(row)
  if (!catalogue) return null
  const key = row.key.trim()
  const fields = catalogue.fields.map(({ field }) => field.slice(prefix.length))
  const isUnknownField =
    row.kind === 'attribute' &&
    key !== '' &&
    !fields.includes(key) &&
    !catalogue.more?.includes('fields')
  const value = row.value.trim()
  const isExact = row.kind === 'tag' || (row.kind === 'attribute' && row.operator === 'is')
  const isUnknownValue =
    isExact &&
    value !== '' &&
    valueKindOf(row) === 'text' &&
    (count === 0 || (row.kind === 'tag' && !catalogue.more?.includes('tags'))) &&
    !values.some((entry) => entry.value === value)
  if (!isUnknownField && !isUnknownValue) return null
  const meant = isUnknownField
    ? nearestName(key, fields)
    : nearestName(
        value,
        values.map((entry) => entry.value),
      )
  const take = (name: string) => {
    if (!isUnknownField) return onChange({ ...row, value: name })
    const type = catalogue.fields.find(({ field }) => field === `${prefix}${name}`)?.type ?? 'any'
    onChange({ ...newRow('attribute', name, type), id: row.id })
  }
  return (
    <p role="status" className="text-sm text-warn">
      <bdi>{isUnknownField ? filters.noField(key) : filters.noValue(value)}</bdi>{' '}
      {meant !== undefined && (
        <button type="button" className="text-link hover:underline" onClick={() => take(meant)}>
          {filters.meant(meant)}
        </button>
      )}
    </p>
  )
}
