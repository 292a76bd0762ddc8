/** The apps that may act for the person: what each may do, where, and the way to end it. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import {
  canSwitch,
  isReadOnly,
  maySend,
  transactionalUse,
} from '../../parts/connections/limit-fields.tsx'
import { MandateCard } from '../../parts/connections/mandate-card.tsx'
import { RemovalsCard } from '../../parts/connections/removals-card.tsx'
import { StopCard } from '../../parts/connections/stop-card.tsx'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable, CopyButton } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { connectionWords, limitWords } from '../../words/account.ts'
import { keyWords } from '../../words/api-keys.ts'
import { ago, day, moment, number, words } from '../../words/words.ts'
import { Activity } from './activity.tsx'
import { type Connection, nameOf } from './connection-name.ts'
import { Limit } from './limit.tsx'

export function Connections() {
  const [revoking, revoke] = useState<Connection>()
  const [limiting, limit] = useState<Connection>()
  const connections = connectionWords
  // Read without the parts of the long lists, whose table this page does not need.
  const list = useInfiniteQuery({
    queryKey: ['connection.list'],
    queryFn: ({ signal, pageParam: cursor }) =>
      api.connection.list({ limit: 100, ...(cursor !== '' && { cursor }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  const all = list.data?.pages.flatMap((page) => page.connections) ?? []
  const endpoint = `${location.origin}/mcp`
  return (
    <Page title={connections.title}>
      {list.data && all.length === 0 ? (
        <>
          <Empty
            icon="link"
            action={<CopyButton text={endpoint} label={connections.copyAddress} />}
          >
            {connections.empty}
            <code className="mt-2 block font-mono text-xs text-ink">{endpoint}</code>
          </Empty>
          <Body narrow>
            <RemovalsCard />
            <StopCard />
            <MandateCard />
          </Body>
        </>
      ) : (
        <Body narrow>
          <p className="text-muted">{connections.about}</p>
          {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
          {list.isPending && !list.error && <Skeleton lines={4} />}
          {all.length > 0 && (
            <>
              <Card flush>
                <ul className="divide-y divide-line">
                  {all.map((entry) => (
                    <Row
                      key={entry.connection_id}
                      one={entry}
                      onRevoke={() => revoke(entry)}
                      isRevoked={revoking?.connection_id === entry.connection_id}
                      onLimit={() => limit(entry)}
                    />
                  ))}
                </ul>
              </Card>
              {list.hasNextPage && (
                <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  {connections.more}
                </Button>
              )}
              <RemovalsCard />
              <StopCard />
              <MandateCard />
              <div className="grid justify-items-start gap-1">
                <p className="text-muted">{connections.another}</p>
                <Copyable text={endpoint} />
              </div>
            </>
          )}
        </Body>
      )}
      {limiting && <Limit one={limiting} onClose={() => limit(undefined)} />}
      <Revoke one={revoking} onClose={() => revoke(undefined)} />
    </Page>
  )
}

/** Whether the app takes its answer on the reader's own machine, as the assistants of a desktop do. */
const isThisComputer = (host: string) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host)

interface RowProps {
  one: Connection
  onRevoke: () => void
  /** Whether it is being revoked: its calls would be asked for once more, and be gone. */
  isRevoked: boolean
  onLimit: () => void
}

