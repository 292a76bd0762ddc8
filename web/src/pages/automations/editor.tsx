/** Edits an automation as a person says it: who enters, what happens, and when people leave. */

import { CrierError } from '@crier-mail/sdk/session'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import type { Filter } from '../../parts/filter/model.ts'
import { useUnsaved } from '../../parts/use-unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { automationWords } from '../../words/automations.ts'
import { words } from '../../words/words.ts'
import { ConditionField } from './condition-field.tsx'
import { EnterFields } from './enter-fields.tsx'
import { type Edited, type Faults, faultsOf, pathOfField } from './faults.ts'
import { type Enter, type Step, shownText, type WholeAutomation } from './model.ts'
import { SpanField } from './span-field.tsx'
import { StepsEditor } from './steps-editor.tsx'

const DraftNotices = lazyPart(() => import('../../parts/drafts/draft-notices.tsx'), 'DraftNotices')

const empty: Edited = {
  name: '',
  kind: 'marketing',
  enter: { on: 'consent.given' },
  steps: [],
  exit: undefined,
  goal: undefined,
  hours: undefined,
  holdout: 0,
  waitAtMost: undefined,
}

type Parts = Pick<WholeAutomation, 'name' | 'kind' | 'steps'> & Partial<WholeAutomation>

const editedOf = (stored: Parts): Edited => ({
  name: stored.name,
  kind: stored.kind,
  enter: (stored.enter ?? empty.enter) as Enter,
  steps: stored.steps as Step[],
  exit: (stored.exit ?? undefined) as Filter | undefined,
  goal: (stored.goal ?? undefined) as Filter | undefined,
  hours: stored.hours ?? undefined,
  holdout: stored.holdout ?? 0,
  waitAtMost: stored.wait_at_most ?? undefined,
})

/** What a save sends: a part that was taken away is null. */
function inputOf(edited: Edited) {
  const { name, kind, enter, steps, exit, goal, hours, holdout, waitAtMost } = edited
  const isMarketing = kind === 'marketing'
  return {
    name: name.trim(),
    kind: kind as 'marketing' | 'transactional',
    enter,
    steps,
    exit: exit ?? null,
    goal: isMarketing ? (goal ?? null) : null,
    hours: hours ?? null,
    wait_at_most: waitAtMost ?? null,
    ...(isMarketing && (holdout > 0 || isMarketing) && { holdout }),
  }
}

/** Faults by what the service refused, at the step that it names. */
function refusedAt(error: unknown): Faults {
  if (!(error instanceof CrierError) || error.field === undefined) return new Map()
  return new Map([[pathOfField(error.field), error.message]])
}

export function NewEditor() {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const [edited, setEdited] = useUnsaved<Edited>(`automation ${business_id}`, empty)
  const save = useMutation({
    mutationFn: () => api.sequence.save({ business_id, ...inputOf(edited) }),
    onSuccess: ({ sequence_id }) => {
      setEdited(empty)
      tell(automationWords.saved)
      return navigate({
        to: '/$business/automations/$automation',
        params: { business: business_id, automation: sequence_id },
        replace: true,
      })
    },
  })
  return (
    <Fields
      edited={edited}
      onChange={(part) => setEdited({ ...edited, ...part })}
      isSaving={save.isPending}
      isChanged
      error={save.error}
      onSave={() => save.mutate()}
    />
  )
}

export function Editor({ automation }: { automation: WholeAutomation }) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { sequence_id, version, running_version } = automation
  const w = automationWords
  const draft = useDraft<Edited>({
    name: `automation ${business_id} ${sequence_id}`,
    version,
    stored: editedOf(automation),
  })
  const { save, isSaving, isRetrying, error } = useSave(
    draft,
    async () => {
      await api.sequence.save({
        business_id,
        sequence_id,
        ...inputOf(draft.value),
        if_version: draft.version,
      })
      await client.invalidateQueries({ queryKey: ['sequence.get', business_id, sequence_id] })
    },
    () => tell(running_version === null ? w.saved : w.savedRunning),
  )
  return (
    <Fields
      key={draft.turn}
      edited={draft.value}
      onChange={(part) => draft.change(part)}
      isSaving={isSaving}
      isChanged={draft.isChanged}
      error={error}
      onSave={() => save(undefined)}
      onDiscard={draft.discard}
    >
      <Suspense>
        <DraftNotices draft={draft} isRetrying={isRetrying} labels={w.labels} />
      </Suspense>
    </Fields>
  )
}

interface FieldsProps {
  edited: Edited
  onChange: (part: Partial<Edited>) => void
  isSaving: boolean
  isChanged: boolean
  error: unknown
  onSave: () => void
  onDiscard?: () => void
  children?: ReactNode
}

