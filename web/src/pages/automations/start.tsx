/** What a start would do, the checks before it, and the start itself, or the decision about one that waits. */
import { CrierError } from '@crier-mail/sdk/session'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusiness, useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Gates } from '../../parts/gates.tsx'
import { FilledWords, useFilledWords } from '../../parts/liquid/filled-words.tsx'
import { Button } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Input } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Body, Card, Fact, Facts } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { automationWords } from '../../words/automations.ts'
import { day, number } from '../../words/words.ts'
import { type Enter, enterInWords, type WholeAutomation } from './model.ts'
import type { AutomationTab } from './search.ts'
import { StepMail } from './step-mail.tsx'
import { useNames } from './use-names.ts'

type Plan = Awaited<ReturnType<typeof api.sequence.preview>>
type Inside = 'finish' | 'move' | 'end'

interface StartProps {
  automation: WholeAutomation
  onGo: (tab: AutomationTab) => void
}

export function Start({ automation, onGo }: StartProps) {
  const business_id = useBusinessId()
  const { sequence_id, version } = automation
  const { data, error, refetch } = useQuery({
    queryKey: ['sequence.preview', business_id, sequence_id, version],
    queryFn: ({ signal }) => api.sequence.preview({ business_id, sequence_id }, { signal }),
  })
  const isWaiting = automation.status === 'awaiting_approval' || automation.start_waits
  if (error) {
    return (
      <Body>
        <Failure error={error} onRetry={() => void refetch()} />
      </Body>
    )
  }
  if (!data) return <Skeleton lines={9} />
  return (
    <Body>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="grid gap-5">
          <WhoWouldEnter plan={data} />
          <Mails plan={data} />
        </div>
        <div className="grid gap-5">
          <Card title={automationWords.plan.checks} flush>
            {data.gates.length > 0 ? (
              <Gates gates={data.gates} />
            ) : (
              <p className="p-4 text-muted">{automationWords.plan.noChecks}</p>
            )}
          </Card>
          {isWaiting ? (
            <Decision key={data.plan_hash} {...{ automation, plan: data, onGo }} />
          ) : (
            <Order key={data.plan_hash} {...{ automation, plan: data, onGo }} />
          )}
        </div>
      </div>
    </Body>
  )
}

function WhoWouldEnter({ plan }: { plan: Plan }) {
  const w = automationWords
  const names = useNames()
  const { last_day, last_30_days, most_in_a_day, from_imports, at_least } = plan.would_enter
  const letsImportsIn = (plan.enter as Enter)['imports'] === true
  const shown = (count: number) =>
    at_least ? w.plan.atLeast(number(count)) : w.people(count, number(count))
  return (
    <Card title={w.plan.who}>
      <div className="grid gap-3">
        <p>{enterInWords(plan.enter as Enter, names)}</p>
        <Facts>
          <Fact name={w.plan.lastDay}>{shown(last_day)}</Fact>
          <Fact name={w.plan.lastMonth}>{shown(last_30_days)}</Fact>
          <Fact name={w.plan.most}>{shown(most_in_a_day)}</Fact>
          {from_imports > 0 && (
            <Fact name={letsImportsIn ? w.plan.fromImports : w.plan.importsLeftOut}>
              {w.people(from_imports, number(from_imports))}
            </Fact>
          )}
          <Fact name={w.plan.mailsADay}>{number(plan.mails_per_day)}</Fact>
          {plan.inside > 0 && <Fact name={w.plan.insideNow}>{number(plan.inside)}</Fact>}
        </Facts>
        {last_30_days === 0 && <p className="text-sm text-muted">{w.plan.none}</p>}
      </div>
    </Card>
  )
}