function Row({ one, onRevoke, isRevoked, onLimit }: RowProps) {
  const connections = connectionWords
  const limits = limitWords
  const name = nameOf(one)
  return (
    <li className="grid gap-3 px-4 py-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
          <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
            <bdi className="line-clamp-2 min-w-0">{name}</bdi>
            <Badge tone="warn">{connections.unverified}</Badge>
            {isReadOnly(one) && <Badge tone="calm">{connections.readOnly}</Badge>}
          </h2>
          <p className="text-muted">
            {isThisComputer(one.redirect_host) ? (
              connections.onThisComputer
            ) : (
              <>
                {connections.host} <bdi className="font-medium text-ink">{one.redirect_host}</bdi>
              </>
            )}
          </p>
        </div>
        <div className="flex items-center gap-2">
          <ForDevelopers value={one} id={one.connection_id} />
          {(canSwitch(one) || one.businesses.length > 1) && (
            <Button onClick={onLimit} aria-label={`${connections.limit} ${name}`}>
              {connections.limit}
            </Button>
          )}
          <Button look="danger" onClick={onRevoke} aria-label={`${connections.revoke} ${name}`}>
            {connections.revoke}
          </Button>
        </div>
      </div>
      <Scopes scopes={one.scopes} />
      {one.late_reuses.times > 0 && (
        <Warning>{connections.lateReuse(...timesOf(one.late_reuses))}</Warning>
      )}
      {one.code_reuses.times > 0 && (
        <Warning>{connections.codeReuse(...timesOf(one.code_reuses))}</Warning>
      )}
      <div className="grid gap-1 text-sm text-muted">
        <p>
          {connections.in}{' '}
          {one.businesses.length === 0
            ? connections.nowhere
            : one.businesses.map(({ business_id, name: of }, place) => (
                <span key={business_id}>
                  {place > 0 && ', '}
                  <bdi className="text-ink">{of}</bdi>
                </span>
              ))}
          {' · '}
          <time dateTime={one.created_at} title={moment(one.created_at)}>
            {connections.connected(day(one.created_at))}
          </time>
          {' · '}
          {one.last_used_at === null ? (
            connections.neverUsed
          ) : (
            <time dateTime={one.last_used_at} title={moment(one.last_used_at)}>
              {connections.used(ago(one.last_used_at))}
            </time>
          )}
          {maySend(one) &&
            ` · ${
              one.recipients_per_day === null
                ? limits.none
                : limits.used(number(one.recipients_last_day), number(one.recipients_per_day))
            }`}
          {maySend(one) && ` · ${transactionalUse(one)}`}
        </p>
      </div>
      {!isRevoked && <Activity one={one} />}
    </li>
  )
}

const timesOf = ({ times, last_at }: Connection['late_reuses']): [string, string] => [
  connectionWords.times(times),
  last_at === null ? '' : moment(last_at),
]

/** What it may do, with a mark at what reaches people or moves data. */
function Scopes({ scopes }: Pick<Connection, 'scopes'>) {
  const connections = connectionWords
  const apiKeys = keyWords
  return (
    <ul aria-label={connections.may} className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
      {scopes.map((scope) => {
        const isCareful = scope === 'messaging:send' || scope === 'provisioning:write'
        return (
          <li key={scope} className="flex items-start gap-1.5">
            <Icon
              name={isCareful ? 'warn' : 'check'}
              className={`mt-0.5 shrink-0 ${isCareful ? 'text-warn' : 'text-good'}`}
            />
            {scope === 'meta:read' ? connections.always : apiKeys.scopes[scope]}
          </li>
        )
      })}
    </ul>
  )
}

function Warning({ children }: { children: string }) {
  return (
    <p className="flex items-start gap-2 rounded-lg border border-line bg-warn-ground px-3 py-2 text-sm">
      <Icon name="warn" className="mt-px shrink-0 text-warn" />
      {children}
    </p>
  )
}

function Revoke({ one, onClose }: { one: Connection | undefined; onClose: () => void }) {
  const connections = connectionWords
  const work = useMutation({
    mutationFn: (connection_id: string) => api.connection.revoke({ connection_id }),
    onSuccess: () => {
      tell(connections.revoked)
      onClose()
    },
  })
  return (
    <Dialog
      open={one !== undefined}
      onClose={onClose}
      title={connections.revokeTitle(one ? nameOf(one) : '')}
      description={connections.revokeText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          look="danger"
          busy={work.isPending}
          onClick={() => one && work.mutate(one.connection_id)}
        >
          {connections.revokeDo}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
