/** One segment: the number of matches, its conditions in order, and who nearly matches. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useDraft } from '../../parts/drafts/use-draft.ts'
import { useSave } from '../../parts/drafts/use-save.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { FilterRows } from '../../parts/filter/filter-rows.tsx'
import { filterInWords } from '../../parts/filter/filter-words.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Code } from '../../ui/copy.tsx'
import { Dialog, DialogActions, Drawer } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { segmentWords } from '../../words/lists.ts'
import { number, words } from '../../words/words.ts'

// Loaded when the editor is there, so that the drawer appears sooner.
const DraftNotices = lazyPart(() => import('../../parts/drafts/draft-notices.tsx'), 'DraftNotices')

type Segment = Awaited<ReturnType<typeof api.segment.get>>

interface SegmentDrawerProps {
  id: string | undefined
  /** Resolves once the URL names no segment any more. */
  onClose: () => Promise<void>
}

export function SegmentDrawer({ id, onClose }: SegmentDrawerProps) {
  const business_id = useBusinessId()
  // The drawer keeps its segment while it slides out.
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  // What is being deleted is not read any more, as the stream of changes would ask for.
  const [deleted, setDeleted] = useState<string>()
  const isRead = id !== undefined && id !== deleted
  const { data, error, refetch } = useQuery({
    queryKey: ['segment.get', business_id, shown],
    queryFn: ({ signal }) => api.segment.get({ business_id, segment_id: shown ?? '' }, { signal }),
    enabled: isRead,
  })
  return (
    <Drawer
      open={id !== undefined}
      onClose={() => void onClose()}
      title={data?.name ?? segmentWords.title}
      actions={data && <ForDevelopers value={data} id={data.segment_id} />}
    >
      {error ? (
        <div className="p-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      ) : data ? (
        <div className="grid divide-y divide-line *:p-4">
          <Head segment={data} />
          <Funnel segment={data} isRead={isRead} />
          <Change
            key={data.segment_id}
            segment={data}
            onDelete={(isDeleted) => setDeleted(isDeleted ? data.segment_id : undefined)}
            onGone={onClose}
          />
        </div>
      ) : (
        <Skeleton />
      )}
    </Drawer>
  )
}

function Head({ segment }: { segment: Segment }) {
  const business = useBusinessId()
  const segments = segmentWords
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="font-semibold">{segments.people(number(segment.count), segment.at_least)}</p>
      </div>
      <Link
        to="/$business/contacts"
        params={{ business }}
        search={{ segment: segment.segment_id }}
        className={buttonClass()}
      >
        {segments.showThem}
      </Link>
      <ExportButton of={{ segment_id: segment.segment_id }} />
    </div>
  )
}

function Funnel({ segment, isRead }: { segment: Segment; isRead: boolean }) {
  const business_id = useBusinessId()
  const { segment_id, version } = segment
  const { data } = useQuery({
    queryKey: ['segment.explain', business_id, segment_id, version],
    queryFn: ({ signal }) => api.segment.explain({ business_id, segment_id }, { signal }),
    enabled: isRead,
  })
  const segments = segmentWords
  if (!data) return <Skeleton lines={3} />
  const inWords = (path: string) => {
    const found = data.conditions.find((entry) => entry.path === path)
    return found ? filterInWords(found.condition) : path
  }
  return (
    <section className="grid gap-3" aria-labelledby="funnel-heading">
      <h3 id="funnel-heading" className="font-semibold">
        {segments.funnel}
      </h3>
      <table className="w-full">
        <thead>
          <tr className="text-left text-xs text-muted">
            <th scope="col" className="py-1 font-medium">
              {segments.condition}
            </th>
            <th scope="col" className="w-20 py-1 text-right font-medium">
              {segments.alone}
            </th>
            <th scope="col" className="w-20 py-1 text-right font-medium">
              {segments.left}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.conditions.map(({ path, condition, alone, left }) => (
            <tr key={path} className="align-top">
              <td className="border-t border-line py-1.5 pr-2" title={JSON.stringify(condition)}>
                <bdi>{filterInWords(condition)}</bdi>
              </td>
              <td className="border-t border-line py-1.5 text-right tabular-nums">
                {alone !== null && number(alone)}
              </td>
              <td className="border-t border-line py-1.5 text-right tabular-nums">
                {left !== null && number(left)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.near && data.near.length > 0 && (
        <div className="grid gap-1">
          <h4 className="font-medium">{segments.near}</h4>
          <p className="text-sm text-muted">{segments.nearAbout}</p>
          <ul className="grid gap-0.5">
            {data.near.map(({ contact_id, email, phone, conditions }) => (
              <li key={contact_id} className="flex flex-wrap gap-x-2">
                <Link
                  to="/$business/contacts"
                  params={{ business: business_id }}
                  search={{ open: contact_id }}
                  className="text-link hover:underline"
                >
                  <bdi>{email ?? phone ?? contact_id}</bdi>
                </Link>
                <span className="text-sm text-muted">
                  <bdi>{conditions.map(inWords).join(', ')}</bdi>
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

interface ChangeProps {
  segment: Segment
  /** When its deletion begins, and when that fails. */
  onDelete: (isDeleted: boolean) => void
  onGone: () => Promise<void>
}

function Change({ segment, onDelete, onGone }: ChangeProps) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const client = useQueryClient()
  const { segment_id } = segment
  const draft = useDraft<{ filter: Segment['filter'] | undefined }>({
    name: `segment ${business_id} ${segment_id}`,
    version: segment.version,
    stored: { filter: segment.filter },
    saved: segment.saved,
  })
  const { filter } = draft.value
  const [removing, setRemoving] = useState(false)
  const segments = segmentWords
  const { save, isSaving, isRetrying, error } = useSave(
    draft,
    () => {
      const if_version = draft.version
      return api.segment.save({ business_id, segment_id, ...(filter && { filter }), if_version })
    },
    () => tell(words.saved),
  )
  const remove = useMutation({
    mutationFn: async () => {
      await api.segment.delete({ business_id, segment_id })
      await onGone()
      client.removeQueries({ queryKey: ['segment.get', business_id, segment_id] })
    },
    onMutate: () => onDelete(true),
    onError: () => onDelete(false),
    onSuccess: () => tell(segments.removed),
    onSettled: () => setRemoving(false),
  })
  if (!may) return <Code>{JSON.stringify(segment.filter, null, 2)}</Code>
  return (
    <section className="grid gap-3" aria-labelledby="change-heading">
      <h3 id="change-heading" className="font-semibold">
        {segments.edit}
      </h3>
      <Suspense>
        <DraftNotices
          draft={draft}
          isRetrying={isRetrying}
          labels={{ filter: segments.condition }}
        />
      </Suspense>
      <FilterRows
        key={draft.turn}
        filter={filter}
        onChange={(next) => draft.change({ filter: next })}
      />
      {error && <Failure error={error} />}
      {remove.error && <Failure error={remove.error} />}
      <div className="flex flex-wrap justify-between gap-2">
        <Button look="danger" onClick={() => setRemoving(true)}>
          {segments.remove}
        </Button>
        <Button
          look="main"
          busy={isSaving}
          disabled={!draft.isChanged || !filter || draft.conflicts.length > 0}
          onClick={() => save(undefined)}
        >
          {segments.save}
        </Button>
      </div>
      <Dialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={segments.remove}
        description={segments.removeText}
      >
        <DialogActions>
          <Button onClick={() => setRemoving(false)}>{words.cancel}</Button>
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {segments.remove}
          </Button>
        </DialogActions>
      </Dialog>
    </section>
  )
}
