/** Mail that waits, deferred mail with the servers' words, paused streams, and past volumes. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { providerName } from '../../parts/provider-name.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { operatorWords } from '../../words/operator.ts'
import { ago, moment, number } from '../../words/words.ts'
import { lasting } from '../status/units.ts'
import { OperatorPage } from './frame.tsx'
import { LiftPause } from './lift-pause.tsx'
import { Volumes } from './volumes.tsx'

type Mail = Awaited<ReturnType<typeof api.operator.mail>>
export type PausedStream = Mail['paused'][number]

export function OperatorMail() {
  const { mail } = operatorWords
  const [lifted, lift] = useState<PausedStream>()
  const query = useQuery({
    queryKey: ['operator.mail'],
    queryFn: ({ signal }) => api.operator.mail({}, { signal }),
    refetchInterval: 10_000,
  })
  return (
    <OperatorPage title={mail.title} query={query}>
      {(answer) => (
        <>
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <Waiting waiting={answer.waiting} />
            <Relays relays={answer.relays} />
          </div>
          <Deferred answer={answer} />
          <Paused answer={answer} onLift={lift} />
          <Volumes />
          {lifted && <LiftPause one={lifted} onClose={() => lift(undefined)} />}
        </>
      )}
    </OperatorPage>
  )
}

function Waiting({ waiting }: Pick<Mail, 'waiting'>) {
  const { mail } = operatorWords
  const some = waiting.filter(({ due, later, held }) => due + later + held > 0)
  return (
    <Card title={mail.waiting}>
      {some.length === 0 && <p className="text-muted">{mail.nothingWaits}</p>}
      <ul className="grid gap-3">
        {some.map(({ channel, due, later, held, oldest_due_at }) => (
          <li key={channel} className="grid gap-0.5">
            <span className="font-medium">{channel === 'sms' ? mail.sms : mail.email}</span>
            <span className="tabular-nums">
              {`${number(due)} ${mail.due} · ${number(later)} ${mail.later} · ${number(held)} ${mail.held}`}
            </span>
            {oldest_due_at !== null && (
              <span className="text-sm text-muted">
                {mail.oldest(lasting(secondsSince(oldest_due_at)))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const secondsSince = (at: string) => Math.max(0, (Date.now() - new Date(at).getTime()) / 1000)

function Relays({ relays }: Pick<Mail, 'relays'>) {
  const { mail } = operatorWords
  const { data } = useQuery({
    queryKey: ['meta.capabilities'],
    queryFn: ({ signal }) => api.meta.capabilities({}, { signal }),
  })
  const stays = {
    email: data?.channels.email.leaves_this_machine === false,
    sms: data?.channels.sms.leaves_this_machine === false,
  }
  return (
    <Card title={mail.relays} flush>
      <ul className="divide-y divide-line">
        {relays.map(({ name, is_away }) => (
          <li key={name} className="flex items-center gap-3 px-4 py-2.5">
            <bdi className="min-w-0 flex-1 truncate font-medium">{name}</bdi>
            <Badge tone={is_away ? 'bad' : 'good'}>{is_away ? mail.away : mail.works}</Badge>
          </li>
        ))}
        {stays.email && <li className="px-4 py-2.5 text-muted">{mail.noRelay}</li>}
        {stays.sms && <li className="px-4 py-2.5 text-muted">{mail.noSmsProvider}</li>}
      </ul>
    </Card>
  )
}

function Deferred({ answer: { deferred, is_part_of_deferred } }: { answer: Mail }) {
  const { mail } = operatorWords
  return (
    <Card title={mail.deferred} flush={deferred.length > 0}>
      {deferred.length === 0 && <p className="text-muted">{mail.nothingDeferred}</p>}
      {deferred.length > 0 && <p className="px-4 pt-3 text-sm text-muted">{mail.deferredText}</p>}
      <ul className="divide-y divide-line">
        {deferred.map((row) => (
          <li key={`${row.relay} ${row.provider}`} className="grid gap-1 px-4 py-2.5">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <bdi className="min-w-0 flex-1 basis-40 truncate font-medium">
                {providerName(row.provider) ?? mail.noProvider}
              </bdi>
              <bdi className="truncate text-sm text-muted">{row.relay}</bdi>
              <span className="font-semibold tabular-nums">{number(row.messages)}</span>
              <time
                dateTime={row.next_at}
                title={moment(row.next_at)}
                className="text-sm text-muted"
              >
                {mail.next(ago(row.next_at))}
              </time>
            </div>
            {row.words !== null && (
              <bdi className="min-w-0 text-sm break-words text-muted">{row.words}</bdi>
            )}
          </li>
        ))}
      </ul>
      {is_part_of_deferred && <p className="px-4 py-3 text-sm text-muted">{mail.part}</p>}
    </Card>
  )
}

function Paused({
  answer: { paused, is_part_of_paused },
  onLift,
}: {
  answer: Mail
  onLift: (stream: PausedStream) => void
}) {
  const { mail } = operatorWords
  return (
    <Card title={mail.paused} flush={paused.length > 0}>
      {paused.length === 0 && <p className="text-muted">{mail.nothingPaused}</p>}
      {paused.length > 0 && <p className="px-4 pt-3 text-sm text-muted">{mail.pausedText}</p>}
      <ul className="divide-y divide-line">
        {paused.map((one) => {
          const name = providerName(one.provider) ?? one.provider
          return (
            <li
              key={`${one.relay} ${one.domain} ${one.kind} ${one.provider}`}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5"
            >
              <span className="grid min-w-0 flex-1 basis-52">
                <bdi className="truncate font-medium">{name}</bdi>
                <span className="text-sm text-muted">
                  <bdi>{one.domain}</bdi> · {mail.kinds[one.kind] ?? one.kind} ·{' '}
                  <bdi>{one.relay}</bdi> ·{' '}
                  <time dateTime={one.until} title={moment(one.until)}>
                    {mail.until(ago(one.until))}
                  </time>
                </span>
              </span>
              <Button
                onClick={() => onLift(one)}
                aria-label={`${mail.lift}: ${name}, ${one.domain}`}
              >
                {mail.lift}
              </Button>
            </li>
          )
        })}
      </ul>
      {is_part_of_paused && <p className="px-4 py-3 text-sm text-muted">{mail.part}</p>}
    </Card>
  )
}