function Fields(props: FieldsProps) {
  const { edited, onChange, isSaving, isChanged, error, onSave, onDiscard, children } = props
  const may = useMay('editor')
  const [isTried, setTried] = useState(false)
  const w = automationWords
  const own = isTried ? faultsOf(edited) : new Map<string, string>()
  const refused = refusedAt(error)
  const faults: Faults = new Map([
    ...[...refused].map(([path, text]) => [path, `${w.faults.step} ${text}`] as const),
    ...own,
  ])
  const isPlaced = [...refused.keys()].some((path) => path in edited || path.startsWith('steps['))
  const trySave = () => {
    setTried(true)
    if (faultsOf(edited).size === 0) onSave()
    // The first fault is shown where it is.
    else
      requestAnimationFrame(() =>
        document.querySelector('[data-fault]')?.scrollIntoView({ block: 'center' }),
      )
  }
  return (
    <Body narrow>
      {children}
      <Card>
        <Input
          label={w.name}
          maxLength={100}
          value={edited.name}
          fault={faults.get('name')}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </Card>
      <Card title={w.enterTitle}>
        <EnterFields
          enter={edited.enter}
          fault={faults.get('enter')}
          onChange={(enter) => onChange({ enter })}
        />
      </Card>
      <section aria-label={w.stepsTitle} className="grid gap-3">
        <h2 className="font-semibold">{w.stepsTitle}</h2>
        <StepsEditor
          steps={edited.steps}
          path="steps"
          depth={0}
          faults={faults}
          onChange={(steps) => onChange({ steps })}
        />
        {faults.has('steps') && (
          <p data-fault className="text-bad">
            {faults.get('steps')}
          </p>
        )}
      </section>
      <Card title={w.endTitle}>
        <div className="grid gap-4">
          <ConditionField
            name={w.exit}
            about={w.exitAbout}
            add={w.addExit}
            filter={edited.exit}
            onChange={(exit) => onChange({ exit })}
          />
          {edited.kind === 'marketing' && (
            <ConditionField
              name={w.goal}
              about={w.goalAbout}
              add={w.addGoal}
              filter={edited.goal}
              onChange={(goal) => onChange({ goal })}
            />
          )}
        </div>
      </Card>
      <Card title={w.moreTitle}>
        <More edited={edited} onChange={onChange} faults={faults} />
      </Card>
      {error != null && !isPlaced && <Failure error={error} />}
      {may && (
        <div className="sticky bottom-0 -mx-2 flex flex-wrap justify-end gap-2 border-t border-line bg-surface px-2 py-3">
          {onDiscard && isChanged && <Button onClick={onDiscard}>{w.discard}</Button>}
          <Button look="main" busy={isSaving} disabled={!isChanged} onClick={trySave}>
            {words.save}
          </Button>
        </div>
      )}
    </Body>
  )
}

function More({
  edited,
  onChange,
  faults,
}: Pick<FieldsProps, 'edited' | 'onChange'> & { faults: Faults }) {
  const w = automationWords
  const { hours, holdout, kind, waitAtMost } = edited
  const text = (key: string) => shownText(hours?.[key] ?? '')
  return (
    <div className="grid gap-4">
      <Select
        label={w.kind}
        value={kind}
        onChange={({ target }) => onChange({ kind: target.value })}
        options={Object.entries(w.kindNames)}
      />
      <Checkbox
        label={w.hours}
        checked={hours !== undefined}
        onChange={({ target }) =>
          onChange({ hours: target.checked ? { from: '09:00', to: '19:00' } : undefined })
        }
      />
      {hours && (
        <div className="grid gap-3 sm:grid-cols-3">
          <Input
            label={w.hoursFrom}
            type="time"
            value={text('from')}
            fault={faults.get('hours')}
            onChange={({ target }) => onChange({ hours: { ...hours, from: target.value } })}
          />
          <Input
            label={w.hoursTo}
            type="time"
            value={text('to')}
            onChange={({ target }) => onChange({ hours: { ...hours, to: target.value } })}
          />
          <Select
            label={w.hoursClock}
            value={text('clock') || 'business'}
            onChange={({ target }) => onChange({ hours: { ...hours, clock: target.value } })}
            options={Object.entries(w.clocks)}
          />
        </div>
      )}
      <Checkbox
        label={w.waitAtMost}
        hint={w.waitAtMostAbout}
        checked={waitAtMost !== undefined}
        onChange={({ target }) => onChange({ waitAtMost: target.checked ? '1 day' : undefined })}
      />
      {waitAtMost !== undefined && (
        <div data-fault={faults.has('waitAtMost') ? '' : undefined}>
          <SpanField
            label={w.upTo}
            value={waitAtMost}
            fault={faults.get('waitAtMost')}
            onChange={(span) => onChange({ waitAtMost: span })}
          />
          {faults.has('waitAtMost') && (
            <p className="text-sm text-bad">{faults.get('waitAtMost')}</p>
          )}
        </div>
      )}
      {kind === 'marketing' && (
        <>
          <Checkbox
            label={w.compare}
            hint={w.compareAbout}
            checked={holdout > 0}
            onChange={({ target }) => onChange({ holdout: target.checked ? 10 : 0 })}
          />
          {holdout > 0 && (
            <Input
              label={w.comparePercent}
              type="number"
              min={1}
              max={50}
              className="w-24!"
              value={holdout}
              onChange={({ target }) =>
                onChange({ holdout: Math.max(1, Math.min(50, Math.round(Number(target.value)))) })
              }
            />
          )}
        </>
      )}
    </div>
  )
}
