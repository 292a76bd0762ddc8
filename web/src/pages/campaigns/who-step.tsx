import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import type { Filter } from '../../parts/filter/model.ts'
import { useFilterCount } from '../../parts/filter/use-filter-count.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Card } from '../../ui/page.tsx'
import { EmptyList, Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { segmentWords } from '../../words/lists.ts'
import { number } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { usePlan } from './use-plan.ts'

// Loaded when the editor is there, so that the page appears sooner.
const DraftNotices = lazyPart(() => import('../../parts/drafts/draft-notices.tsx'), 'DraftNotices')

// Most campaigns go to everyone or to a segment.
const FilterRows = lazyPart(() => import('../../parts/filter/filter-rows.tsx'), 'FilterRows')

type AudienceKind = 'everyone' | 'segment' | 'filter'
type Audience = WholeCampaign['audience']

/** Tags are equivalent to a filter that requires any of them. */
function filterOf({ filter, tags = [] }: Audience): Filter | undefined {
  const tagged = tags.map((tag) => ({ tag }))
  const wanted = tagged.length > 1 ? { or: tagged } : tagged[0]
  return filter && wanted ? { and: [wanted, filter] } : (filter ?? wanted)
}

interface Choice {
  audience: {
    way: AudienceKind
    /** Whoever is in any of them gets it. */
    segments: string[]
    filter?: Filter | undefined
    /** Whoever is in any of these segments is left out. */
    without: string[]
    /** Whoever got a campaign in so many last days is left out. */
    days: string
    /** The key of the topic; empty if the campaign is about none. */
    topic: string
  }
}

/** What is sent to segments may leave others out, which the service has as one filter. */
function choiceOf({ audience, topic }: WholeCampaign): Choice['audience'] {
  const { filter: whole, without } = splitOff(filterOf(audience))
  const own = audience.segment_id === undefined ? segmentsOf(whole) : [audience.segment_id]
  const filter = own ? undefined : whole
  return {
    way: own ? 'segment' : filter ? 'filter' : 'everyone',
    segments: own ?? [],
    ...(filter && { filter }),
    without,
    days: String(audience.not_sent_within_days ?? ''),
    topic: topic ?? '',
  }
}

/** The segments that a filter leaves out at its end, and the filter before it. */
function splitOff(filter: Filter | undefined): { filter: Filter | undefined; without: string[] } {
  if (!filter) return { filter, without: [] }
  const alone = leftOutSegments(filter)
  if (alone) return { filter: undefined, without: alone }
  const all = 'and' in filter && Array.isArray(filter['and']) ? (filter['and'] as Filter[]) : []
  const [first, last] = all
  const without = last && leftOutSegments(last)
  if (all.length !== 2 || !without) return { filter, without: [] }
  return { filter: first, without }
}

const leftOutSegments = (filter: Filter): string[] | undefined =>
  'not' in filter ? segmentsOf(filter['not'] as Filter) : undefined

/** The segments that a filter asks any of; undefined if it asks anything else. */
function segmentsOf(filter: Filter | undefined): string[] | undefined {
  if (!filter) return undefined
  const any = 'or' in filter && Array.isArray(filter['or']) ? (filter['or'] as Filter[]) : [filter]
  const ids = any.map((entry) => ('segment' in entry ? entry['segment'] : undefined))
  return ids.every((id) => typeof id === 'string') ? (ids as string[]) : undefined
}

function anyOf(segments: readonly string[]): Filter | undefined {
  const each = segments.map((segment): Filter => ({ segment }))
  return each.length > 1 ? { or: each } : each[0]
}

/** Whom the choice names, before anybody is left out. */
function chosenIn({ way, segments, filter }: Choice['audience']): Filter | undefined {
  if (way === 'everyone') return undefined
  return way === 'segment' ? anyOf(segments) : filter
}

/** The audience as the service takes it. */
function audienceOf(choice: Choice['audience']): Audience {
  const { way, segments, without, days } = choice
  const chosen = chosenIn(choice)
  const others = anyOf(without)
  const leftOut = others && { not: others }
  const whole = chosen && leftOut ? { and: [chosen, leftOut] } : (leftOut ?? chosen)
  const [only] = segments
  const isOne = way === 'segment' && segments.length === 1 && !leftOut
  return {
    ...(isOne && only !== undefined ? { segment_id: only } : whole && { filter: whole }),
    ...(days.trim() !== '' && { not_sent_within_days: Number(days) }),
  }
}

export function WhoStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { who, save: saveLabel } = campaignWords
  const draft = useDraft<Choice>({
    name: `who ${business_id} ${campaign.campaign_id}`,
    version: campaign.version,
    stored: { audience: choiceOf(campaign) },
    saved: campaign.saved,
  })
  const choice = draft.value.audience
  const { way, segments: chosen, filter, without, days, topic } = choice
  const set = (part: Partial<Choice['audience']>) =>
    draft.change({ audience: { ...draft.value.audience, ...part } })
  const segments = useQuery({
    queryKey: ['segment.list', business_id],
    queryFn: ({ signal }) => api.segment.list({ business_id, limit: 200 }, { signal }),
  })
  const topics = useQuery({
    queryKey: ['topic.list', business_id],
    queryFn: ({ signal }) => api.topic.list({ business_id }, { signal }),
  })
  const { save, isSaving, isRetrying, error } = useSave(
    draft,
    () => {
      const { campaign_id } = campaign
      const audience = audienceOf(draft.value.audience)
      const if_version = draft.version
      return api.campaign.save({ business_id, campaign_id, audience, topic, if_version })
    },
    () => undefined,
  )
  const choices = segments.data?.segments ?? []
  const names = choices.map((choice) => [choice.segment_id, choice.name] as const)
  const offered = (topics.data?.topics ?? []).filter(
    (entry) => !entry.archived || entry.topic === topic,
  )
  const fault = faultOf(error)
  const lacksSegment = way === 'segment' && chosen.length === 0
  return (
    <form
      className="grid gap-4"
      data-unsaved={
        may && draft.isChanged && draft.conflicts.length === 0 && !lacksSegment ? '' : undefined
      }
      onSubmit={(event) => {
        event.preventDefault()
        // A press on a step asks for it as well, and one save leads to where the last press says.
        if (!isSaving) save(undefined, onDone)
      }}
    >
      <Suspense>
        <DraftNotices
          draft={draft}
          isRetrying={isRetrying}
          labels={{ audience: campaignWords.steps.who }}
        />
      </Suspense>
      <Card title={campaignWords.steps.who}>
        <div className="grid gap-4">
          {campaign.audience_wish !== null && (
            <p className="rounded-lg bg-warn-ground p-3">{who.wish(campaign.audience_wish)}</p>
          )}
          <fieldset className="grid gap-2">
            <legend className="sr-only">{campaignWords.steps.who}</legend>
            {(['everyone', 'segment', 'filter'] as const).map((word) => (
              <label key={word} className="flex items-center gap-2 max-sm:py-1">
                <input
                  type="radio"
                  name="way"
                  className="size-3.5 accent-accent"
                  checked={way === word}
                  onChange={() => set({ way: word })}
                />
                {who[word]}
              </label>
            ))}
          </fieldset>
          {way === 'segment' &&
            (segments.data && choices.length === 0 ? (
              <EmptyList
                action={
                  <Link
                    to="/$business/contacts"
                    params={{ business: business_id }}
                    search={{ edit: true }}
                    className={buttonClass()}
                  >
                    {segmentWords.toContacts}
                  </Link>
                }
              >
                {who.noSegments}
              </EmptyList>
            ) : (
              <SegmentPicks
                legend={who.choose}
                names={names}
                chosen={chosen}
                onChange={(next) => set({ segments: next })}
              />
            ))}
          {way === 'filter' && (
            <Suspense fallback={<Skeleton lines={2} />}>
              <FilterRows
                key={draft.turn}
                filter={filter}
                onChange={(next: Filter | undefined) => set({ filter: next })}
              />
            </Suspense>
          )}
          {offered.length > 0 && (
            <Select
              label={who.topic}
              hint={who.topicHint}
              value={topic}
              onChange={({ target }) => set({ topic: target.value })}
              fault={fault('topic')}
              options={[
                ['', who.noTopic] as const,
                ...offered.map((entry) => [entry.topic, entry.name] as const),
              ]}
            />
          )}
          <p className="text-sm text-muted">{who.note[campaign.channel]}</p>
        </div>
      </Card>
      <Card title={who.leaveOut}>
        <div className="grid gap-4">
          {names.length > 0 && (
            <SegmentPicks
              legend={who.without}
              names={names}
              chosen={without}
              onChange={(next) => set({ without: next })}
              takenFrom={chosenIn(choice)}
            />
          )}
          <Input
            label={who.days}
            type="number"
            min={1}
            max={90}
            className="max-w-32"
            value={days}
            onChange={({ target }) => set({ days: target.value })}
            fault={fault('audience.not_sent_within_days')}
          />
        </div>
      </Card>
      <Numbers campaign={campaign} whole={wholeOf(campaign)} />
      {error && <Failure error={error} />}
      {may && (
        <div className="flex justify-end">
          <Button
            look="main"
            type="submit"
            busy={isSaving}
            disabled={draft.conflicts.length > 0 || lacksSegment}
          >
            {saveLabel}
          </Button>
        </div>
      )}
    </form>
  )
}

