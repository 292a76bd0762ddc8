/** The steps of an automation as a path, with the people at each step and the results of its mails. */
import { useState } from 'react'
import { ExportButton } from '../../parts/export-button.tsx'
import { filterInWords } from '../../parts/filter/filter-words.ts'
import type { Filter } from '../../parts/filter/model.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Select } from '../../ui/field.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Body, Card } from '../../ui/page.tsx'
import { automationWords } from '../../words/automations.ts'
import { day, number, percent } from '../../words/words.ts'
import { iconOf } from './icons.ts'
import {
  type Enter,
  enterInWords,
  kindOf,
  type Names,
  type NumberedStep,
  numbered,
  peopleAt,
  type Step,
  spanInWords,
  stepInWords,
  type WholeAutomation,
} from './model.ts'
import type { AutomationTab } from './search.ts'
import { StepMail } from './step-mail.tsx'
import { useNames } from './use-names.ts'

interface PathProps {
  automation: WholeAutomation
  onGo: (tab: AutomationTab) => void
}

export function Path({ automation, onGo }: PathProps) {
  const w = automationWords
  const names = useNames()
  const { versions, running_version, version } = automation
  const [chosen, choose] = useState<number>()
  const shown = chosen ?? running_version ?? version
  const started = versions.find((entry) => entry.version === shown)
  const steps = numbered((started?.steps ?? automation.steps) as Step[])
  const before = new Map(
    automation.people.at_step
      .filter((entry) => entry.version === shown)
      .map(({ step, count }) => [step, count]),
  )
  const at = peopleAt(steps, before)
  const results = new Map(
    automation.results
      .filter((entry) => entry.version === shown)
      .map((entry) => [entry.step, entry]),
  )
  const { exit, goal } = automation
  const hours = automation.hours as { from: string; to: string } | undefined
  return (
    <Body>
      <Notices automation={automation} onGo={onGo} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <section aria-label={w.tabs.path} className="grid min-w-0 gap-0">
          {versions.length > 0 && (versions.length > 1 || running_version !== version) && (
            <div className="mb-3 w-64 max-w-full">
              <Select
                label={w.showVersion}
                value={String(shown)}
                onChange={({ target }) => choose(Number(target.value))}
                options={versionChoices(automation)}
              />
            </div>
          )}
          <Stop icon="people" tone="start">
            <p className="font-semibold">{enterInWords(automation.enter as Enter, names)}</p>
            {automation.enter['filter'] !== undefined && (
              <p className="text-muted">
                {w.said.if(filterInWords(automation.enter['filter'] as Filter))}
              </p>
            )}
          </Stop>
          <Steps {...{ steps, at, results, names }} />
          <Line />
          <Stop icon="check" tone="end">
            <p className="font-medium">{w.said.end}</p>
            {exit && <p className="text-muted">{w.said.exit(filterInWords(exit))}</p>}
            {goal && <p className="text-muted">{w.said.goal(filterInWords(goal))}</p>}
            {hours && <p className="text-muted">{w.said.hours(hours.from, hours.to)}</p>}
          </Stop>
        </section>
        <Numbers automation={automation} />
      </div>
    </Body>
  )
}

function versionChoices({ versions, version, running_version }: WholeAutomation) {
  const w = automationWords
  const isDraftShown = !versions.some((entry) => entry.version === version)
  const started = versions.map((entry) => {
    const name = w.version(number(entry.version))
    const about =
      entry.version === running_version ? w.versionNow : w.versionSince(day(entry.started_at))
    return [String(entry.version), `${name} · ${about}`] as const
  })
  return [
    ...(isDraftShown
      ? [[String(version), `${w.version(number(version))} · ${w.draftVersion}`] as const]
      : []),
    ...started,
  ]
}

