/** The addresses to which the business does not send, and the way for owners to lift one. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { useList } from '../../parts/list-page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { suppressionWords as texts } from '../../words/suppressions.ts'
import { colon, day, words } from '../../words/words.ts'

type Suppression = Awaited<ReturnType<typeof api.suppression.list>>['suppressions'][number]

const Lift = lazyPart(() => import('../../parts/lift.tsx'), 'Lift')

const from = '/$business/suppressions' as const

/** The arguments that find what was typed; undefined while it is only a part of an address. */
function namedBy(typed: string): { email?: string; phone?: string } | undefined {
  if (typed === '') return {}
  const at = typed.indexOf('@')
  if (at > 0 && at < typed.length - 1) return { email: typed }
  return typed.startsWith('+') && typed.length > 5 ? { phone: typed } : undefined
}

export function Suppressions() {
  const business_id = useBusinessId()
  const isOwner = useMay('owner')
  const { q = '' } = useSearch({ from })
  const navigate = useNavigate({ from })
  const [lifted, lift] = useState<Suppression>()
  const [isUnjudged, showUnjudged] = useState(false)
  const named = namedBy(q)
  const filter = { ...named, ...(isUnjudged && { not_judgeable: true }) }
  const list = useList(['suppression.list', business_id, filter], (page, options) =>
    api.suppression.list({ business_id, ...page, ...filter }, options),
  )
  const rows = named ? (list.data?.pages.flatMap((page) => page.suppressions) ?? []) : []
  const nameOf = (one: Suppression) => one.address ?? (q || hashOf(one))
  return (
    <Page title={words.nav.suppressions}>
      <div className="border-b border-line px-5 py-2 max-sm:px-4">
        <SearchField
          label={texts.find}
          value={q}
          onChange={(typed) =>
            void navigate({ search: typed === '' ? {} : { q: typed }, replace: true })
          }
        />
      </div>
      {!named && <NoRows text={texts.part} q={q} />}
      {named && list.error && (
        <Body>
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </Body>
      )}
      {named && list.isPending && !list.error && <Skeleton />}
      {named && list.data && !list.error && rows.length === 0 && (
        <NoRows text={q === '' ? texts.empty : texts.notThere} q={q} />
      )}
      {rows.length > 0 && !list.error && (
        <Body narrow>
          <p className="text-muted">{texts.about}</p>
          {(isUnjudged || rows.some((row) => row.not_judgeable)) && (
            <div className="flex flex-wrap items-center gap-2">
              <p className="min-w-0 flex-1 basis-64">{texts.unjudged}</p>
              <Button onClick={() => showUnjudged(!isUnjudged)}>
                {isUnjudged ? texts.all : texts.onlyUnjudged}
              </Button>
            </div>
          )}
          <Card flush>
            <ul className="divide-y divide-line">
              {rows.map((one) => (
                <Row
                  key={one.suppression_id}
                  one={one}
                  name={nameOf(one)}
                  {...(isOwner && one.reason !== 'stop' && { onLift: () => lift(one) })}
                />
              ))}
            </ul>
          </Card>
          {list.hasNextPage && (
            <Button
              className="justify-self-start"
              busy={list.isFetchingNextPage}
              onClick={() => void list.fetchNextPage()}
            >
              {words.more}
            </Button>
          )}
        </Body>
      )}
      {lifted && (
        <Suspense>
          <Lift
            of={{ suppression_id: lifted.suppression_id }}
            name={nameOf(lifted)}
            onClose={() => lift(undefined)}
          />
        </Suspense>
      )}
    </Page>
  )
}

const hashOf = ({ sha256 }: Suppression) =>
  sha256 === null ? texts.unnamed : texts.hashed(sha256.slice(0, 16))

function NoRows({ text, q }: { text: string; q: string }) {
  const business = useBusinessId()
  const mayImport = useMay('admin')
  const whole = (
    <Link to="/$business/suppressions" params={{ business }} className={buttonClass()}>
      {texts.all}
    </Link>
  )
  const bring = (
    <Link to="/$business/contacts/import" params={{ business }} className={buttonClass()}>
      {texts.importList}
    </Link>
  )
  return (
    <Empty icon="close" action={q === '' ? mayImport && bring : whole}>
      {text}
    </Empty>
  )
}

function Row({ one, name, onLift }: { one: Suppression; name: string; onLift?: () => void }) {
  const business = useBusinessId()
  const { channel, contact_id, reason, stops, since, suppression_id } = one
  return (
    <li className="flex flex-wrap items-start gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          {contact_id === null ? (
            <bdi className="min-w-0 break-words">{name}</bdi>
          ) : (
            <Link
              to="/$business/contacts"
              params={{ business }}
              search={{ open: contact_id }}
              className="min-w-0 break-words hover:underline"
            >
              <bdi>{name}</bdi>
            </Link>
          )}
          <Badge tone="calm">
            {channel === null ? texts.anyChannel : (texts.channels[channel] ?? channel)}
          </Badge>
        </p>
        <p className="text-sm text-muted">
          {`${texts.reasons[reason] ?? reason}${colon}${texts.stops[stops]} `}
          <time dateTime={since}>{texts.since(day(since))}</time>
        </p>
        {one.not_judgeable && <p className="text-sm text-muted">{texts.notJudgeable}</p>}
        <span className="flex min-w-0 items-center gap-1">
          <ForDevelopers value={one} id={suppression_id} />
        </span>
      </div>
      {onLift && (
        <Button onClick={onLift} aria-label={`${texts.lift} ${name}`}>
          {texts.lift}
        </Button>
      )}
    </li>
  )
}
