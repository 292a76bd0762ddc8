/** What an automation did for one person, what they wait for, or what they would get. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { filterInWords } from '../../parts/filter/filter-words.ts'
import type { Filter } from '../../parts/filter/model.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Body, Card } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { automationWords } from '../../words/automations.ts'
import { colon, moment, number } from '../../words/words.ts'
import { iconOf } from './icons.ts'
import {
  flat,
  type Names,
  numbered,
  type Step,
  stepInWords,
  type WholeAutomation,
} from './model.ts'
import { useNames } from './use-names.ts'

const from = '/$business/automations/$automation' as const

export function OnePerson({ automation }: { automation: WholeAutomation }) {
  const { contact } = useSearch({ from })
  const navigate = useNavigate({ from })
  const choose = (id: string | undefined) =>
    void navigate({
      search: { tab: 'person', ...(id !== undefined && { contact: id }) },
      replace: true,
    })
  return (
    <Body narrow>
      {contact === undefined ? (
        <Finder onChoose={choose} />
      ) : (
        <Calendar
          key={contact}
          automation={automation}
          contact_id={contact}
          onBack={() => choose(undefined)}
        />
      )}
    </Body>
  )
}

function Finder({ onChoose }: { onChoose: (id: string) => void }) {
  const business_id = useBusinessId()
  const [text, setText] = useState('')
  const w = automationWords
  const { data, error } = useQuery({
    queryKey: ['contact.list', business_id, 'find', text],
    queryFn: ({ signal }) =>
      api.contact.list({ business_id, limit: 8, ...(text !== '' && { q: text }) }, { signal }),
  })
  return (
    <div className="grid gap-3">
      <p className="text-muted">{w.person.about}</p>
      <SearchField label={w.person.search} value={text} onChange={setText} />
      {error && <Failure error={error} />}
      {data?.contacts.length === 0 && <p className="text-muted">{w.person.notFound}</p>}
      {data && data.contacts.length > 0 && (
        <ul className="divide-y divide-line overflow-clip rounded-xl border border-line bg-surface">
          {data.contacts.map(({ contact_id, email, phone, name }) => (
            <li key={contact_id}>
              <button
                type="button"
                onClick={() => onChoose(contact_id)}
                className="flex min-h-11 w-full items-center gap-2 px-4 py-1.5 text-left hover:bg-hover"
              >
                <Icon name="person" className="shrink-0 text-muted" />
                <span className="grid min-w-0 flex-1">
                  <bdi className="truncate font-medium">{name ?? email ?? phone}</bdi>
                  {name && <bdi className="truncate text-sm text-muted">{email ?? phone}</bdi>}
                </span>
                <Icon name="right" className="shrink-0 text-muted" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type Why = Awaited<ReturnType<typeof api.sequence.why>>
type Entry = Why['entries'][number]

interface CalendarProps {
  automation: WholeAutomation
  contact_id: string
  onBack: () => void
}

function Calendar({ automation, contact_id, onBack }: CalendarProps) {
  const business_id = useBusinessId()
  const { sequence_id } = automation
  const w = automationWords.person
  const names = useNames()
  const why = useQuery({
    queryKey: ['sequence.why', business_id, sequence_id, contact_id],
    queryFn: ({ signal }) => api.sequence.why({ business_id, sequence_id, contact_id }, { signal }),
  })
  const contact = useQuery({
    queryKey: ['contact.get', business_id, contact_id, 'name'],
    queryFn: ({ signal }) => api.contact.get({ business_id, contact_id, limit: 1 }, { signal }),
  })
  const hasNone = why.data?.entries.length === 0
  const would = useQuery({
    queryKey: ['sequence.preview', business_id, sequence_id, 'person', contact_id],
    queryFn: ({ signal }) =>
      api.sequence.preview({ business_id, sequence_id, contact_id }, { signal }),
    enabled: hasNone,
  })
  const error = why.error ?? contact.error ?? would.error
  const { name, email, phone } = contact.data ?? {}
  const stepsOf = (version: number) => {
    const started = automation.versions.find((entry) => entry.version === version)
    return flat(numbered((started?.steps ?? automation.steps) as Step[]))
  }
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="min-w-0 flex-1 truncate text-lg font-semibold">
          <bdi>{name ?? email ?? phone ?? ''}</bdi>
        </h2>
        <Link
          to="/$business/contacts"
          params={{ business: business_id }}
          search={{ open: contact_id }}
          className="text-link hover:underline"
        >
          {w.contact}
        </Link>
        <Button onClick={onBack}>{w.choose}</Button>
      </div>
      {error && <Failure error={error} onRetry={() => void why.refetch()} />}
      {!why.data && !error && <Skeleton lines={5} />}
      {why.data?.entries.map((entry) => (
        <OneEntry
          key={entry.entered_at}
          entry={entry}
          steps={new Map(stepsOf(entry.version).map(({ n, step }) => [n, step]))}
          names={names}
        />
      ))}
      {hasNone && (
        <Card title={w.never}>
          <div className="grid gap-3">
            {why.data?.conditions && (
              <>
                <p className="text-muted">{w.neverWhy}</p>
                <ul className="grid gap-1.5">
                  {why.data.conditions.map(({ path, condition, true: isTrue }) => (
                    <li key={path} className="flex flex-wrap gap-2">
                      <Badge tone={isTrue ? 'good' : 'bad'}>{isTrue ? w.met : w.notMet}</Badge>
                      <bdi>{filterInWords(condition as Filter)}</bdi>
                    </li>
                  ))}
                </ul>
              </>
            )}
            {would.data?.calendar && (
              <>
                <p className="font-medium">{w.would}</p>
                <Would
                  calendar={would.data.calendar}
                  steps={
                    new Map(
                      flat(numbered(automation.steps as Step[])).map(({ n, step }) => [n, step]),
                    )
                  }
                  names={names}
                />
              </>
            )}
          </div>
        </Card>
      )}
    </div>
  )
}

const tones: Record<string, Tone> = {
  active: 'live',
  finished: 'good',
  holdout: 'calm',
  left: 'calm',
}

interface EntryProps {
  entry: Entry
  steps: ReadonlyMap<number, Step>
  names: Names
}

function OneEntry({ entry, steps, names }: EntryProps) {
  const w = automationWords.person
  const next = entry.next_step === null ? undefined : steps.get(entry.next_step)
  return (
    <Card
      title={`${w.entered} ${moment(entry.entered_at)}`}
      actions={
        <Badge tone={tones[entry.state] ?? 'calm'}>{w.states[entry.state] ?? entry.state}</Badge>
      }
    >
      <ol className="grid gap-3">
        {entry.steps.map(({ step, kind, outcome, reason, message_id, at }) => (
          <Line
            key={step}
            icon={iconOf(kind)}
            at={moment(at)}
            text={textOf(steps.get(step), names)}
            about={outcomeOf(outcome, reason)}
            messageId={message_id ?? undefined}
          />
        ))}
        {entry.state === 'active' && (
          <Line
            icon="clock"
            at={entry.due_at === null ? '' : moment(entry.due_at)}
            text={next ? textOf(next, names) : automationWords.said.end}
            about={entry.waits_for ? w.waitsFor : w.next}
          />
        )}
        {entry.ended_at !== null && (
          <Line
            icon={entry.state === 'finished' ? 'check' : 'out'}
            at={moment(entry.ended_at)}
            text={w.states[entry.state] ?? ''}
            about={entry.reason === null ? '' : reasonOf(entry.reason)}
          />
        )}
      </ol>
    </Card>
  )
}

const textOf = (step: Step | undefined, names: Names) =>
  step ? stepInWords(step, names) : automationWords.unnamed

const reasonOf = (reason: string) => automationWords.reasons[reason] ?? automationWords.reasonOther

function outcomeOf(outcome: string, reason: string | null): string {
  const w = automationWords.person
  const branch = (reason ?? outcome).match(/^branch (\d+)$/)?.[1]
  if (branch !== undefined) return w.branch(number(Number(branch)))
  const word = w.outcomes[outcome] ?? outcome
  return reason === null || outcome !== 'skipped' ? word : `${word}${colon}${reasonOf(reason)}`
}

interface WouldProps {
  calendar: { step: number; kind: string; at: string; outcome: string }[]
  steps: ReadonlyMap<number, Step>
  names: Names
}

function Would({ calendar, steps, names }: WouldProps) {
  return (
    <ol className="grid gap-3">
      {calendar.map(({ step, kind, at, outcome }) => (
        <Line
          key={step}
          icon={iconOf(kind)}
          at={moment(at)}
          text={textOf(steps.get(step), names)}
          about={outcomeOf(outcome, null)}
        />
      ))}
    </ol>
  )
}

interface LineProps {
  icon: IconName
  at: string
  text: string
  about: string
  messageId?: string | undefined
}

function Line({ icon, at, text, about, messageId }: LineProps) {
  const business = useBusinessId()
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-0.5">
      <Icon name={icon} className="mt-0.5 shrink-0 text-muted" />
      <span className="grid min-w-0 flex-1 basis-48">
        <bdi>{text}</bdi>
        <span className="text-sm text-muted">
          {about}
          {messageId !== undefined && (
            <>
              {about !== '' && ' · '}
              <Link
                to="/$business/messages"
                params={{ business }}
                search={{ open: messageId }}
                className="text-link hover:underline"
              >
                {automationWords.person.message}
              </Link>
            </>
          )}
        </span>
      </span>
      <time className="shrink-0 text-sm text-muted tabular-nums max-sm:basis-full max-sm:pl-7">
        {at}
      </time>
    </li>
  )
}
