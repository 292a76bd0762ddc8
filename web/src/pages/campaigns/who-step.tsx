import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import type { Filter } from '../../parts/filter/model.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Card } from '../../ui/page.tsx'
import { EmptyList, Failure, Skeleton } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { segmentWords } from '../../words/lists.ts'
import type { WholeCampaign } from './campaign.tsx'

// Loaded when the editor is there, so that the page appears sooner.
const DraftNotices = lazyPart(() => import('../../parts/drafts/draft-notices.tsx'), 'DraftNotices')

// Most campaigns go to everyone or to a segment.
const FilterRows = lazyPart(() => import('../../parts/filter/filter-rows.tsx'), 'FilterRows')

type AudienceKind = 'everyone' | 'segment' | 'filter'
type Audience = WholeCampaign['audience']

const wayOf = ({ segment_id, filter, tags }: Audience): AudienceKind =>
  segment_id !== undefined ? 'segment' : filter || tags ? 'filter' : 'everyone'

/** Tags are equivalent to a filter that requires any of them. */
function filterOf({ filter, tags = [] }: Audience): Filter | undefined {
  const tagged = tags.map((tag) => ({ tag }))
  const wanted = tagged.length > 1 ? { or: tagged } : tagged[0]
  return filter && wanted ? { and: [wanted, filter] } : (filter ?? wanted)
}

interface Choice {
  audience: { way: AudienceKind; segment: string; filter?: Filter | undefined }
}

function choiceOf(audience: Audience): Choice['audience'] {
  const filter = filterOf(audience)
  const segment = audience.segment_id ?? ''
  return { way: wayOf(audience), segment, ...(filter && { filter }) }
}

export function WhoStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { who, save: saveLabel } = campaignWords
  const draft = useDraft<Choice>({
    name: `audience ${business_id} ${campaign.campaign_id}`,
    version: campaign.version,
    stored: { audience: choiceOf(campaign.audience) },
    saved: campaign.saved,
  })
  const { way, segment, filter } = draft.value.audience
  const set = (part: Partial<Choice['audience']>) =>
    draft.change({ audience: { ...draft.value.audience, ...part } })
  const segments = useQuery({
    queryKey: ['segment.list', business_id],
    queryFn: ({ signal }) => api.segment.list({ business_id, limit: 200 }, { signal }),
  })
  const { save, isSaving, isRetrying, error } = useSave(
    draft,
    () => {
      const days = campaign.audience.not_sent_within_days
      const audience: Audience = {
        ...(way === 'segment' && segment !== '' && { segment_id: segment }),
        ...(way === 'filter' && filter && { filter }),
        ...(days !== undefined && { not_sent_within_days: days }),
      }
      const { campaign_id } = campaign
      const if_version = draft.version
      return api.campaign.save({ business_id, campaign_id, audience, if_version })
    },
    () => undefined,
  )
  const choices = segments.data?.segments ?? []
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
                options={[
                  ['', who.choose],
                  ...choices.map((choice) => [choice.segment_id, choice.name] as const),
                ]}
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
          <p className="text-sm text-muted">{who.note}</p>
        </div>
      </Card>
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
