/** A campaign that is no draft any more: what it waits for, its progress, results and recipients. */
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { StaysHere } from '../../parts/stays-here.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Body } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { Progress } from './progress.tsx'
import { Results } from './results.tsx'

// Shown below the results, which the page shows first.
const Recipients = lazy(async () => ({ default: (await import('./recipients.tsx')).Recipients }))

const ArchiveChoice = lazy(async () => ({
  default: (await import('./archive-choice.tsx')).ArchiveChoice,
}))

const TestResults = lazy(async () => ({
  default: (await import('./ab-test/test-results.tsx')).TestResults,
}))

export function UnderWay({ campaign }: { campaign: WholeCampaign }) {
  const { run } = words.campaigns
  const { campaign_id, waits } = campaign
  const others = waits?.other_approvers
  return (
    <Body>
      {!campaign.leaves_this_machine && <StaysHere channel={campaign.channel} />}
      {campaign.status === 'awaiting_approval' ? (
        <div className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-warn-ground p-4">
          <p className="min-w-48 flex-1">
            {others === undefined ? run.waits.approval : run.byAnother(others)}
          </p>
          <a href={`/campaigns/${campaign_id}`} className={buttonClass('main')}>
            {others === undefined ? run.decide : run.look}
          </a>
        </div>
      ) : (
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
          <Suspense fallback={<Skeleton />}>
            {campaign.channel === 'email' && <ArchiveChoice campaign={campaign} />}
            <Recipients campaign={campaign} />
          </Suspense>
        </>
      )}
      <p className="flex flex-wrap items-center gap-3 text-muted">
        <Copyable text={campaign_id} />
        <Link from="/$business/campaigns/$campaign" to=".." className="text-link hover:underline">
          {words.campaigns.title}
        </Link>
      </p>
    </Body>
  )
}
