/** Who received a campaign and who did not, each with the reason in a sentence. */
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { EmptyList, Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { ago, number, words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'

const from = '/$business/campaigns/$campaign' as const

export function Recipients({ campaign }: { campaign: WholeCampaign }) {
  const business = useBusinessId()
  const { recipients: status, link } = useSearch({ from })
  const navigate = useNavigate({ from })
  const { recipientList } = campaignWords
  const { campaign_id } = campaign
  const list = useInfiniteQuery({
    queryKey: ['campaign.why', business, campaign_id, { status, link }],
    queryFn: ({ signal, pageParam }) =>
      api.campaign.why(
        {
          business_id: business,
          campaign_id,
          limit: 20,
          ...(status !== undefined && { status }),
          ...(link !== undefined && { link }),
          ...(pageParam !== '' && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    enabled: campaign.recipients_deleted_at === null,
    refetchInterval: campaign.status === 'deployed' ? unlessTold(10_000) : false,
  })
  if (campaign.recipients_deleted_at !== null) {
    return (
      <Card title={recipientList.title}>
        <p className="text-muted">{recipientList.deleted}</p>
      </Card>
    )
  }
  const rows = list.data?.pages.flatMap(({ recipients }) => recipients) ?? []
  const choose = (chosen: string) =>
    void navigate({
      search: ({ recipients: _before, ...rest }) =>
        chosen === '' ? rest : { ...rest, recipients: chosen },
      replace: true,
      resetScroll: false,
    })
  const showAll = () =>
    void navigate({
      search: ({ recipients: _before, link: _link, ...rest }) => rest,
      replace: true,
      resetScroll: false,
    })
  return (
    <Card
      title={recipientList.title}
      flush
      actions={
        <>
          <ExportButton of={{ campaign_id }} />
          {(campaign.counts['unknown'] ?? 0) > 0 && <Resend campaign={campaign} />}
          <Select
            label={recipientList.filter}
            hidden
            className="w-40!"
            value={status ?? ''}
            onChange={({ target }) => choose(target.value)}
            options={[['', recipientList.any], ...Object.entries(recipientList.states)]}
          />
        </>
      }
    >
      {link !== undefined && (
        <p className="flex items-center gap-2 border-b border-line bg-sunken px-4 py-1.5">
          <span className="min-w-0 flex-1 truncate">
            {recipientList.followed} <bdi>{link}</bdi>
          </span>
          <IconButton icon="close" label={recipientList.showAll} onClick={showAll} />
        </p>
      )}
      {list.error && (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && !list.error && <Skeleton lines={4} />}
      {list.data && rows.length === 0 && (
        <EmptyList
          action={
            (status !== undefined || link !== undefined) && (
              <Button onClick={showAll}>{recipientList.showAll}</Button>
            )
          }
        >
          {status === undefined && link === undefined
            ? recipientList.nobodyYet
            : recipientList.none}
        </EmptyList>
      )}
      <ul className="divide-y divide-line">
        {rows.map((recipient) => (
          <Recipient key={recipient.contact_id} {...recipient} />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className="border-t border-line p-3">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {recipientList.more}
          </Button>
        </div>
      )}
    </Card>
  )
}

type Row = Awaited<ReturnType<typeof api.campaign.why>>['recipients'][number]

function Recipient({ contact_id, status, reason, why, at, name, address }: Row) {
  const business = useBusinessId()
  const { recipientList } = campaignWords
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
      <span className="w-24 shrink-0 font-medium">{recipientList.states[status] ?? status}</span>
      <span className="flex min-w-0 flex-1 basis-48 flex-wrap gap-x-2">
        <Link
          to="/$business/contacts"
          params={{ business }}
          search={{ open: contact_id }}
          className="truncate text-link hover:underline"
        >
          <bdi>{address ?? name ?? contact_id}</bdi>
        </Link>
        {address && name && <bdi className="truncate text-muted">{name}</bdi>}
      </span>
      <span className="min-w-0 flex-1 basis-52">
        {recipientList.reasons[reason ?? status] ?? recipientList.reasons[status] ?? why}
      </span>
      {at !== null && <span className="text-sm text-muted">{ago(at)}</span>}
    </li>
  )
}

function Resend({ campaign: { campaign_id } }: { campaign: WholeCampaign }) {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const [asked, ask] = useState(false)
  const { recipientList, run } = campaignWords
  const work = useMutation({
    mutationFn: () => api.campaign.resend({ business_id, campaign_id, all: true }),
    onSuccess: ({ resent }) => tell(recipientList.resent(number(resent))),
    onError: (error) => tellFailure(run.failed, problemOf(error).message),
    onSettled: () => ask(false),
  })
  if (!may) return null
  return (
    <>
      <Button onClick={() => ask(true)}>{recipientList.resend}</Button>
      <Dialog
        open={asked}
        onClose={() => ask(false)}
        title={recipientList.resend}
        description={recipientList.resendText}
      >
        <DialogActions>
          <Button onClick={() => ask(false)}>{words.cancel}</Button>
          <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
            {recipientList.resend}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
