/** A list of steps: each can be added, changed, moved and removed, by keyboard too. */

import { Suspense, useRef, useState } from 'react'
import { type Filter, unfinished } from '../../parts/filter/model.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Skeleton } from '../../ui/states.tsx'
import { automationWords } from '../../words/automations.ts'
import { number } from '../../words/words.ts'
import { ConditionField } from './condition-field.tsx'
import type { Faults } from './faults.ts'
import { iconOf } from './icons.ts'
import { type Branch, branchesOf, kindOf, type Step, shownText, stepInWords } from './model.ts'
import { SpanField } from './span-field.tsx'
import { useNames } from './use-names.ts'

// It brings the code of menus.
const AddStep = lazyPart(() => import('./add-step.tsx'), 'AddStep')
const SendFields = lazyPart(() => import('./send-fields.tsx'), 'SendFields')
const NotifyFields = lazyPart(() => import('./notify-fields.tsx'), 'NotifyFields')

/** What each kind of step begins with. */
const first: Record<string, () => Step> = {
  send: () => ({ send: { template_id: '' } }),
  sms: () => ({ send: { template_id: '' }, channel: 'sms' }),
  wait: () => ({ wait: '3 days' }),
  wait_for: () => ({ wait_for: { clicked: true, up_to: '3 days' } }),
  split: () => ({ split: [{ if: unfinished, steps: [] }, { steps: [] }] }),
  tag: () => ({ tag: '' }),
  set: () => ({ set: { 'attributes.': '' } }),
  notify: () => ({ notify: { members: ['owner'] } }),
  unsubscribe: () => ({ unsubscribe: {} }),
  stop_if: () => ({ stop_if: {} }),
}

/** How deep branches may be nested, and how many there may be. */
const deepest = 2
const mostBranches = 5

interface StepsProps {
  steps: readonly Step[]
  path: string
  depth: number
  faults: Faults
  onChange: (steps: Step[]) => void
}

export function StepsEditor({ steps, path, depth, faults, onChange }: StepsProps) {
  const w = automationWords
  const names = useNames()
  const frame = useRef<HTMLDivElement>(null)
  const [said, say] = useState('')
  // Steps have no id of their own: each keeps one here, so that what is typed moves with it.
  const keys = useStepKeys(steps.length)
  const focusOn = (place: number) =>
    requestAnimationFrame(() => {
      const own = frame.current?.querySelectorAll<HTMLElement>(':scope > ol > li') ?? []
      own[place]?.querySelector<HTMLElement>('select, input, button')?.focus()
    })
  const move = (place: number, by: number) => {
    const next = [...steps]
    const [step] = next.splice(place, 1)
    if (!step) return
    next.splice(place + by, 0, step)
    keys.move(place, place + by)
    onChange(next)
    say(w.moved(stepInWords(step, names), number(place + by + 1)))
  }
  const add = (kind: string) => {
    const step = first[kind]?.()
    if (!step) return
    keys.add()
    onChange([...steps, step])
    focusOn(steps.length)
  }
  return (
    <div ref={frame} className="grid gap-2">
      {steps.length === 0 && <p className="text-muted">{w.noSteps}</p>}
      <ol className="grid gap-2">
        {steps.map((step, place) => {
          const own = `${path}[${place}]`
          const fault = faults.get(own)
          const name = stepInWords(step, names)
          return (
            <li
              key={keys.list[place]}
              data-fault={fault === undefined ? undefined : ''}
              className="overflow-clip rounded-xl border border-line bg-surface shadow-flat"
            >
              <div className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-3.5">
                <Icon name={iconOf(kindOf(step))} className="shrink-0 text-muted" />
                <span className="min-w-0 flex-1 truncate font-medium">
                  {w.kinds[kindOf(step)] ?? w.unnamed}
                </span>
                <IconButton
                  icon="up"
                  label={w.moveUp(name)}
                  disabled={place === 0}
                  className="disabled:opacity-30"
                  onClick={() => move(place, -1)}
                />
                <IconButton
                  icon="down"
                  label={w.moveDown(name)}
                  disabled={place === steps.length - 1}
                  className="disabled:opacity-30"
                  onClick={() => move(place, 1)}
                />
                <IconButton
                  icon="close"
                  label={w.remove(name)}
                  onClick={() => {
                    keys.remove(place)
                    onChange(steps.filter((_step, n) => n !== place))
                  }}
                />
              </div>
              <div className="grid gap-3 p-3.5">
                <StepFields
                  step={step}
                  path={own}
                  depth={depth}
                  faults={faults}
                  onChange={(next) =>
                    onChange(steps.map((entry, n) => (n === place ? next : entry)))
                  }
                />
                {fault !== undefined && <p className="text-sm text-bad">{fault}</p>}
              </div>
            </li>
          )
        })}
      </ol>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      <div>
        <Suspense>
          <AddStep
            kinds={Object.keys(first).filter((kind) => kind !== 'split' || depth < deepest)}
            onAdd={add}
          />
        </Suspense>
      </div>
    </div>
  )
}

