/** API keys for programs that cannot sign a person in: created here, shown once, revocable. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import {
  canSwitch,
  isReadOnly,
  maySend,
  transactionalUse,
} from '../../parts/connections/limit-fields.tsx'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { Badge, TagChip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Body, Card, Fact, Facts, Page } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { connectionWords, limitWords } from '../../words/account.ts'
import { keyWords } from '../../words/api-keys.ts'
import { ago, day, number, words } from '../../words/words.ts'
import type { Key } from './key.ts'
import { KeyActivity } from './key-activity.tsx'
import { LimitKey } from './limit-key.tsx'
import { NewKey } from './new-key.tsx'
import { RevokeKey } from './revoke-key.tsx'

export function Keys() {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const [isMaking, make] = useState(false)
  const [revoked, revoke] = useState<Key>()
  const [limited, limit] = useState<Key>()
  const [receiving, takeOver] = useState<Key>()
  const apiKeys = keyWords
  const list = useQuery({
    queryKey: ['key.list', business_id],
    queryFn: ({ signal }) => api.key.list({ business_id }, { signal }),
    enabled: may,
  })
  if (!may) {
    return (
      <Page title={apiKeys.title}>
        <Empty icon="key">{apiKeys.onlyAdmins}</Empty>
      </Page>
    )
  }
  const button = (
    <Button look="main" icon="plus" onClick={() => make(true)}>
      {apiKeys.add}
    </Button>
  )
  return (
    <Page title={apiKeys.title} actions={button}>
      {list.data?.keys.length === 0 ? (
        <Empty icon="key" action={button}>
          {apiKeys.empty}
        </Empty>
      ) : (
        <Body narrow>
          <p className="text-muted">{apiKeys.about}</p>
          {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
          {list.isPending && !list.error && <Skeleton lines={4} />}
          {list.data && (
            <Card flush>
              <ul className="divide-y divide-line">
                {list.data.keys.map((key) => (
                  <Row
                    key={key.key_id}
                    one={key}
                    onLimit={() => limit(key)}
                    onTakeOver={() => takeOver(key)}
                    onRevoke={() => revoke(key)}
                    isRevoked={revoked?.key_id === key.key_id}
                  />
                ))}
              </ul>
            </Card>
          )}
        </Body>
      )}
      <SmtpServer />
      {isMaking && <NewKey onClose={() => make(false)} />}
      {receiving && <TakeOver one={receiving} onClose={() => takeOver(undefined)} />}
      {limited && <LimitKey one={limited} onClose={() => limit(undefined)} />}
      {revoked && <RevokeKey one={revoked} onClose={() => revoke(undefined)} />}
    </Page>
  )
}

/** What a program needs that sends mail by SMTP; nothing where the operator opened no port. */
function SmtpServer() {
  const apiKeys = keyWords
  const { data } = useQuery({
    queryKey: ['meta.capabilities'],
    queryFn: ({ signal }) => api.meta.capabilities({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const server = data?.channels.email.submission
  if (!server) return null
  const { host, starttls_port, tls_port } = server
  return (
    <Body narrow>
      <Card title={apiKeys.smtp.title}>
        <div className="grid gap-3">
          <p className="text-muted">{apiKeys.smtp.about}</p>
          <Facts>
            <Fact name={apiKeys.smtp.host}>
              <Copyable text={host} />
            </Fact>
            {starttls_port !== null && (
              <Fact name={apiKeys.smtp.startTls}>{String(starttls_port)}</Fact>
            )}
            {tls_port !== null && <Fact name={apiKeys.smtp.tls}>{String(tls_port)}</Fact>}
            <Fact name={apiKeys.smtp.user}>{apiKeys.smtp.anyUser}</Fact>
            <Fact name={apiKeys.smtp.password}>{apiKeys.smtp.aKey}</Fact>
          </Facts>
        </div>
      </Card>
    </Body>
  )
}

interface RowProps {
  one: Key
  onLimit: () => void
  onTakeOver: () => void
  onRevoke: () => void
  /** Whether it is being revoked: its calls would be asked for once more, and be gone. */
  isRevoked: boolean
}

function Row({ one, onLimit, onTakeOver, onRevoke, isRevoked }: RowProps) {
  const connections = connectionWords
  const limits = limitWords
  const apiKeys = keyWords
  const business = useBusinessId()
  const isOwner = useMay('owner')
  const used = one.last_used_at === null ? apiKeys.neverUsed : apiKeys.used(ago(one.last_used_at))
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <bdi>{one.name}</bdi>
          {one.held && <Badge tone="bad">{apiKeys.isHeld}</Badge>}
          {one.test && <Badge tone="calm">{apiKeys.isTest}</Badge>}
          {isReadOnly(one) && <Badge tone="calm">{connections.readOnly}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {[
            apiKeys.as(words.role[one.role] ?? one.role),
            used,
            apiKeys.made(day(one.created_at), one.made_by ?? apiKeys.somebodyGone),
            one.expires_at !== null && apiKeys.until(day(one.expires_at)),
            maySend(one) &&
              limits.used(number(one.recipients_last_day), number(one.recipients_per_day)),
            maySend(one) && transactionalUse(one),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className="flex flex-wrap gap-1">
          {one.scopes.map((scope) => (
            <TagChip key={scope}>{scope}</TagChip>
          ))}
          {one.allowed_networks.map((network) => (
            <TagChip key={network}>{network}</TagChip>
          ))}
        </div>
        <span className="flex items-center gap-1">
          <ForDevelopers value={one} id={one.key_id} />
        </span>
        {!isRevoked && <KeyActivity keyId={one.key_id} />}
        {isOwner && (
          <Link
            to="/$business/audit"
            params={{ business }}
            search={{ connection: one.key_id }}
            className="justify-self-start text-sm text-link hover:underline"
          >
            {apiKeys.inLog}
          </Link>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {isOwner && !one.made_by_you && (
          <Button onClick={onTakeOver} aria-label={`${apiKeys.takeOver} ${one.name}`}>
            {apiKeys.takeOver}
          </Button>
        )}
        {canSwitch(one) && (
          <Button onClick={onLimit} aria-label={`${connections.limit} ${one.name}`}>
            {connections.limit}
          </Button>
        )}
        <Button look="danger" onClick={onRevoke}>
          {apiKeys.revoke}
        </Button>
      </div>
    </li>
  )
}

function TakeOver({ one, onClose }: { one: Key; onClose: () => void }) {
  const business_id = useBusinessId()
  const apiKeys = keyWords
  const work = useMutation({
    mutationFn: () => api.key.take_over({ business_id, key_id: one.key_id }),
    onSuccess: () => {
      tell(apiKeys.takenOver)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={apiKeys.takeOverTitle(one.name)}
      description={apiKeys.takeOverText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
          {apiKeys.takeOver}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