/** Segments with a box for each. Of those that are left out, how many each takes away. */
function SegmentPicks({
  legend,
  names,
  chosen,
  onChange,
  takenFrom,
}: {
  legend: string
  names: readonly (readonly [id: string, name: string])[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  takenFrom?: Filter | undefined
}) {
  const { who } = campaignWords
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-medium">{legend}</legend>
      <div className="grid max-h-56 gap-1 overflow-y-auto rounded-lg border border-line p-2">
        {names.map(([id, name]) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, id] : chosen.filter((entry) => entry !== id))
            }
          />
        ))}
      </div>
      {chosen.length > 1 && <p className="text-sm text-muted">{who.anyOf}</p>}
      {takenFrom &&
        names.map(([id, name]) =>
          chosen.includes(id) ? (
            <Named
              key={id}
              filter={{ and: [takenFrom, { segment: id }] }}
              label={(count) => who.takenBy(name, count)}
            />
          ) : null,
        )}
    </fieldset>
  )
}

const shownNames = 10

/** How many people fit, and the first ten of them on request. */
function Named({
  filter,
  count,
  label,
}: {
  filter: Filter
  /** Where it is known already. */
  count?: number
  label: (count: string) => string
}) {
  const business_id = useBusinessId()
  const { who } = campaignWords
  const [isOpen, setOpen] = useState(false)
  const counted = useFilterCount(count === undefined ? filter : undefined)
  const people = useQuery({
    queryKey: ['contact.list', business_id, 'named', JSON.stringify(filter)],
    queryFn: ({ signal }) =>
      api.contact.list({ business_id, filter, limit: shownNames }, { signal }),
    enabled: isOpen,
  })
  const known = count ?? counted.data?.count ?? null
  if (known === null) return null
  return (
    <div>
      <p className="flex flex-wrap items-center gap-x-2">
        <span>{label(number(known))}</span>
        {known > 0 && (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="min-h-6 text-link hover:underline"
          >
            {who.names}
          </button>
        )}
      </p>
      {isOpen && people.error && <Failure error={people.error} />}
      {isOpen && people.isPending && <Skeleton lines={3} />}
      {isOpen && people.data && (
        <ul className="pl-4 text-sm text-muted">
          {people.data.contacts.map(({ contact_id, name, email, phone }) => (
            <li key={contact_id}>
              <bdi>{[name, email ?? phone].filter(Boolean).join(', ')}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Whom the saved draft is for, before consent and the like. */
function wholeOf({ audience }: WholeCampaign): Filter | undefined {
  const { segment_id } = audience
  return segment_id === undefined ? filterOf(audience) : { segment: segment_id }
}

/** The people whom a reason takes away, as a filter; undefined where none says so. */
function filterOfReason(reason: string, { channel, audience }: WholeCampaign): Filter | undefined {
  const address = channel === 'email' ? 'email' : 'phone'
  const days = audience.not_sent_within_days
  switch (reason) {
    case 'no_email':
    case 'no_phone':
      return { field: address, op: 'missing' }
    case 'not_subscribed':
      return {
        and: [{ field: address, op: 'exists' }, { not: { consent: channel, is: 'subscribed' } }],
      }
    case 'suppressed':
      return { and: [{ consent: channel, is: 'subscribed' }, { suppressed: channel }] }
    case 'sent_recently':
      return days === undefined
        ? undefined
        : { and: [{ reachable: channel }, { did: 'message.sent', within: `${days} days` }] }
    default:
      return undefined
  }
}

const both = (one: Filter | undefined, other: Filter): Filter =>
  one ? { and: [one, other] } : other

/** How many get the saved draft, how many are taken away by what, and the first ten of each. */
function Numbers({ campaign, whole }: { campaign: WholeCampaign; whole: Filter | undefined }) {
  const { data, isFetching } = usePlan(campaign)
  const { who, check } = campaignWords
  if (!data) return isFetching ? <Skeleton lines={2} /> : null
  const { channel } = campaign
  return (
    <Card title={who.now}>
      <div className="text-lg font-semibold tabular-nums">
        <Named
          filter={both(whole, { reachable: channel })}
          count={data.recipients}
          label={check.people}
        />
      </div>
      {data.excluded.length > 0 && (
        <>
          <p className="pt-2 text-sm text-muted">{check.excluded}</p>
          <ul>
            {data.excluded.map(({ reason, count }) => {
              const label = (shown: string) => `${shown} ${check.reasons[reason] ?? reason}`
              const filter = filterOfReason(reason, campaign)
              return (
                <li key={reason}>
                  {filter ? (
                    <Named filter={both(whole, filter)} count={count} label={label} />
                  ) : (
                    label(number(count))
                  )}
                </li>
              )
            })}
          </ul>
        </>
      )}
    </Card>
  )
}
