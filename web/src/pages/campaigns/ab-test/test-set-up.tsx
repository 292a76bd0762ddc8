/** The A/B test of a draft: what differs, who gets it first, and how many people that takes. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, Suspense, useState } from 'react'
import { useBusiness, useBusinessId, useMay } from '../../../api/businesses.ts'
import { api } from '../../../api/client.ts'
import { useUnsaved } from '../../../parts/use-unsaved.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Input, Select } from '../../../ui/field.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Card } from '../../../ui/page.tsx'
import { Failure, faultOf, Skeleton } from '../../../ui/states.tsx'
import { tell } from '../../../ui/tell.ts'
import { abTestWords } from '../../../words/ab-tests.ts'
import { number, percent } from '../../../words/words.ts'
import type { WholeCampaign } from '../campaign.tsx'
import { usePlan } from '../use-plan.ts'
import { letterOf } from './letter.ts'
import { betterThan, peopleNeeded } from './people-needed.ts'

const WordsField = lazyPart(
  () => import('../../../parts/mail-editor/words-field.tsx'),
  'WordsField',
)

const mostOthers = 4
const usualShares = { clicks: 3, opens: 30 } as const

interface Typed {
  /** The subject, or the text of a text message, of each variant after the first. */
  others: string[]
  sample: number
  by: 'clicks' | 'opens'
  hours: number
}

type Content = WholeCampaign['variants'][number]['content'] & object
const partOf = ({ channel }: WholeCampaign) => (channel === 'sms' ? 'text' : 'subject')

function storedTest(campaign: WholeCampaign): Typed {
  const { ab, variants } = campaign
  const part = partOf(campaign)
  return {
    others: variants.slice(1).map(({ content }) => content?.[part] ?? ''),
    sample: ab?.sample_percent ?? 20,
    by: ab?.winner_by ?? 'clicks',
    hours: (ab?.after_minutes ?? 240) / 60,
  }
}

/** What a stored variant says otherwise than the first, besides the part that is typed here. */
function otherChanges(campaign: WholeCampaign, place: number, part: string): Partial<Content> {
  const first = campaign.variants[0]?.content as Record<string, unknown> | undefined
  const own = campaign.variants[place + 1]?.content as Record<string, unknown> | undefined
  const differing = Object.entries(own ?? {}).filter(
    ([key, value]) => key !== part && JSON.stringify(value) !== JSON.stringify(first?.[key]),
  )
  return Object.fromEntries(differing)
}

