import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import type { Filter } from '../../parts/filter/model.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
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
    segment: string
    filter?: Filter | undefined
    /** The segment that is left out; empty if there is none. */
    without: string
    /** Whoever got a campaign in so many last days is left out. */
    days: string
    /** The key of the topic; empty if the campaign is about none. */
    topic: string
  }
}

/** What is sent to a segment may leave another one out, which the service has as one filter. */
function choiceOf({ audience, topic }: WholeCampaign): Choice['audience'] {
  const { filter: whole, without } = splitOff(filterOf(audience))
  const isSegment = whole && 'segment' in whole && typeof whole['segment'] === 'string'
  const segment = audience.segment_id ?? (isSegment ? String(whole['segment']) : '')
  const filter = isSegment ? undefined : whole
  return {
    way: segment !== '' ? 'segment' : filter ? 'filter' : 'everyone',
    segment,
    ...(filter && { filter }),
    without,
    days: String(audience.not_sent_within_days ?? ''),
    topic: topic ?? '',
  }
}

/** The segment that a filter leaves out at its end, and the filter before it. */
function splitOff(filter: Filter | undefined): { filter: Filter | undefined; without: string } {
  if (!filter) return { filter, without: '' }
  const alone = leftOutSegment(filter)
  if (alone !== undefined) return { filter: undefined, without: alone }
  const all = 'and' in filter && Array.isArray(filter['and']) ? (filter['and'] as Filter[]) : []
  const [first, last] = all
  const without = last && leftOutSegment(last)
  if (all.length !== 2 || without === undefined) return { filter, without: '' }
  return { filter: first, without }
}

function leftOutSegment(filter: Filter): string | undefined {
  const not = 'not' in filter ? (filter['not'] as Filter) : undefined
  const segment = not && 'segment' in not ? not['segment'] : undefined
  return typeof segment === 'string' ? segment : undefined
}

/** The audience as the service takes it. */
function audienceOf({ way, segment, filter, without, days }: Choice['audience']): Audience {
  const isSegment = way === 'segment' && segment !== ''
  const chosen = isSegment ? { segment } : way === 'filter' ? filter : undefined
  const leftOut = without === '' ? undefined : { not: { segment: without } }
  const whole = chosen && leftOut ? { and: [chosen, leftOut] } : (leftOut ?? chosen)
  return {
    ...(isSegment && !leftOut ? { segment_id: segment } : whole && { filter: whole }),
    ...(days.trim() !== '' && { not_sent_within_days: Number(days) }),
  }
}

export function WhoStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { who, save: saveLabel } = campaignWords
  const draft = useDraft<Choice>({
    name: `audience ${business_id} ${campaign.campaign_id}`,
    version: campaign.version,
    stored: { audience: choiceOf(campaign) },
    saved: campaign.saved,
  })
  const { way, segment, filter, without, days, topic } = draft.value.audience
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
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save(undefined, onDone)
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
              <Select
                label={who.choose}
                required
                value={segment}
                onChange={({ target }) => set({ segment: target.value })}
                options={[['', who.choose], ...names]}
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
          <p className="text-sm text-muted">{who.note}</p>
        </div>
      </Card>
      <Card title={who.leaveOut}>
        <div className="grid gap-4">
          {names.length > 0 && (
            <Select
              label={who.without}
              value={without}
              onChange={({ target }) => set({ without: target.value })}
              options={[['', who.nobody] as const, ...names]}
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
      <Numbers campaign={campaign} />
      {error && <Failure error={error} />}
      {may && (
        <div className="flex justify-end">
          <Button look="main" type="submit" busy={isSaving} disabled={draft.conflicts.length > 0}>
            {saveLabel}
          </Button>
        </div>
      )}
    </form>
  )
}

/** How many get the saved draft, and how many are taken away by what. */
function Numbers({ campaign }: { campaign: WholeCampaign }) {
  const { data, isFetching } = usePlan(campaign)
  const { who, check } = campaignWords
  if (!data) return isFetching ? <Skeleton lines={2} /> : null
  return (
    <Card title={who.now}>
      <p className="text-lg font-semibold tabular-nums">{check.people(number(data.recipients))}</p>
      {data.excluded.length > 0 && (
        <>
          <p className="pt-2 text-sm text-muted">{check.excluded}</p>
          <ul>
            {data.excluded.map(({ reason, count }) => (
              <li key={reason}>
                {number(count)} {check.reasons[reason]}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}
