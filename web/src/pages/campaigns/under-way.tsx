/** A campaign that is no draft any more: what it waits for, its progress, results and recipients. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { scheduleText } from '../../parts/schedule-text.ts'
import { StaysHere } from '../../parts/stays-here.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body } from '../../ui/page.tsx'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { withFocus } from '../../ui/with-focus.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { number, words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { useUnschedule } from './controls.tsx'
import { Progress } from './progress.tsx'
import { Results } from './results.tsx'
import { SendAt } from './send-at.tsx'
import { useProgress } from './use-progress.ts'

// Shown below the results, which the page shows first.
const Recipients = lazyPart(() => import('./recipients.tsx'), 'Recipients')

const ArchiveChoice = lazyPart(() => import('./archive-choice.tsx'), 'ArchiveChoice')

const MailPreview = lazyPart(() => import('./mail-preview.tsx'), 'MailPreview')

const TestResults = lazyPart(() => import('./ab-test/test-results.tsx'), 'TestResults')

interface UnderWayProps {
  campaign: WholeCampaign
  /** It got into this state while somebody looked. */
  isNew: boolean
}

export function UnderWay({ campaign, isNew }: UnderWayProps) {
  const { run } = campaignWords
  const { campaign_id, status, waits } = campaign
  const others = waits?.other_approvers ?? undefined
  // Before, there are no results to show, and no recipients.
  const hasBegun = status === 'deployed' || campaign.deployed_at !== null
  return (
    <Body>
      {!campaign.leaves_this_machine && <StaysHere channel={campaign.channel} />}
      {status === 'scheduled' && <Scheduled campaign={campaign} isNew={isNew} />}
      {status === 'awaiting_approval' && (
        <div className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-warn-ground p-4">
          <p className="min-w-48 flex-1">
            {campaign.schedule && (
              <strong className="block font-semibold">
                {run.plannedFor(scheduleText(campaign.schedule))}
              </strong>
            )}
            {waits?.approval_reason === 'changed_by_app' && <>{run.changedByApp} </>}
            {others === undefined ? run.waits.approval : run.byAnother(others)}
          </p>
          <a href={`/campaigns/${campaign_id}`} className={buttonClass('main')}>
            {others === undefined ? run.decide : run.look}
          </a>
        </div>
      )}
      {hasBegun && (
        <>
          {waits && (
            <p className="text-muted">
              {waits.complaints_reported === false
                ? run.waits.first_without_complaints
                : run.waits[waits.for]}
            </p>
          )}
          <Progress campaign={campaign} />
          <Results campaign={campaign} />
          {campaign.ab && (
            <Suspense fallback={<Skeleton lines={3} />}>
              <TestResults campaign={campaign} />
            </Suspense>
          )}
        </>
      )}
      <Suspense fallback={<Skeleton />}>
        <MailPreview campaign={campaign} version={String(campaign.version)} isAlone />
        {campaign.channel === 'email' && status !== 'cancelled' && (
          <ArchiveChoice campaign={campaign} />
        )}
        {hasBegun && (
          <div id="recipients" className="scroll-mt-16">
            <Recipients campaign={campaign} />
          </div>
        )}
      </Suspense>
      <p className="flex flex-wrap items-center gap-3 text-muted">
        <Link from="/$business/campaigns/$campaign" to=".." className="text-link hover:underline">
          {campaignWords.title}
        </Link>
      </p>
    </Body>
  )
}

/** From here on seconds are counted, as after "Send". */
const countedMs = 120_000
/** Screen readers are told once more that the time is nearly over. */
const nearlyOverMs = 10_000
/** How often the page is read again once the time is over. */
const dueMs = 1_500

interface ScheduledProps {
  campaign: WholeCampaign
  /** It got there while somebody looked, whose focus was on what is gone. */
  isNew: boolean
}

export function Scheduled({ campaign, isNew }: ScheduledProps) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const may = useMay('admin')
  const undo = useUnschedule(campaign)
  const [isChanging, setChanging] = useState(false)
  const { campaign_id, schedule, recipients } = campaign
  const leftMs = useStartsIn(campaign_id)
  const { run } = campaignWords
  const isCounted = leftMs !== undefined && leftMs <= countedMs
  const isDue = leftMs === 0
  useEffect(() => {
    if (!isDue) return
    const queryKey = ['campaign.get', business_id, campaign_id]
    const timer = setInterval(() => void client.invalidateQueries({ queryKey }), dueMs)
    return () => clearInterval(timer)
  }, [isDue, client, business_id, campaign_id])
  const title = () => {
    if (isDue) return run.sendsNow
    if (isCounted) return run.sendsIn(run.seconds(number(Math.ceil(leftMs / 1000))))
    return run.goesOut(schedule ? scheduleText(schedule) : '')
  }
  return (
    <section
      ref={isNew ? withFocus : undefined}
      tabIndex={-1}
      aria-labelledby="goes-out"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line bg-surface p-4 shadow-flat"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-ground text-link max-sm:hidden">
        <Icon name="clock" />
      </span>
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5">
        <h2 id="goes-out" className="text-lg font-semibold tabular-nums">
          {title()}
        </h2>
        <p className="text-muted">
          {recipients !== null && run.to(recipients)}
          {isCounted && !isDue && may && ` ${run.undoNote}`}
        </p>
        <p role="status" className="sr-only">
          {isCounted && !isDue && leftMs <= nearlyOverMs && may && run.lastSeconds}
        </p>
      </div>
      {may && !isDue && (
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1">
          {!isCounted && <Button onClick={() => setChanging(true)}>{run.changeTime}</Button>}
          <Button
            look={isCounted ? 'main' : 'plain'}
            busy={undo.isPending}
            onClick={() => undo.mutate()}
          >
            {isCounted ? run.undo : run.unschedule}
          </Button>
        </div>
      )}
      {isChanging && <ChangeTime campaign={campaign} onClose={() => setChanging(false)} />}
    </section>
  )
}

/** In how many milliseconds it starts, by the clock of the service; undefined while unknown. */
function useStartsIn(campaign_id: string): number | undefined {
  const { data, dataUpdatedAt } = useProgress(campaign_id, true)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const startsInMs = data?.starts_in_ms ?? undefined
  if (startsInMs === undefined) return undefined
  return Math.max(0, startsInMs - Math.max(0, now - dataUpdatedAt))
}

function ChangeTime({ campaign, onClose }: { campaign: WholeCampaign; onClose: () => void }) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { campaign_id, schedule } = campaign
  const isLocal = schedule?.zone === 'recipient'
  const [at, setAt] = useState(schedule?.at.slice(0, 16) ?? '')
  const { run, when } = campaignWords
  const work = useMutation({
    mutationFn: async () => {
      const answer = await api.campaign.deploy({
        business_id,
        campaign_id,
        send_at: `${at}:00`,
        ...(isLocal && { zone: 'recipient' }),
      })
      const { status, schedule: moved } = answer
      client.setQueryData(['campaign.get', business_id, campaign_id], {
        ...campaign,
        status,
        schedule: moved,
      })
      return answer
    },
    onSuccess: ({ status, schedule: moved }) => {
      if (status === 'awaiting_approval') tell(when.approval)
      else if (moved) tell(when.scheduled(scheduleText(moved)))
      onClose()
    },
  })
  const fault = faultOf(work.error)('send_at')
  return (
    <Dialog open onClose={onClose} title={run.changeTime}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          work.mutate()
        }}
      >
        <SendAt value={at} onChange={setAt} fault={fault} isLocal={isLocal} />
        {work.error && fault === undefined && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {run.changeTime}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