function useStepKeys(count: number) {
  const last = useRef(0)
  const make = () => ++last.current
  const [list, setList] = useState(() => Array.from({ length: count }, make))
  const full =
    list.length === count ? list : Array.from({ length: count }, (_, n) => list[n] ?? make())
  return {
    list: full,
    add: () => setList([...full, make()]),
    remove: (place: number) => setList(full.filter((_key, n) => n !== place)),
    move: (from: number, to: number) => {
      const next = [...full]
      next.splice(to, 0, ...next.splice(from, 1))
      setList(next)
    },
  }
}

export interface StepProps {
  step: Step
  path: string
  depth: number
  faults: Faults
  onChange: (step: Step) => void
}

function StepFields(props: StepProps) {
  const { step, onChange, faults, path } = props
  const w = automationWords
  const fault = faults.get(path)
  switch (kindOf(step)) {
    case 'send':
    case 'sms':
      return (
        <Suspense fallback={<Skeleton />}>
          <SendFields {...props} />
        </Suspense>
      )
    case 'notify':
      return (
        <Suspense fallback={<Skeleton />}>
          <NotifyFields {...props} />
        </Suspense>
      )
    case 'unsubscribe':
      return <UnsubscribeFields {...props} />
    case 'wait':
      return <WaitFields {...props} />
    case 'wait_for':
      return <WaitForFields {...props} />
    case 'split':
      return <SplitFields {...props} />
    case 'tag':
      return (
        <div className="grid gap-3 sm:grid-cols-[10rem_1fr]">
          <Select
            label={w.tagDo}
            value={step['remove'] === true ? 'remove' : 'add'}
            onChange={({ target }) =>
              onChange({ tag: step['tag'], ...(target.value === 'remove' && { remove: true }) })
            }
            options={[
              ['add', w.tagAdd],
              ['remove', w.tagRemove],
            ]}
          />
          <Input
            label={w.tag}
            maxLength={100}
            value={shownText(step['tag'])}
            aria-invalid={fault !== undefined || undefined}
            onChange={({ target }) => onChange({ ...step, tag: target.value })}
          />
        </div>
      )
    case 'set':
      return <SetFields {...props} />
    case 'stop_if':
      return (
        <ConditionField
          name={w.stopIf}
          filter={step['stop_if'] as Filter}
          onChange={(filter) => onChange({ stop_if: filter ?? unfinished })}
        />
      )
    default:
      return <StepText step={step} />
  }
}

function StepText({ step }: { step: Step }) {
  const names = useNames()
  return <p className="text-muted">{stepInWords(step, names)}</p>
}

const dayChoices = {
  any: undefined,
  workdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
  weekend: ['sat', 'sun'],
} as const

function WaitFields({ step, path, faults, onChange }: StepProps) {
  const w = automationWords
  const days = JSON.stringify(step['days'])
  const chosen = Object.entries(dayChoices).find(([, list]) => JSON.stringify(list) === days)?.[0]
  const set = (part: Record<string, unknown>) =>
    onChange(
      Object.fromEntries(
        Object.entries({ ...step, ...part }).filter(([, value]) => value !== undefined),
      ),
    )
  return (
    <div className="grid gap-3 sm:grid-cols-[auto_1fr_1fr]">
      <SpanField
        label={w.amount}
        value={shownText(step['wait'])}
        fault={faults.get(path)}
        onChange={(wait) => set({ wait })}
      />
      <Input
        label={w.untilTime}
        type="time"
        value={shownText(step['until'] ?? '')}
        onChange={({ target }) => set({ until: target.value || undefined })}
      />
      <Select
        label={w.weekdays}
        value={chosen ?? 'own'}
        onChange={({ target }) =>
          set({ days: dayChoices[target.value as keyof typeof dayChoices] })
        }
        options={[
          ['any', w.anyDay],
          ['workdays', w.workdays],
          ['weekend', w.weekend],
          ...(chosen === undefined
            ? [['own', (step['days'] as string[]).join(', ')] as const]
            : []),
        ]}
      />
    </div>
  )
}

function WaitForFields({ step, path, faults, onChange }: StepProps) {
  const w = automationWords
  const wait = step['wait_for'] as Record<string, unknown>
  const way = wait['event'] !== undefined ? 'event' : wait['opened'] === true ? 'opened' : 'clicked'
  const upTo = shownText(wait['up_to'])
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label={w.waitForWhat}
        value={way}
        onChange={({ target }) =>
          onChange({
            wait_for:
              target.value === 'event'
                ? { event: '', up_to: upTo }
                : { [target.value]: true, up_to: upTo },
          })
        }
        options={Object.entries(w.waitForKinds)}
      />
      {way === 'event' && (
        <Input
          label={w.event}
          hint={w.eventHint}
          value={shownText(wait['event'])}
          aria-invalid={faults.has(path) || undefined}
          onChange={({ target }) => onChange({ wait_for: { ...wait, event: target.value } })}
        />
      )}
      <SpanField
        label={w.upTo}
        value={upTo}
        fault={faults.get(path)}
        onChange={(up_to) => onChange({ wait_for: { ...wait, up_to } })}
      />
    </div>
  )
}

