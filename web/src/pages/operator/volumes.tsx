/** What owners state that a domain sent before they came, as it waits for the operator's answer. */
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { operatorWords } from '../../words/operator.ts'
import { ago, moment, number } from '../../words/words.ts'

export type Statement = Awaited<ReturnType<typeof api.operator.volumes>>['volumes'][number]

const AnswerVolume = lazyPart(() => import('./answer-volume.tsx'), 'AnswerVolume')

export function Volumes() {
  const { volumes: texts } = operatorWords
  const [answered, answer] = useState<Statement>()
  const { data, error, refetch } = useQuery({
    queryKey: ['operator.volumes'],
    queryFn: ({ signal }) => api.operator.volumes({}, { signal }),
    refetchInterval: 30_000,
  })
  const waiting = data?.volumes ?? []
  return (
    <Card title={texts.title} flush={waiting.length > 0}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && waiting.length === 0 && <p className="text-muted">{texts.none}</p>}
      {waiting.length > 0 && <p className="px-4 pt-3 text-sm text-muted">{texts.text}</p>}
      <ul className="divide-y divide-line">
        {waiting.map((one) => (
          <Line key={`${one.business_id} ${one.domain}`} one={one} onAnswer={() => answer(one)} />
        ))}
      </ul>
      {data?.is_part && <p className="px-4 py-3 text-sm text-muted">{texts.part}</p>}
      <Suspense>
        {answered && <AnswerVolume one={answered} onClose={() => answer(undefined)} />}
      </Suspense>
    </Card>
  )
}

function Line({ one, onAnswer }: { one: Statement; onAnswer: () => void }) {
  const { volumes: texts } = operatorWords
  const { domain, emails_per_day, stated_at, business_name, note } = one
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <span className="grid min-w-0 flex-1 basis-52">
        <bdi className="truncate font-medium">{domain}</bdi>
        <span className="text-sm text-muted">
          <bdi className="break-words">{business_name}</bdi> ·{' '}
          {texts.perDay(number(emails_per_day))} ·{' '}
          <time dateTime={stated_at} title={moment(stated_at)}>
            {ago(stated_at)}
          </time>
        </span>
        {note !== null && <bdi className="text-sm break-words">{note}</bdi>}
      </span>
      <Button onClick={onAnswer} aria-label={`${texts.answer}: ${domain}`}>
        {texts.answer}
      </Button>
    </li>
  )
}
