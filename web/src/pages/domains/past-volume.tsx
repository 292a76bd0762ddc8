/** What a domain sent before its owner came here: the form, and the operator's answer. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { VolumeFields } from '../../parts/volume-fields.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { pastVolumeWords } from '../../words/past-volume.ts'
import { ago, number, words } from '../../words/words.ts'

type Domain = Awaited<ReturnType<typeof api.domain.status>>['domains'][number]

export function PastVolume({ domain }: { domain: Pick<Domain, 'domain' | 'past_volume'> }) {
  const may = useMay('admin')
  const [isOpen, setOpen] = useState(false)
  const texts = pastVolumeWords
  const volume = domain.past_volume
  const mayState = may && volume?.state !== 'waiting'
  return (
    <div className="grid gap-2" aria-live="polite">
      {volume && <Answer volume={volume} />}
      {mayState && isOpen && <Statement name={domain.domain} onClose={() => setOpen(false)} />}
      {mayState && !isOpen && (
        <Button className="justify-self-start" onClick={() => setOpen(true)}>
          {texts.question}
        </Button>
      )}
    </div>
  )
}

function Answer({ volume }: { volume: NonNullable<Domain['past_volume']> }) {
  const texts = pastVolumeWords
  const { state, emails_per_day, approved_per_day, stated_at, decided_at, answer } = volume
  return (
    <>
      <p>
        {texts[state](number(approved_per_day ?? emails_per_day), ago(decided_at ?? stated_at))}
      </p>
      {answer !== null && (
        <p className="break-words text-muted">
          {texts.answer} <bdi>{answer}</bdi>
        </p>
      )}
    </>
  )
}

function Statement({ name, onClose }: { name: string; onClose: () => void }) {
  const business_id = useBusinessId()
  const [perDay, setPerDay] = useState('')
  const [note, setNote] = useState('')
  const texts = pastVolumeWords
  const work = useMutation({
    mutationFn: () =>
      api.domain.state_volume({
        business_id,
        domain: name,
        emails_per_day: Number(perDay),
        ...(note.trim() !== '' && { note: note.trim() }),
      }),
    onSuccess: onClose,
  })
  return (
    <form
      className="grid max-w-xl gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        work.mutate()
      }}
    >
      <p className="text-muted">{texts.text}</p>
      <VolumeFields
        perDay={{
          label: texts.perDay,
          value: perDay,
          onChange: setPerDay,
          fault: faultOf(work.error)('emails_per_day'),
        }}
        words={{
          label: texts.note,
          value: note,
          onChange: setNote,
          fault: faultOf(work.error)('note'),
        }}
      />
      {work.error && <Failure error={work.error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="main" type="submit" busy={work.isPending}>
          {texts.send}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  )
}