function Mails({ plan }: { plan: Plan }) {
  const filledWords = useFilledWords()
  const w = automationWords
  return (
    <Card title={w.plan.mails}>
      {plan.mails.length === 0 ? (
        <p className="text-muted">{w.plan.noMails}</p>
      ) : (
        <ol className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3">
          {plan.mails.map(({ step, template_id, channel, subject, text }) => (
            <li key={step} className="overflow-hidden rounded-lg border border-line">
              {channel === 'sms' ? (
                <p className="p-2.5 whitespace-pre-line">
                  <bdi>
                    <FilledWords text={text ?? ''} />
                  </bdi>
                </p>
              ) : (
                <StepMail templateId={template_id} title={filledWords(subject)} />
              )}
              <p className="grid border-t border-line p-2.5">
                <span className="text-sm text-muted">{w.step(number(step))}</span>
                <bdi className="font-medium">
                  {channel === 'sms' ? w.text : <FilledWords text={subject} />}
                </bdi>
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

interface StartingProps extends StartProps {
  plan: Plan
}

const isDrift = (error: unknown) =>
  error instanceof CrierError && error.data['reason'] === 'drifted'

function useAfter(automation: WholeAutomation) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { sequence_id } = automation
  return async () => {
    await client.invalidateQueries({ queryKey: ['sequence.get', business_id, sequence_id] })
    await client.invalidateQueries({ queryKey: ['sequence.preview', business_id, sequence_id] })
  }
}

function Problem({ error }: { error: unknown }) {
  if (!error) return null
  if (isDrift(error)) {
    return (
      <p role="alert" className="flex gap-2 rounded-lg border border-line bg-warn-ground p-3">
        <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
        {automationWords.plan.drifted}
      </p>
    )
  }
  return <Failure error={error} />
}

function Order({ automation, plan, onGo }: StartingProps) {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const after = useAfter(automation)
  const [inside, setInside] = useState<Inside>('finish')
  const { sequence_id, running_version, version, status, versions } = automation
  const w = automationWords
  const older = versions.reduce(
    (sum, entry) => sum + (entry.version === version ? 0 : entry.inside),
    0,
  )
  const isBlocked = plan.gates.some(({ result }) => result === 'block')
  const isRunning = ['running', 'paused'].includes(status) && running_version === version
  const start = useMutation({
    mutationFn: () =>
      api.sequence.start({ business_id, sequence_id, plan_hash: plan.plan_hash, inside }),
    onSuccess: async ({ status: after_status, start_waits }) => {
      const isWaiting = after_status === 'awaiting_approval' || start_waits
      tell(isWaiting ? w.nowWaiting : w.nowRunning, { about: sequence_id })
      await after()
      onGo('path')
    },
    onError: after,
  })
  if (isRunning) return null
  return (
    <Card title={running_version === null ? w.plan.start : w.startVersion}>
      <div className="grid gap-3">
        <p className="text-muted">{w.plan.startText}</p>
        {older > 0 && (
          <fieldset className="grid gap-1.5">
            <legend className="mb-1.5 font-medium">{w.plan.inside(older, number(older))}</legend>
            {(['finish', 'move', 'end'] as const).map((choice) => (
              <label key={choice} className="flex items-start gap-2">
                <input
                  type="radio"
                  name="inside"
                  className="mt-1 accent-accent"
                  checked={inside === choice}
                  onChange={() => setInside(choice)}
                />
                {w.plan.choices[choice]}
              </label>
            ))}
          </fieldset>
        )}
        {isBlocked && (
          <p className="flex gap-2 text-bad">
            <Icon name="error" className="mt-0.5 shrink-0" />
            {w.plan.blocked}
          </p>
        )}
        {!may && <p className="text-muted">{w.plan.onlyAdmin}</p>}
        <Problem error={start.error} />
        {may && (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="text-sm text-muted">{w.plan.approval}</p>
            <Button
              look="main"
              icon="play"
              disabled={isBlocked}
              busy={start.isPending}
              onClick={() => start.mutate()}
            >
              {running_version === null ? w.start : w.startVersion}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

function Decision({ automation, plan, onGo }: StartingProps) {
  const business_id = useBusinessId()
  const role = useBusiness()?.role ?? ''
  const after = useAfter(automation)
  const [perDay, setPerDay] = useState('')
  const [forDays, setForDays] = useState('')
  const { sequence_id, ordered_by_you } = automation
  const w = automationWords
  const decide = useMutation({
    mutationFn: (decision: 'approve' | 'refuse') =>
      api.sequence.decide({
        business_id,
        sequence_id,
        decision,
        ...(decision === 'approve' && {
          plan_hash: plan.plan_hash,
          ...(perDay !== '' && { people_per_day: Number(perDay) }),
          ...(forDays !== '' && { for_days: Number(forDays) }),
        }),
      }),
    onSuccess: async (_answer, decision) => {
      tell(decision === 'approve' ? w.nowRunning : w.refused)
      await after()
      onGo('path')
    },
    onError: after,
  })
  const mayDecide = ['approver', 'admin', 'owner'].includes(role)
  const isBlocked = plan.gates.some(({ result }) => result === 'block')
  return (
    <Card title={w.waitsTitle}>
      <div className="grid gap-3">
        <p className="text-muted">{ordered_by_you ? w.waitsByYou : w.waitsAbout}</p>
        {automation.people_per_day !== null && (
          <p className="text-muted">{w.plan.boundPerDay(number(automation.people_per_day))}</p>
        )}
        {automation.ends_at !== null && (
          <p className="text-muted">{w.plan.boundEnds(day(automation.ends_at))}</p>
        )}
        {mayDecide && (
          <Disclosure label={w.plan.bounds}>
            <p className="text-muted">{w.plan.boundsAbout}</p>
            <div className="grid gap-3 sm:grid-cols-2">
              <Input
                label={w.plan.perDay}
                hint={w.plan.noBound}
                inputMode="numeric"
                value={perDay}
                onChange={({ target }) => setPerDay(target.value.replace(/\D/g, '').slice(0, 7))}
              />
              <Input
                label={w.plan.forDays}
                hint={w.plan.noBound}
                inputMode="numeric"
                value={forDays}
                onChange={({ target }) => setForDays(target.value.replace(/\D/g, '').slice(0, 3))}
              />
            </div>
          </Disclosure>
        )}
        {isBlocked && <p className="text-bad">{w.plan.blocked}</p>}
        <Problem error={decide.error} />
        {mayDecide && (
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="danger" busy={decide.isPending} onClick={() => decide.mutate('refuse')}>
              {w.plan.refuse}
            </Button>
            <Button
              look="main"
              icon="check"
              disabled={isBlocked}
              busy={decide.isPending}
              onClick={() => decide.mutate('approve')}
            >
              {w.plan.approve}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
