/** The latest calls of a connection or a key: what was called, with which outcome, and when. */
import { Copyable } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { recentCallWords } from '../../words/account.ts'
import { ago, moment } from '../../words/words.ts'

interface Call {
  operation: string
  outcome: string
  at: string
  request_id: string
}

export function RecentCalls({ calls }: { calls: readonly Call[] }) {
  const recentCalls = recentCallWords
  if (calls.length === 0) return <p className="text-muted">{recentCalls.none}</p>
  return (
    <ul aria-label={recentCalls.title} className="grid gap-1">
      {calls.map((call) => (
        <li key={`${call.request_id} ${call.at}`} className="flex flex-wrap items-center gap-x-2">
          <Outcome outcome={call.outcome} />
          <code className="font-mono text-xs">{call.operation}</code>
          {call.outcome !== 'ok' && (
            <span className="text-bad max-sm:order-1 max-sm:basis-full max-sm:pl-5.5">
              {recentCalls.refused(call.outcome)}
            </span>
          )}
          <time dateTime={call.at} title={moment(call.at)} className="ml-auto text-muted">
            {ago(call.at)}
          </time>
          <Copyable text={call.request_id} className="max-sm:order-2 max-sm:ml-4.5" />
        </li>
      ))}
    </ul>
  )
}

function Outcome({ outcome }: { outcome: string }) {
  const recentCalls = recentCallWords
  const isDone = outcome === 'ok'
  return (
    <span className={isDone ? 'text-good' : 'text-bad'}>
      <Icon name={isDone ? 'check' : 'error'} className="size-3.5" />
      <span className="sr-only">{isDone ? recentCalls.done : recentCalls.failed}</span>
    </span>
  )
}