export function TestSetUp({ campaign }: { campaign: WholeCampaign }) {
  const business_id = useBusinessId()
  const isEditor = useMay('editor')
  const tier = useBusiness()?.tier
  const may = isEditor && tier !== 'free'
  const { campaign_id, version } = campaign
  const part = partOf(campaign)
  const stored = storedTest(campaign)
  const [typed, setTyped] = useUnsaved<Typed | null>(`test ${business_id} ${campaign_id}`, null)
  const test = typed ?? stored
  const set = (change: Partial<Typed>) => setTyped({ ...test, ...change })
  const save = useMutation({
    mutationFn: ({ others, sample, by, hours }: Typed) =>
      api.campaign.save({
        business_id,
        campaign_id,
        if_version: version,
        ab: {
          variants: others.map((text, place) => ({
            ...otherChanges(campaign, place, part),
            [part]: text,
          })),
          ...(others.length > 0 && {
            sample_percent: sample,
            winner_by: by,
            after_minutes: Math.round(hours * 60),
          }),
        },
      }),
    onSuccess: (_answer, { others }) => {
      setTyped(null)
      tell(others.length > 0 ? abTestWords.saved : abTestWords.ended)
    },
  })
  const isSms = part === 'text'
  const fault = faultOf(save.error)
  if (!may && stored.others.length === 0) return null
  if (test.others.length === 0) {
    return (
      <Card
        title={abTestWords.title}
        actions={
          <Button icon="plus" onClick={() => set({ others: [''] })}>
            {isSms ? abTestWords.startSms : abTestWords.start}
          </Button>
        }
      >
        <p className="text-muted">{isSms ? abTestWords.aboutSms : abTestWords.about}</p>
      </Card>
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(test)
  }
  return (
    <Card title={abTestWords.title}>
      <form className="grid gap-4" onSubmit={submit}>
        <fieldset disabled={!may} className="contents">
          <ol className="grid gap-3">
            {test.others.map((text, place) => {
              const letter = letterOf(place + 1)
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a variant is known by its place.
                <li key={place} className="flex items-start gap-2">
                  <div className="min-w-0 flex-1">
                    <Suspense fallback={<Skeleton lines={2} />}>
                      <WordsField
                        kind={isSms ? 'lines' : 'line'}
                        label={isSms ? abTestWords.text(letter) : abTestWords.subject(letter)}
                        isRequired
                        value={text}
                        onChange={(written) =>
                          set({
                            others: test.others.map((other, at) =>
                              at === place ? written : other,
                            ),
                          })
                        }
                        fault={fault(`ab.variants[${place}]`)}
                        may={may}
                      />
                    </Suspense>
                  </div>
                  {test.others.length > 1 && (
                    <IconButton
                      icon="close"
                      className="mt-[1.4rem]"
                      label={abTestWords.drop(letter)}
                      onClick={() => set({ others: test.others.filter((_, at) => at !== place) })}
                    />
                  )}
                </li>
              )
            })}
          </ol>
          {test.others.length < mostOthers && (
            <Button
              icon="plus"
              className="justify-self-start"
              onClick={() => set({ others: [...test.others, ''] })}
            >
              {abTestWords.another}
            </Button>
          )}
          <div className="grid gap-4 sm:grid-cols-3">
            <Input
              label={abTestWords.sample}
              type="number"
              min={2}
              max={100}
              required
              value={test.sample}
              onChange={({ target }) => set({ sample: target.valueAsNumber || 0 })}
              fault={fault('ab.sample_percent')}
            />
            <Select
              label={abTestWords.by}
              value={test.by}
              onChange={({ target }) => set({ by: target.value as Typed['by'] })}
              options={Object.entries(abTestWords.byWays)}
            />
            <Input
              label={abTestWords.hours}
              type="number"
              min={0.25}
              max={168}
              step={0.25}
              required
              value={test.hours}
              onChange={({ target }) => set({ hours: target.valueAsNumber || 0 })}
              fault={fault('ab.after_minutes')}
            />
          </div>
        </fieldset>
        <Estimate campaign={campaign} test={test} />
        {save.error && <Failure error={save.error} />}
        {may && (
          <div className="flex flex-wrap items-center justify-end gap-2">
            {typed && <p className="mr-auto text-muted">{abTestWords.unsaved}</p>}
            <Button
              look="danger"
              onClick={() =>
                stored.others.length === 0 ? setTyped(null) : save.mutate({ ...test, others: [] })
              }
            >
              {abTestWords.end}
            </Button>
            <Button type="submit" busy={save.isPending} disabled={!typed}>
              {abTestWords.save}
            </Button>
          </div>
        )}
      </form>
    </Card>
  )
}

function Estimate({ campaign, test }: { campaign: WholeCampaign; test: Typed }) {
  const plan = usePlan(campaign)
  const [asked, ask] = useState<number>()
  const usual = asked ?? usualShares[test.by]
  const variants = test.others.length + 1
  const share = usual / 100
  const needed = peopleNeeded(share, variants)
  const each = plan.data && Math.floor((plan.data.recipients * test.sample) / 100 / variants)
  return (
    <div className="grid gap-3 rounded-lg bg-sunken p-3 sm:grid-cols-[12rem_1fr]">
      <Input
        label={abTestWords.usual}
        hint={abTestWords.usualHint}
        type="number"
        min={0.1}
        max={75}
        step={0.1}
        value={usual}
        onChange={({ target }) => ask(target.valueAsNumber || 0)}
      />
      <p aria-live="polite" className="self-center">
        {Number.isFinite(needed) &&
          abTestWords.needs(number(needed), percent(share), percent(betterThan(share)))}{' '}
        {each !== undefined && (
          <>
            {abTestWords.has(number(each))}{' '}
            {each < needed ? abTestWords.tooFew : abTestWords.enough}
          </>
        )}
      </p>
    </div>
  )
}
