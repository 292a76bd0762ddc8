/** What assistants may send by themselves: the owner signs it here, pauses it and ends it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Input, Select, TextArea } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { mandateWords } from '../../words/mandates.ts'
import { day, number } from '../../words/words.ts'

type Mandate = Awaited<ReturnType<typeof api.mandate.list>>['mandates'][number]
type Connection = Awaited<ReturnType<typeof api.sending.get>>['connections'][number]

export function MandateCard() {
  const business_id = useBusinessId()
  const maySign = useMay('owner')
  const sending = useQuery({
    queryKey: ['sending.get', business_id],
    queryFn: ({ signal }) => api.sending.get({ business_id }, { signal }),
  })
  const { data } = useQuery({
    queryKey: ['mandate.list', business_id],
    queryFn: ({ signal }) => api.mandate.list({ business_id }, { signal }),
  })
  const connections = sending.data?.connections ?? []
  if (!data || connections.length === 0) return null
  const mandateOf = new Map(data.mandates.map((mandate) => [mandate.connection_id, mandate]))
  if (!maySign && mandateOf.size === 0) return null
  return (
    <Card title={mandateWords.title}>
      <div className="grid gap-4">
        <p className="text-muted">{mandateWords.about}</p>
        <ul className="grid gap-4">
          {connections.map((connection) => {
            const mandate = mandateOf.get(connection.connection_id)
            if (!mandate && !maySign) return null
            return (
              <li key={connection.connection_id} className="grid gap-2">
                <bdi className="line-clamp-1 font-medium">{connection.name}</bdi>
                {mandate && <Signed mandate={mandate} maySign={maySign} />}
                {maySign && (
                  <Disclosure label={mandate ? mandateWords.another : mandateWords.sign}>
                    <Sign connection={connection} />
                  </Disclosure>
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </Card>
  )
}

function Signed({ mandate, maySign }: { mandate: Mandate; maySign: boolean }) {
  const business_id = useBusinessId()
  const { mandate_id, in_force, hours } = mandate
  const steering = useMutation({
    mutationFn: () => api.mandate.save({ business_id, mandate_id, paused: in_force }),
    onSuccess: () => tell(in_force ? mandateWords.toldPaused : mandateWords.toldResumed),
  })
  const ending = useMutation({
    mutationFn: () => api.mandate.end({ business_id, mandate_id }),
    onSuccess: () => tell(mandateWords.toldEnded),
  })
  const left = number(mandate.people_left)
  const words = mandate.never_words.join(', ')
  return (
    <div className="grid gap-1 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <bdi>{mandate.goal}</bdi>
        {!in_force && <Badge tone="warn">{mandateWords.paused}</Badge>}
      </p>
      <p className="text-muted">
        {mandateWords.week(number(mandate.people_per_week), left)}
        {' · '}
        {mandateWords.between(hours.from, hours.to)}
        {' · '}
        {mandateWords.until(day(mandate.ends_at))}
      </p>
      {words !== '' && <p className="text-muted">{mandateWords.neverSays(words)}</p>}
      {(steering.error ?? ending.error) && <Failure error={steering.error ?? ending.error} />}
      <div className="flex flex-wrap gap-2">
        {(in_force || maySign) && (
          <Button busy={steering.isPending} onClick={() => steering.mutate()}>
            {in_force ? mandateWords.pause : mandateWords.resume}
          </Button>
        )}
        <Button look="danger" busy={ending.isPending} onClick={() => ending.mutate()}>
          {mandateWords.end}
        </Button>
      </div>
    </div>
  )
}

/** For how many days one signs. */
const terms = [7, 30, 90, 180, 365]

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function Sign({ connection: { connection_id } }: { connection: Connection }) {
  const business_id = useBusinessId()
  const [goal, setGoal] = useState('')
  const [segment, setSegment] = useState('')
  const [people, setPeople] = useState('100')
  const [from, setFrom] = useState('09:00')
  const [to, setTo] = useState('18:00')
  const [days, setDays] = useState('30')
  const [tone, setTone] = useState('')
  const [words, setWords] = useState('')
  const [hosts, setHosts] = useState('')
  const segments = useQuery({
    queryKey: ['segment.list', business_id],
    queryFn: ({ signal }) => api.segment.list({ business_id, limit: 200 }, { signal }),
  })
  const saved = segments.data?.segments ?? []
  const work = useMutation({
    mutationFn: () =>
      api.mandate.sign({
        business_id,
        connection_id,
        goal,
        people_per_week: Number(people),
        hours: { from, to },
        days: Number(days),
        never_words: lines(words),
        link_hosts: lines(hosts).map((host) => host.toLowerCase()),
        ...(segment !== '' && { segment_id: segment }),
        ...(tone !== '' && { tone }),
      }),
    onSuccess: () => tell(mandateWords.toldSigned),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    work.mutate()
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <Input
        label={mandateWords.goal}
        hint={mandateWords.goalHint}
        required
        maxLength={500}
        value={goal}
        onChange={({ target }) => setGoal(target.value)}
      />
      <Select
        label={mandateWords.audience}
        value={segment}
        options={[
          ['', mandateWords.everybody],
          ...saved.map(({ segment_id, name }) => [segment_id, name] as const),
        ]}
        onChange={({ target }) => setSegment(target.value)}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label={mandateWords.people}
          type="number"
          min={1}
          max={1_000_000}
          required
          value={people}
          onChange={({ target }) => setPeople(target.value)}
        />
        <Select
          label={mandateWords.lasts}
          value={days}
          options={terms.map((count) => [String(count), mandateWords.days(count)] as const)}
          onChange={({ target }) => setDays(target.value)}
        />
        <Input
          label={mandateWords.from}
          type="time"
          required
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <Input
          label={mandateWords.to}
          type="time"
          required
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
      </div>
      <Input
        label={mandateWords.tone}
        maxLength={200}
        value={tone}
        onChange={({ target }) => setTone(target.value)}
      />
      <TextArea
        label={mandateWords.words}
        hint={mandateWords.oneALine}
        rows={3}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      <TextArea
        label={mandateWords.hosts}
        hint={mandateWords.hostsHint}
        rows={2}
        value={hosts}
        onChange={({ target }) => setHosts(target.value)}
      />
      {work.error && <Failure error={work.error} />}
      <Button look="main" type="submit" busy={work.isPending} className="justify-self-start">
        {mandateWords.signNow}
      </Button>
    </form>
  )
}