function SetFields({ step, path, faults, onChange }: StepProps) {
  const w = automationWords
  const entries = Object.entries(step['set'] as Record<string, unknown>)
  const [field = '', value = ''] = entries[0] ?? []
  if (entries.length > 1) return <StepText step={step} />
  const isOwn = field.startsWith('attributes.')
  const set = (name: string, next: unknown) =>
    onChange({ set: { [name]: next === '' ? null : next } })
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label={w.setField}
        value={isOwn ? 'own' : field}
        onChange={({ target }) =>
          set(target.value === 'own' ? 'attributes.' : target.value, value ?? '')
        }
        options={Object.entries(w.fields)}
      />
      {isOwn && (
        <Input
          label={w.ownField}
          maxLength={64}
          value={field.slice('attributes.'.length)}
          aria-invalid={faults.has(path) || undefined}
          onChange={({ target }) => set(`attributes.${target.value.trim()}`, value)}
        />
      )}
      <Input
        label={w.setValue}
        hint={w.setHint}
        maxLength={200}
        value={value === null ? '' : shownText(value)}
        onChange={({ target }) => set(field, target.value)}
      />
    </div>
  )
}

function UnsubscribeFields({ step, onChange }: StepProps) {
  const w = automationWords
  const names = useNames()
  const { channel, topic } = step['unsubscribe'] as { channel?: string; topic?: string }
  const set = (part: { channel?: string | undefined; topic?: string | undefined }) => {
    const next = Object.entries({ channel, topic, ...part }).filter(([, value]) => value)
    onChange({ unsubscribe: Object.fromEntries(next) })
  }
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Select
        label={w.endsChannel}
        value={channel ?? 'email'}
        onChange={({ target }) => set({ channel: target.value === 'sms' ? 'sms' : undefined })}
        options={[
          ['email', w.channels.email],
          ['sms', w.channels.sms],
        ]}
      />
      <Select
        label={w.endsTopic}
        value={topic ?? ''}
        onChange={({ target }) => set({ topic: target.value })}
        options={[['', w.everyTopic], ...names.topics]}
      />
      <p className="text-sm text-muted sm:col-span-2">{w.endsAbout}</p>
    </div>
  )
}

function SplitFields({ step, path, depth, faults, onChange }: StepProps) {
  const w = automationWords
  const branches = branchesOf(step)
  const set = (next: Branch[]) => onChange({ split: next })
  const change = (place: number, part: Partial<Branch>) =>
    set(branches.map((branch, n) => (n === place ? { ...branch, ...part } : branch)))
  const hasElse = branches.at(-1)?.if === undefined
  return (
    <div className="grid gap-3">
      {branches.map((branch, place) => {
        const isElse = branch.if === undefined && place === branches.length - 1
        return (
          <section
            // biome-ignore lint/suspicious/noArrayIndexKey: branches have no other name.
            key={place}
            aria-label={w.branch(number(place + 1))}
            className="grid gap-2 rounded-lg border border-dashed border-line p-3"
          >
            <div className="flex items-center gap-2">
              <h3 className="min-w-0 flex-1 font-medium">{isElse ? w.branchElse : w.branchIf}</h3>
              {branches.length > 1 && (
                <IconButton
                  icon="close"
                  label={w.removeBranch(number(place + 1))}
                  onClick={() => set(branches.filter((_branch, n) => n !== place))}
                />
              )}
            </div>
            {!isElse && (
              <ConditionField
                filter={branch.if ?? unfinished}
                onChange={(filter) => change(place, { if: filter ?? unfinished })}
              />
            )}
            <StepsEditor
              steps={branch.steps}
              path={`${path}.split[${place}].steps`}
              depth={depth + 1}
              faults={faults}
              onChange={(steps) => change(place, { steps })}
            />
          </section>
        )
      })}
      <div className="flex flex-wrap items-center gap-3">
        {branches.length < mostBranches && (
          <Button
            look="quiet"
            icon="plus"
            className="-ml-2.5"
            onClick={() => {
              const branch: Branch = { if: unfinished, steps: [] }
              set(
                hasElse
                  ? [...branches.slice(0, -1), branch, ...branches.slice(-1)]
                  : [...branches, { steps: [] }],
              )
            }}
          >
            {w.addBranch}
          </Button>
        )}
        <span className="text-sm text-muted">{w.joins}</span>
      </div>
    </div>
  )
}