function Notices({ automation, onGo }: PathProps) {
  const w = automationWords
  const { status, start_waits, pause_reason, running_version, version } = automation
  const isWaiting = status === 'awaiting_approval' || start_waits
  const isChanged =
    !isWaiting && ['running', 'paused'].includes(status) && running_version !== version
  const lines = [
    isWaiting && (
      <Notice
        key="waits"
        title={w.waitsTitle}
        text={automation.ordered_by_you ? w.waitsByYou : w.waitsAbout}
        action={w.decide}
        onGo={() => onGo('start')}
      />
    ),
    status === 'paused' && (
      <Notice key="paused" title={w.pausedBy[pause_reason ?? ''] ?? w.states.paused} />
    ),
    isChanged && (
      <Notice
        key="changed"
        title={w.changedSince}
        action={w.reviewChanges}
        onGo={() => onGo('start')}
      />
    ),
  ].filter(Boolean)
  return lines.length > 0 && <div className="grid gap-2">{lines}</div>
}

function Notice({
  title,
  text,
  action,
  onGo,
}: {
  title: string
  text?: string
  action?: string
  onGo?: () => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-warn-ground p-3">
      <Icon name="info" className="shrink-0 text-warn" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{title}</p>
        {text && <p className="text-muted">{text}</p>}
      </div>
      {action && <Button onClick={onGo}>{action}</Button>}
    </div>
  )
}

type Results = WholeAutomation['results'][number]

interface StepsProps {
  steps: readonly NumberedStep[]
  at: ReadonlyMap<number, number>
  results: ReadonlyMap<number, Results>
  names: Names
}

function Steps({ steps, ...rest }: StepsProps) {
  return steps.map((entry) => <StepLine key={entry.n} entry={entry} {...rest} />)
}

