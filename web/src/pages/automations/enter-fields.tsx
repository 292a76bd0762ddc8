/** The rule by which people enter, in words. */
import type { Filter } from '../../parts/filter/model.ts'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { automationWords } from '../../words/automations.ts'
import { ConditionField } from './condition-field.tsx'
import { type Enter, shownText } from './model.ts'
import { SpanField } from './span-field.tsx'
import { useNames } from './use-names.ts'

/** The ways to enter that the service knows. */
const ways = [
  'consent.given',
  'form.submitted',
  'tag.added',
  'segment.entered',
  'date',
  'own_event',
  'message.clicked',
]

/** What each way begins with. */
const first: Record<string, Record<string, unknown>> = {
  'tag.added': { tag: '' },
  own_event: { event: '' },
  'segment.entered': { segment_id: '' },
  date: { field: 'birthday', yearly: true },
}

interface EnterProps {
  enter: Enter
  fault: string | undefined
  onChange: (enter: Enter) => void
}

export function EnterFields({ enter, fault, onChange }: EnterProps) {
  const w = automationWords
  const again = shownText(enter['again'] ?? 'never')
  const isAfter = again.startsWith('after')
  const set = (part: Record<string, unknown>) => {
    const next = Object.entries({ ...enter, ...part }).filter(([, value]) => value !== undefined)
    onChange(Object.fromEntries(next) as Enter)
  }
  const changeWay = (on: string) => {
    const kept = Object.fromEntries(
      ['filter', 'again', 'imports'].flatMap((key) =>
        enter[key] === undefined || (on === 'date' && key === 'imports') ? [] : [[key, enter[key]]],
      ),
    )
    onChange({ on, ...first[on], ...kept })
  }
  return (
    <div className="grid gap-4" data-fault={fault === undefined ? undefined : ''}>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={w.enterOn}
          value={enter.on}
          onChange={({ target }) => changeWay(target.value)}
          options={[...new Set([...ways, enter.on])].map((on) => [on, w.enters[on] ?? on])}
        />
        <WayFields enter={enter} set={set} fault={fault} />
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={w.again}
          value={isAfter ? 'after' : again}
          onChange={({ target }) =>
            set({
              again:
                target.value === 'never'
                  ? undefined
                  : target.value === 'after'
                    ? 'after 90 days'
                    : target.value,
            })
          }
          options={Object.entries(w.agains).filter(
            ([key]) => key !== 'latest' || enter.on === 'own_event' || again === 'latest',
          )}
        />
        {isAfter && (
          <SpanField
            label={w.againAfter}
            value={again.slice('after '.length)}
            onChange={(span) => set({ again: `after ${span}` })}
          />
        )}
      </div>
      {enter.on !== 'date' && (
        <Checkbox
          label={w.imports}
          hint={w.importsHint}
          checked={enter['imports'] === true}
          onChange={({ target }) => set({ imports: target.checked ? true : undefined })}
        />
      )}
      <ConditionField
        {...(enter['filter'] !== undefined && { name: w.only })}
        add={w.addOnly}
        filter={enter['filter'] as Filter | undefined}
        onChange={(filter) => set({ filter })}
      />
    </div>
  )
}

interface WayProps {
  enter: Enter
  set: (part: Record<string, unknown>) => void
  fault: string | undefined
}

function WayFields({ enter, set, fault }: WayProps) {
  const w = automationWords
  const names = useNames()
  const text = (key: string) => shownText(enter[key] ?? '')
  switch (enter.on) {
    case 'consent.given':
      if (names.topics.size === 0 && enter['topic'] === undefined) return null
      return (
        <Select
          label={w.topic}
          value={text('topic')}
          onChange={({ target }) => set({ topic: target.value || undefined })}
          options={[['', w.anyTopic], ...names.topics]}
        />
      )
    case 'form.submitted':
      return (
        <Select
          label={w.form}
          value={text('form_id')}
          onChange={({ target }) => set({ form_id: target.value || undefined })}
          options={[['', w.anyForm], ...names.forms]}
        />
      )
    case 'tag.added':
      return (
        <Input
          label={w.tag}
          maxLength={100}
          value={text('tag')}
          fault={fault}
          onChange={({ target }) => set({ tag: target.value })}
        />
      )
    case 'segment.entered':
      return (
        <Select
          label={w.segment}
          value={text('segment_id')}
          fault={fault}
          onChange={({ target }) => set({ segment_id: target.value })}
          options={[['', w.segment], ...names.segments]}
        />
      )
    case 'date':
      return <DateFields enter={enter} set={set} fault={fault} />
    case 'own_event':
      return (
        <Input
          label={w.event}
          hint={w.eventHint}
          maxLength={64}
          value={text('event')}
          fault={fault}
          onChange={({ target }) => set({ event: target.value })}
        />
      )
    case 'message.clicked':
      return (
        <Input
          label={w.link}
          hint={w.linkHint}
          type="url"
          value={text('link')}
          fault={fault}
          onChange={({ target }) => set({ link: target.value || undefined })}
        />
      )
    default:
      return null
  }
}

const ownPrefix = 'attributes.'

/** A date of each person, and how long before or after it they enter. */
function DateFields({ enter, set, fault }: WayProps) {
  const w = automationWords
  const field = shownText(enter['field'] ?? '')
  const offset = shownText(enter['offset'] ?? '')
  const when = offset === '' ? 'on' : offset.startsWith('-') ? 'before' : 'after'
  const isBirthday = field === 'birthday'
  const span = offset.replace(/^[+-]/, '') || '3 days'
  const move = (next: string, by: string) =>
    set({ offset: next === 'on' ? undefined : next === 'before' ? `-${by}` : by })
  return (
    <>
      <Select
        label={w.dateField}
        value={isBirthday ? 'birthday' : 'own'}
        onChange={({ target }) =>
          set({ field: target.value === 'birthday' ? 'birthday' : ownPrefix })
        }
        options={[
          ['birthday', w.birthday],
          ['own', w.fields['own'] ?? ''],
        ]}
      />
      {!isBirthday && (
        <Input
          label={w.ownField}
          maxLength={64}
          value={field.slice(ownPrefix.length)}
          fault={fault}
          onChange={({ target }) => set({ field: ownPrefix + target.value.trim() })}
        />
      )}
      <Select
        label={w.offset}
        value={when}
        onChange={({ target }) => move(target.value, span)}
        options={Object.entries(w.offsets)}
      />
      {when !== 'on' && (
        <SpanField
          label={w.amount}
          value={span}
          only={['days', 'weeks']}
          onChange={(next) => move(when, next)}
        />
      )}
      <Checkbox
        label={w.yearly}
        checked={enter['yearly'] === true}
        onChange={({ target }) =>
          set({ yearly: target.checked ? true : undefined, leap_day: undefined })
        }
      />
    </>
  )
}
