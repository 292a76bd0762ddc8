/** A draft in four steps: the recipients, the content, the checks, and the time. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useRef } from 'react'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { withFocus } from '../../ui/with-focus.ts'
import { campaignWords } from '../../words/campaigns.ts'
import type { WholeCampaign } from './campaign.tsx'
import { ContentStep } from './content-step.tsx'
import { type Step, steps } from './search.ts'
import { WhoStep } from './who-step.tsx'

// Below the content, which the step shows first.
const TestSetUp = lazyPart(() => import('./ab-test/test-set-up.tsx'), 'TestSetUp')

const CheckStep = lazyPart(() => import('./check-step.tsx'), 'CheckStep')

const WhenStep = lazyPart(() => import('./when-step.tsx'), 'WhenStep')
const UtmSetUp = lazyPart(() => import('./utm-set-up.tsx'), 'UtmSetUp')

const ArchiveChoice = lazyPart(() => import('./archive-choice.tsx'), 'ArchiveChoice')

const from = '/$business/campaigns/$campaign' as const

interface ComposerProps {
  campaign: WholeCampaign
  /** It became a draft while somebody looked, whose focus was on what is gone. */
  isNew: boolean
}

export function Composer({ campaign, isNew }: ComposerProps) {
  const { step = 'who' } = useSearch({ from })
  const navigate = useNavigate({ from })
  const go = (next: Step) => void navigate({ search: { step: next } })
  // Where a press on a step leads once what was written has been saved.
  const target = useRef<Step>(undefined)
  const goOn = (next: Step) => {
    go(target.current ?? next)
    target.current = undefined
  }
  const { steps: names } = campaignWords
  return (
    <>
      <nav
        ref={isNew ? withFocus : undefined}
        tabIndex={-1}
        aria-label={names.label}
        className="border-b border-line px-3"
      >
        <ol className="flex">
          {steps.map((word, place) => (
            <li key={word}>
              <Link
                from={from}
                to={from}
                search={{ step: word }}
                onClick={(event) => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return
                  const form = document.querySelector<HTMLFormElement>('form[data-unsaved]')
                  if (!form || word === step) return
                  // The next step shows the saved draft, so nothing may be left behind.
                  event.preventDefault()
                  target.current = word
                  form.requestSubmit()
                }}
                aria-current={word === step ? 'step' : undefined}
                className={cx(
                  '-mb-px flex h-10 items-center gap-2 border-b-2 px-2.5 whitespace-nowrap max-sm:gap-0 max-sm:px-2',
                  word === step
                    ? 'border-accent font-medium'
                    : 'border-transparent text-muted hover:text-ink',
                )}
              >
                <span className="grid size-5 place-items-center rounded-full bg-sunken text-xs tabular-nums max-sm:sr-only">
                  {place + 1}
                </span>
                {names[word]}
              </Link>
            </li>
          ))}
        </ol>
      </nav>
      <div
        className="contents"
        onSubmitCapture={({ nativeEvent }) => {
          // A button of the form leads where it says.
          if (nativeEvent instanceof SubmitEvent && nativeEvent.submitter)
            target.current = undefined
        }}
      >
        <Body>
          {campaign.refusal_reason !== null && (
            <p className="flex gap-2 rounded-lg bg-warn-ground p-3">
              <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
              <span>
                {campaignWords.refused} <bdi>{campaignWords.quoted(campaign.refusal_reason)}</bdi>
              </span>
            </p>
          )}
          {step === 'who' && <WhoStep campaign={campaign} onDone={() => goOn('what')} />}
          {step === 'what' && (
            <>
              <ContentStep campaign={campaign} onDone={() => goOn('check')} />
              <Suspense fallback={<Skeleton lines={2} />}>
                <TestSetUp campaign={campaign} />
                {campaign.channel === 'email' && <UtmSetUp campaign={campaign} />}
                {campaign.channel === 'email' && <ArchiveChoice campaign={campaign} />}
              </Suspense>
            </>
          )}
          <Suspense fallback={<Skeleton lines={4} />}>
            {step === 'check' && <CheckStep campaign={campaign} onDone={() => go('when')} />}
            {step === 'when' && <WhenStep campaign={campaign} />}
          </Suspense>
        </Body>
      </div>
    </>
  )
}
