/** A new automation: one of the gallery, with the facts that its mails need, or an empty one. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { automationWords } from '../../words/automations.ts'
import { language } from '../../words/texts.ts'
import { number, words } from '../../words/words.ts'
import { iconOf } from './icons.ts'
import { kindOf, type Step } from './model.ts'

type Starter = Awaited<ReturnType<typeof api.sequence.gallery>>['sequences'][number]

export function NewAutomation({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const [chosenKey, choose] = useState<string>()
  const w = automationWords
  // What it is for is told in the app's language; its mails are in the business's.
  const cards = useQuery({
    queryKey: ['sequence.gallery', business_id, language],
    queryFn: ({ signal }) => api.sequence.gallery({ business_id, language }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const chosen = cards.data?.sequences.find(({ key }) => key === chosenKey)
  if (chosen) return <Take starter={chosen} onBack={() => choose(undefined)} onClose={onClose} />
  return (
    <Dialog open wide onClose={onClose} title={w.add} description={w.galleryAbout}>
      {cards.isPending && <Skeleton lines={6} />}
      {cards.error && <Failure error={cards.error} onRetry={() => void cards.refetch()} />}
      <ul className="grid gap-3 sm:grid-cols-2">
        {cards.data?.sequences.map((starter) => (
          <li key={starter.key}>
            <button
              type="button"
              onClick={() => choose(starter.key)}
              className="grid h-full w-full content-start gap-1.5 rounded-lg border border-line p-3 text-left transition-colors hover:border-line-strong"
            >
              <span className="font-semibold">{starter.name}</span>
              <span className="text-muted">{starter.about}</span>
              <Beads starter={starter} />
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            onClick={() =>
              void navigate({
                to: '/$business/automations/$automation',
                params: { business: business_id, automation: 'new' },
              })
            }
            className="flex h-full min-h-16 w-full items-center justify-center gap-2 rounded-lg border border-dashed border-line-strong p-3 font-medium hover:bg-hover"
          >
            <Icon name="plus" />
            {w.fromScratch}
          </button>
        </li>
      </ul>
    </Dialog>
  )
}

/** The kinds of the steps, in their order. */
function Beads({ starter }: { starter: Starter }) {
  const w = automationWords
  const steps = starter.steps as Step[]
  return (
    <span className="mt-auto flex flex-wrap items-center gap-2 pt-1 text-sm text-muted">
      <span aria-hidden className="flex items-center gap-1">
        {steps.map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps that never move.
          <span key={place} className="flex items-center gap-1">
            {place > 0 && <span className="h-px w-2 bg-line-strong" />}
            <Icon name={iconOf(kindOf(step))} className="size-3.5" />
          </span>
        ))}
      </span>
      {w.galleryMails(starter.mails.length, number(starter.mails.length))}
    </span>
  )
}

interface TakeProps {
  starter: Starter
  onBack: () => void
  onClose: () => void
}

const types: Record<string, string> = { url: 'url', email: 'email', phone: 'tel' }

function Take({ starter, onBack, onClose }: TakeProps) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const [name, setName] = useState(starter.name)
  const [facts, setFacts] = useState<Record<string, string>>({})
  const w = automationWords
  const needed = starter.slots.filter(({ required }) => required)
  const make = useMutation({
    mutationFn: () => {
      const { kind, enter, exit, steps } = starter
      const slots = Object.fromEntries(
        Object.entries(facts).filter(([, fact]) => fact.trim() !== ''),
      )
      return api.sequence.save({
        business_id,
        name: name.trim() || starter.name,
        kind,
        enter,
        ...(exit && { exit }),
        steps,
        slots,
      })
    },
    onSuccess: ({ sequence_id }) =>
      navigate({
        to: '/$business/automations/$automation',
        params: { business: business_id, automation: sequence_id },
      }),
  })
  return (
    <Dialog open wide onClose={onClose} title={starter.name} description={starter.about}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <Input
          label={w.name}
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {needed.length > 0 && (
          <fieldset className="grid gap-3">
            <legend className="mb-2 font-medium">{w.galleryNeeds}</legend>
            {needed.map((slot) => (
              <Input
                key={slot.name}
                label={slot.label}
                hint={w.galleryNeeded}
                type={types[slot.kind] ?? 'text'}
                maxLength={2_000}
                value={facts[slot.name] ?? ''}
                onChange={({ target }) => setFacts({ ...facts, [slot.name]: target.value })}
              />
            ))}
          </fieldset>
        )}
        {make.error && <Failure error={make.error} />}
        <DialogActions>
          <Button onClick={onBack}>{words.back}</Button>
          <Button look="main" type="submit" busy={make.isPending}>
            {w.take}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
