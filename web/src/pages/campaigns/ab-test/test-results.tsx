/** What the A/B test of a campaign shows: each variant's share with its range, and who won. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../../api/businesses.ts'
import { api } from '../../../api/client.ts'
import { FilledWords } from '../../../parts/liquid/filled-words.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Card } from '../../../ui/page.tsx'
import { Failure } from '../../../ui/states.tsx'
import { abTestWords } from '../../../words/ab-tests.ts'
import { language } from '../../../words/texts.ts'
import { ago, number, percent, words } from '../../../words/words.ts'
import type { WholeCampaign } from '../campaign.tsx'
import { letterOf } from './letter.ts'

type Test = NonNullable<WholeCampaign['ab']>
type Result = NonNullable<Test['results']>[number]

export function TestResults({ campaign }: { campaign: WholeCampaign }) {
  const { ab, deployed_at } = campaign
  const may = useMay('editor')
  const [choosing, choose] = useState<number>()
  if (!ab) return null
  const { winner_by } = ab
  const results = ab.results ?? []
  const mayChoose =
    may && ab.sent_to_others === null && ['deployed', 'paused'].includes(campaign.status)
  const widest = Math.max(0.01, ...results.map(({ high }) => high))
  return (
    <Card title={abTestWords.title}>
      <div className="grid gap-4">
        <p>
          {verdictOf(ab)}{' '}
          {ab.sent_to_others !== null
            ? abTestWords.othersGot(letterOf(ab.sent_to_others))
            : deployed_at !== null && abTestWords.decidesIn(ago(decidedAt(ab, deployed_at)))}
        </p>
        <ul className="grid gap-4">
          {results.map((result) => (
            <li key={result.variant} className="grid gap-1.5">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="grid size-5 place-items-center rounded-full bg-sunken text-xs font-medium">
                  {letterOf(result.variant)}
                </span>
                <bdi className="min-w-0 flex-1 basis-48 truncate font-medium">
                  <FilledWords
                    text={campaign.variants[result.variant]?.subject ?? abTestWords.variant}
                  />
                </bdi>
                {ab.winner === result.variant && (
                  <Badge tone="good">{abTestWords.won(letterOf(result.variant))}</Badge>
                )}
                {mayChoose && (
                  <Button onClick={() => choose(result.variant)}>
                    {abTestWords.choose(letterOf(result.variant))}
                  </Button>
                )}
              </div>
              <Range one={result} widest={widest} />
              <p className="text-sm text-muted tabular-nums">
                {abTestWords.sent} {number(result.sent)} · {abTestWords.acted[winner_by]}{' '}
                {number(result.acted)} ({percent(result.acted / Math.max(1, result.sent))},{' '}
                {abTestWords.between(percent(result.low), percent(result.high))})
              </p>
            </li>
          ))}
        </ul>
      </div>
      {choosing !== undefined && (
        <Choice campaign={campaign} variant={choosing} onClose={() => choose(undefined)} />
      )}
    </Card>
  )
}

const decidedAt = ({ after_minutes }: Test, deployed: string) =>
  new Date(new Date(deployed).getTime() + after_minutes * 60_000).toISOString()

const points = (share: number) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(share * 100)

/** Before so many messages of each variant, a lead says nothing. */
const leastSent = 100

function verdictOf({ winner, by_hand, beyond_chance, leader, lead, results }: Test): string {
  const parts: string[] = []
  if (winner !== null)
    parts.push((by_hand ? abTestWords.chosen : abTestWords.won)(letterOf(winner)))
  if (results?.some(({ sent }) => sent < leastSent)) {
    parts.push(abTestWords.tooEarly(number(leastSent)))
  } else if (leader !== null && lead) {
    const sentence = beyond_chance ? abTestWords.leadIsReal : abTestWords.leadIsChance
    parts.push(sentence(letterOf(leader), abTestWords.points(points(lead.low), points(lead.high))))
  }
  return parts.join(' ')
}

/** The range within which the true share lies, with a mark at what was counted. */
function Range({ one: { sent, acted, low, high }, widest }: { one: Result; widest: number }) {
  const at = (share: number) => (share / widest) * 100
  return (
    <svg
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-2 w-full overflow-visible"
    >
      <rect x={0} y={3} width={100} height={2} className="fill-sunken" />
      <rect x={at(low)} y={1.5} width={at(high) - at(low)} height={5} className="fill-accent/40" />
      <rect
        x={at(acted / Math.max(1, sent)) - 0.4}
        y={0}
        width={0.8}
        height={8}
        className="fill-accent"
      />
    </svg>
  )
}

function Choice({
  campaign: { campaign_id },
  variant,
  onClose,
}: {
  campaign: WholeCampaign
  variant: number
  onClose: () => void
}) {
  const business_id = useBusinessId()
  const work = useMutation({
    mutationFn: () => api.campaign.save({ business_id, campaign_id, ab: { winner: variant } }),
    onSuccess: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={abTestWords.chooseTitle(letterOf(variant))}
      description={abTestWords.chooseText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
          {abTestWords.choose(letterOf(variant))}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
