/** Replies by text. Where one may mean Stop, a person decides. */
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { useList } from '../../parts/list-page.tsx'
import { NewCampaignLink } from '../../parts/new-campaign-link.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Empty, Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { replyWords } from '../../words/lists.ts'
import { ago, words } from '../../words/words.ts'

const from = '/$business/replies' as const

type Reply = Awaited<ReturnType<typeof api.reply.list>>['replies'][number]

export function Replies() {
  const business_id = useBusinessId()
  const { open } = useSearch({ from })
  const navigate = useNavigate({ from })
  const list = useList(
    ['reply.list', business_id, { open }],
    (page, options) => api.reply.list({ business_id, ...page, ...(open && { open }) }, options),
    10_000,
  )
  const rows = list.data?.pages.flatMap((page) => page.replies) ?? []
  const replies = replyWords
  return (
    <Page title={replies.title}>
      <div className="border-b border-line px-5 py-2 max-sm:px-4">
        <ChipRow>
          <FilterChip on={!open} onClick={() => void navigate({ search: {} })}>
            {replies.all}
          </FilterChip>
          <FilterChip on={open === true} onClick={() => void navigate({ search: { open: true } })}>
            {replies.open}
          </FilterChip>
        </ChipRow>
      </div>
      {list.error && (
        <Body>
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </Body>
      )}
      {list.isPending && !list.error && <Skeleton />}
      {list.data &&
        rows.length === 0 &&
        (open ? (
          <Empty
            icon="reply"
            action={
              <Button onClick={() => void navigate({ search: {} })}>{replies.showAll}</Button>
            }
          >
            {replies.noneOpen}
          </Empty>
        ) : (
          <Empty icon="reply" action={<NewCampaignLink />}>
            {replies.empty}
          </Empty>
        ))}
      {rows.length > 0 && (
        <Body>
          <Card flush>
            <ul className="divide-y divide-line">
              {rows.map((reply) => (
                <ReplyLine key={reply.reply_id} reply={reply} />
              ))}
            </ul>
          </Card>
          {list.hasNextPage && (
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {words.more}
            </Button>
          )}
        </Body>
      )}
    </Page>
  )
}

function ReplyLine({ reply }: { reply: Reply }) {
  const business = useBusinessId()
  const replies = replyWords
  const { contact_id, review, meaning, text, created_at } = reply
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <p>
          <bdi>{text}</bdi>
        </p>
        <p className="flex flex-wrap gap-x-2 text-sm text-muted">
          {contact_id === null ? (
            <span>{reply.from}</span>
          ) : (
            <Link
              to="/$business/contacts"
              params={{ business }}
              search={{ open: contact_id }}
              className="text-link hover:underline"
            >
              {reply.from}
            </Link>
          )}
          <time dateTime={created_at}>{ago(created_at)}</time>
        </p>
      </div>
      <ForDevelopers value={reply} id={reply.reply_id} />
      {review === 'open' ? (
        <Decision reply={reply} />
      ) : (
        <Badge tone={review === 'opted_out' || meaning === 'stop' ? 'warn' : 'calm'}>
          {review === null ? replies.meanings[meaning] : replies.review[review]}
        </Badge>
      )}
    </li>
  )
}

function Decision({ reply: { reply_id } }: { reply: Reply }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const replies = replyWords
  const work = useMutation({
    mutationFn: (decision: 'opt_out' | 'keep') =>
      api.reply.decide({ business_id, reply_id, decision }),
    onSuccess: () => tell(replies.done),
    onError: (error) => tellFailure(replies.failed, problemOf(error).message),
  })
  if (!may) return <Badge tone="warn">{replies.meanings.opt_out}</Badge>
  return (
    <div className="flex gap-2">
      <Button busy={work.isPending} onClick={() => work.mutate('keep')}>
        {replies.keep}
      </Button>
      <Button look="danger" busy={work.isPending} onClick={() => work.mutate('opt_out')}>
        {replies.optOut}
      </Button>
    </div>
  )
}