function StepLine({ entry, ...rest }: Omit<StepsProps, 'steps'> & { entry: NumberedStep }) {
  const { at, results, names } = rest
  const { n, step, branches } = entry
  const kind = kindOf(step)
  const isMail = kind === 'send' || kind === 'sms'
  const here = at.get(n) ?? 0
  const condition = step['if'] as Filter | undefined
  const w = automationWords
  return (
    <>
      <Line />
      <Stop icon={iconOf(kind)} tone={isMail ? 'mail' : 'plain'}>
        <div className="flex flex-wrap items-start gap-3">
          {kind === 'send' && templateOf(step) !== '' && (
            <StepMail isSmall templateId={templateOf(step)} title={w.mail} />
          )}
          <div className="grid min-w-0 flex-1 basis-40 gap-0.5">
            {isMail && <p className="text-sm text-muted">{w.kinds[kind]}</p>}
            <p className={cx('min-w-0', isMail && 'font-semibold')}>
              <bdi>{stepInWords(step, names)}</bdi>
            </p>
            {condition && (
              <p className="text-sm text-muted">{w.said.if(filterInWords(condition))}</p>
            )}
            {isMail && <MailResults results={results.get(n)} />}
          </div>
          {here > 0 && (
            <Badge tone="live" icon="people">
              {w.here(here, number(here))}
            </Badge>
          )}
        </div>
      </Stop>
      {branches.length > 0 && (
        <>
          <Line />
          <ul className="grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(14rem,1fr))]">
            {branches.map((branch, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: branches have no other name.
              <li key={place} className="min-w-0 rounded-xl border border-dashed border-line p-3">
                <p className="font-medium">
                  {branch.if ? w.said.branch(filterInWords(branch.if)) : w.said.others}
                </p>
                <Steps steps={branch.steps} {...rest} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** The template of a step that sends one. */
const templateOf = (step: Step) =>
  (step['send'] as { template_id?: string } | undefined)?.template_id ?? ''

function MailResults({ results }: { results: Results | undefined }) {
  const w = automationWords
  if (!results) return null
  const { sent, opened, clicked, skipped } = results
  const share = (count: number) => (sent > 0 ? percent(count / sent) : '–')
  const figures: [name: string, value: string][] = [
    [w.sent, number(sent)],
    [w.opened, share(opened)],
    [w.clicked, share(clicked)],
    ...(skipped > 0 ? [[w.skipped, number(skipped)] as [string, string]] : []),
  ]
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm tabular-nums">
      {figures.map(([name, value]) => (
        <div key={name} className="flex gap-1">
          <dt className="text-muted">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const tones = {
  start: 'border-accent bg-accent-ground text-link',
  mail: 'border-line bg-surface text-link',
  plain: 'border-line bg-surface text-muted',
  end: 'border-line bg-sunken text-muted',
}

function Stop({
  icon,
  tone,
  children,
}: {
  icon: IconName
  tone: keyof typeof tones
  children: React.ReactNode
}) {
  return (
    <div className="flex min-w-0 gap-3">
      <span aria-hidden className="flex w-8 shrink-0 flex-col items-center">
        <span className={cx('h-2 w-px', tone !== 'start' && 'bg-line-strong')} />
        <span
          className={cx(
            'grid size-8 shrink-0 place-items-center rounded-full border shadow-flat',
            tones[tone],
          )}
        >
          <Icon name={icon} />
        </span>
        <span className={cx('w-px flex-1', tone !== 'end' && 'bg-line-strong')} />
      </span>
      <div className="min-w-0 flex-1 rounded-xl border border-line bg-surface px-3.5 py-3 shadow-flat">
        {children}
      </div>
    </div>
  )
}

/** Between two steps, below the middle of their icons. */
const Line = () => <span aria-hidden className="ml-[15.5px] block h-4 w-px bg-line-strong" />

function Numbers({ automation }: { automation: WholeAutomation }) {
  const w = automationWords
  const { people, results, results_of } = automation
  const left = people.left.filter(({ reason }) => reason !== 'moved')
  const leftCount = left.reduce((sum, { count }) => sum + count, 0)
  const figures: [name: string, value: number][] = [
    [w.entered, people.entered],
    [w.inside, people.inside],
    [w.finished, people.finished],
    [w.left, leftCount],
    ...(people.holdout > 0 ? [[w.holdout, people.holdout] as [string, number]] : []),
  ]
  return (
    <div className="grid gap-4">
      <Card title={w.numbers}>
        {people.entered === 0 ? (
          <p className="text-muted">{w.nobodyYet}</p>
        ) : (
          <>
            <dl className="grid gap-1.5">
              {figures.map(([name, value]) => (
                <div key={name} className="flex justify-between gap-3">
                  <dt className="text-muted">{name}</dt>
                  <dd className="font-medium tabular-nums">{number(value)}</dd>
                </div>
              ))}
            </dl>
            {left.length > 0 && (
              <ul className="mt-2 grid gap-1 border-t border-line pt-2 text-sm">
                {left.map(({ reason, count }) => (
                  <li key={reason} className="flex gap-2">
                    <span className="w-8 shrink-0 text-right tabular-nums">{number(count)}</span>
                    <span className="text-muted">{w.reasons[reason] ?? w.reasonOther}</span>
                  </li>
                ))}
              </ul>
            )}
            <div className="mt-3 border-t border-line pt-3">
              <ExportButton of={{ sequence_id: automation.sequence_id }} />
            </div>
          </>
        )}
      </Card>
      {automation.status === 'running' && (
        <p className="px-1 text-sm text-muted">{w.whilePaused}</p>
      )}
      {automation.effect && <Effect effect={automation.effect} />}
      {automation.revenue.length > 0 && (
        <Card title={w.revenue}>
          {automation.revenue.map(({ currency, orders, value }) => (
            <p key={currency}>{w.orders(number(orders), `${number(value)} ${currency ?? ''}`)}</p>
          ))}
        </Card>
      )}
      {results.some(({ sent }) => sent > 0) && (
        <p className="px-1 text-sm text-muted">
          {results_of < people.entered && `${w.resultsOf(number(results_of))} `}
          {w.machines}
        </p>
      )}
    </div>
  )
}

/** What the automation brings about, compared with the control group. */
function Effect({ effect }: { effect: NonNullable<WholeAutomation['effect']> }) {
  const w = automationWords
  const { treated, held_out: control, waiting, points, shows, within } = effect
  const share = ({ people, reached }: typeof treated) => percent(people > 0 ? reached / people : 0)
  const { from = 0, to = 0 } = points ?? {}
  const [least, most] = shows === 'fewer' ? [-to, -from] : [from, to]
  return (
    <Card title={w.effect}>
      <div className="grid gap-2">
        {treated.people + control.people > 0 && (
          <p>{w.effectShares(share(treated), share(control), spanInWords(within))}</p>
        )}
        <p className="font-medium">{w.effectOf[shows](number(least), number(most))}</p>
        {waiting > 0 && <p className="text-muted">{w.effectWaiting(number(waiting))}</p>}
      </div>
    </Card>
  )
}
