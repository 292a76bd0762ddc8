/** The result of an import, its refused rows as a file, and undoing it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { importWords } from '../../words/imports.ts'
import { colon, moment, number, words } from '../../words/words.ts'
import { Counts } from './counts.tsx'
import type { Import } from './import.tsx'
import { ImportState } from './import-state.tsx'

export function Result({ one }: { one: Import }) {
  const business = useBusinessId()
  const imports = importWords
  const { result, kind } = one
  const isOfContacts = kind === 'contacts'
  const names = isOfContacts ? imports.result : imports.result.suppressions
  const undone = result?.undone
  return (
    <Card title={<bdi>{one.file_name}</bdi>} actions={<ImportState state={one.state} />}>
      <div className="grid gap-4">
        {one.fault && (
          <p className="flex items-start gap-2">
            <Icon name="error" className="mt-0.5 shrink-0 text-bad" />
            {one.fault.message}
          </p>
        )}
        {result && (
          <Counts
            counts={[
              [names.created, result.created],
              [names.updated, result.updated],
              [names.unchanged, result.unchanged],
              [imports.result.refused, result.refused],
            ]}
          />
        )}
        <ul className="grid gap-1 text-muted empty:hidden">
          {result && result.stayed_unsubscribed > 0 && (
            <li>{imports.result.stayed(number(result.stayed_unsubscribed))}</li>
          )}
          {result && result.without_evidence > 0 && (
            <li>{imports.result.withoutEvidence(number(result.without_evidence))}</li>
          )}
          {result && result.left_out > 0 && (
            <li>{imports.result.leftOut(number(result.left_out))}</li>
          )}
          {undone && (
            <li>
              {names.undone(number(undone.deleted), number(undone.restored), number(undone.left))}
            </li>
          )}
          {!result && one.state === 'cancelled' && <li>{imports.result.nothing}</li>}
        </ul>
        <div className="flex flex-wrap gap-2">
          {one.state === 'done' && isOfContacts && (
            <Link to="/$business/contacts" params={{ business }} className={buttonClass('main')}>
              {imports.show}
            </Link>
          )}
          {one.errors_url !== null && (
            <a href={one.errors_url} download="errors.csv" className={buttonClass()}>
              <Icon name="download" />
              {result && result.left_out > 0
                ? imports.errorsAndLeftOut(number(result.refused), number(result.left_out))
                : imports.errors(number(result?.refused ?? 0))}
            </a>
          )}
          <Undo one={one} />
          <NextFile />
        </div>
      </div>
    </Card>
  )
}

/** The oldest file that was uploaded and waits for its review, such as the next one of an archive. */
function NextFile() {
  const business = useBusinessId()
  const { data } = useQuery({
    queryKey: ['import.list', business],
    queryFn: ({ signal }) => api.import.list({ business_id: business, limit: 20 }, { signal }),
  })
  const next = data?.imports.findLast(({ state }) => state === 'ready' || state === 'checking')
  if (!next) return null
  return (
    <Link
      to="/$business/contacts/import"
      params={{ business }}
      search={{ id: next.import_id }}
      className={buttonClass('main')}
    >
      {importWords.nextFile}
      {colon}
      <bdi>{next.file_name}</bdi>
    </Link>
  )
}

function Undo({ one }: { one: Import }) {
  const business_id = useBusinessId()
  const [asked, ask] = useState(false)
  const imports = importWords
  const undo = useMutation({
    mutationFn: () => api.import.undo({ business_id, import_id: one.import_id }),
    onSuccess: () => ask(false),
  })
  const { undo_until } = one
  if (undo_until === null || new Date(undo_until) <= new Date()) return null
  return (
    <>
      <Button onClick={() => ask(true)}>{imports.undo}</Button>
      <Dialog
        open={asked}
        onClose={() => ask(false)}
        title={imports.undo}
        description={
          one.kind === 'contacts'
            ? imports.undoText(moment(undo_until))
            : imports.undoSuppressions(moment(undo_until))
        }
      >
        {undo.error && <Failure error={undo.error} />}
        <DialogActions>
          <Button onClick={() => ask(false)}>{words.cancel}</Button>
          <Button look="danger" busy={undo.isPending} onClick={() => undo.mutate()}>
            {imports.undo}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
