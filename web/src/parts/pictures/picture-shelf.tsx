/** The pictures that a business has uploaded: one is taken, or deleted. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyList, Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { blockWords } from '../../words/blocks.ts'
import { number, words } from '../../words/words.ts'
import type { Picture } from './use-upload.ts'

const megabyte = 1024 * 1024

interface PictureShelfProps {
  onPick: (picture: Picture) => void
  /** A file is to be chosen. */
  onChoose: () => void
  onClose: () => void
}

export function PictureShelf({ onPick, onChoose, onClose }: PictureShelfProps) {
  const business_id = useBusinessId()
  const { pictures } = blockWords
  const [doomed, setDoomed] = useState<Picture>()
  const list = useInfiniteQuery({
    queryKey: ['image.list', business_id],
    queryFn: ({ pageParam, signal }) =>
      api.image.list(
        { business_id, limit: 24, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  })
  const all = list.data?.pages.flatMap(({ images }) => images) ?? []
  const used = list.data?.pages[0]
  if (doomed) return <Deletion picture={doomed} onClose={() => setDoomed(undefined)} />
  return (
    <Dialog open wide onClose={onClose} title={pictures.shelf}>
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Skeleton lines={4} />}
      {list.data && all.length === 0 && (
        <EmptyList
          action={
            <Button icon="upload" onClick={onChoose}>
              {pictures.choose}
            </Button>
          }
        >
          {pictures.none}
        </EmptyList>
      )}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {all.map((picture) => (
          <li key={picture.image_id} className="grid min-w-0 gap-1">
            <button
              type="button"
              onClick={() => onPick(picture)}
              aria-label={pictures.take(picture.file_name)}
              className="grid aspect-square place-items-center overflow-hidden rounded-lg border border-line bg-[#ffffff] p-1 hover:border-line-strong"
            >
              <img
                src={picture.url}
                alt=""
                loading="lazy"
                className="max-h-full max-w-full object-contain"
              />
            </button>
            <div className="flex items-center gap-1">
              <span className="min-w-0 flex-1">
                <bdi className="block truncate text-sm">{picture.file_name}</bdi>
                <span className="block text-xs text-muted tabular-nums">
                  {picture.width} × {picture.height}
                </span>
              </span>
              <IconButton
                icon="close"
                label={pictures.remove(picture.file_name)}
                onClick={() => setDoomed(picture)}
              />
            </div>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          className="justify-self-center"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {pictures.more}
        </Button>
      )}
      {used && all.length > 0 && (
        <p className="text-sm text-muted">
          {pictures.used(
            number(used.used.images),
            number(Math.ceil(used.used.bytes / megabyte)),
            number(used.most.bytes / megabyte),
          )}
        </p>
      )}
    </Dialog>
  )
}

function Deletion({ picture, onClose }: { picture: Picture; onClose: () => void }) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { pictures } = blockWords
  const work = useMutation({
    mutationFn: () => api.image.delete({ business_id, image_id: picture.image_id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['image.list'] })
      tell(pictures.removed)
      onClose()
    },
    onError: (error) => tellFailure(pictures.notRemoved, problemOf(error).message),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={pictures.remove(picture.file_name)}
      description={pictures.removeAbout}
    >
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {blockWords.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
