/** Confirmation mails that a guarded form holds back: sent or discarded, one by one or together. */
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useList } from '../../parts/list-page.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Body, Card } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { formWords } from '../../words/forms.ts'
import { ago, moment, number, words } from '../../words/words.ts'
import type { Form } from './model.ts'

type HeldConfirmation = Awaited<ReturnType<typeof api.form.held>>['held'][number]

/** `ids`: undefined for the oldest ones, as many as one call takes. */
interface Choice {
  act: 'release' | 'discard'
  ids?: string[]
}

export function Held({ form }: { form: Form }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { form_id, guarded_since } = form
  const { held } = formWords
  const [confirming, setConfirming] = useState<Choice>()
  const key = ['form.held', business_id, form_id]
  const list = useList(
    key,
    (page, options) => api.form.held({ business_id, form_id, ...page }, options),
    15_000,
  )
  const decide = useMutation({
    mutationFn: async ({ act, ids }: Choice) => {
      const input = { business_id, form_id, ...(ids && { confirmation_ids: ids }) }
      if (act === 'release') return held.released(number((await api.form.release(input)).released))
      return held.discarded(number((await api.form.discard(input)).discarded))
    },
    onSuccess: (done, choice) => {
      // A dialog that was opened while one mail was decided stays open.
      setConfirming((current) => (current === choice ? undefined : current))
      tell(done)
    },
  })
  const rows = list.data?.pages.flatMap((page) => page.held) ?? []
  const total = list.data?.pages[0]?.total ?? 0
  if (list.data && rows.length === 0) {
    return (
      <Empty
        icon="form"
        action={
          <Link
            to="/$business/forms/$form"
            params={{ business: business_id, form: form_id }}
            search={{ tab: 'submissions' }}
            className={buttonClass()}
          >
            {held.toSubmissions}
          </Link>
        }
      >
        {guarded_since === null ? held.none : held.noneYet(moment(guarded_since))}
      </Empty>
    )
  }
  const refusal = decide.error ?? list.error
  return (
    <Body>
      {refusal && <Failure error={refusal} onRetry={() => void list.refetch()} />}
      {list.isPending && !list.error && <Skeleton />}
      {rows.length > 0 && (
        <>
          <p className="text-muted">
            {guarded_since !== null && `${held.guarded(moment(guarded_since))} `}
            {held.about}
          </p>
          <Card
            title={held.title(number(total))}
            actions={
              may && (
                <div className="flex flex-wrap gap-2">
                  <Button onClick={() => setConfirming({ act: 'discard' })}>
                    {held.discardAll}
                  </Button>
                  <Button onClick={() => setConfirming({ act: 'release' })}>
                    {held.releaseAll}
                  </Button>
                </div>
              )
            }
            flush
          >
            <ul className="divide-y divide-line">
              {rows.map((row) => (
                <OneHeld
                  key={row.confirmation_id}
                  row={row}
                  may={may}
                  busy={decide.isPending}
                  onDecide={(act) => decide.mutate({ act, ids: [row.confirmation_id] })}
                />
              ))}
            </ul>
            {list.hasNextPage && (
              <div className="border-t border-line p-3">
                <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  {formWords.sent.more}
                </Button>
              </div>
            )}
          </Card>
        </>
      )}
      <Dialog
        open={confirming !== undefined}
        onClose={() => setConfirming(undefined)}
        title={confirming?.act === 'discard' ? held.discardAll : held.releaseAll}
        description={confirming?.act === 'discard' ? held.discardText : held.releaseText}
      >
        {decide.error && <Failure error={decide.error} />}
        <DialogActions>
          <Button onClick={() => setConfirming(undefined)}>{words.cancel}</Button>
          <Button
            look={confirming?.act === 'discard' ? 'danger' : 'main'}
            busy={decide.isPending && decide.variables === confirming}
            onClick={() => confirming && decide.mutate(confirming)}
          >
            {confirming?.act === 'discard' ? held.discardAll : held.releaseAll}
          </Button>
        </DialogActions>
      </Dialog>
    </Body>
  )
}

interface OneHeldProps {
  row: HeldConfirmation
  may: boolean
  busy: boolean
  onDecide: (act: Choice['act']) => void
}

function OneHeld({ row, may, busy, onDecide }: OneHeldProps) {
  const business = useBusinessId()
  const { held } = formWords
  const { email, contact_id, reason, asked_at } = row
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <div className="min-w-0 flex-1 basis-56">
        <Link
          to="/$business/contacts"
          params={{ business }}
          search={{ open: contact_id }}
          className="block truncate font-medium hover:underline"
        >
          <bdi>{email}</bdi>
        </Link>
        <p className="text-sm text-muted">
          {held.reasons[reason]} · {ago(asked_at)}
        </p>
      </div>
      {may && (
        <div className="flex gap-2">
          <Button
            look="quiet"
            disabled={busy}
            aria-label={held.discardOne(email)}
            onClick={() => onDecide('discard')}
          >
            {held.discard}
          </Button>
          <Button
            disabled={busy}
            aria-label={held.releaseOne(email)}
            onClick={() => onDecide('release')}
          >
            {held.release}
          </Button>
        </div>
      )}
    </li>
  )
}
