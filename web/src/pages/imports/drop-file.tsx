/** A file is dropped or chosen, and uploaded with visible progress. */
import { CrierError } from '@crier-mail/sdk/session'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useRef, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { ProgressBar } from '../../ui/bar-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Failure } from '../../ui/states.tsx'
import { importWords } from '../../words/imports.ts'
import { percent, words } from '../../words/words.ts'
import { type Kind, type Upload, uploadFile } from './upload.ts'

const largest = 1_000_000_000

export function DropFile({ kind }: { kind: Kind }) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const upload = useRef<Upload>(undefined)
  const [share, setShare] = useState(0)
  const [isOver, setIsOver] = useState(false)
  const imports = importWords
  const send = useMutation({
    mutationFn: (file: File) => {
      if (file.size > largest) {
        throw new CrierError({ code: 'too_large', message: imports.tooLarge })
      }
      setShare(0)
      upload.current = uploadFile(business_id, { file, kind }, setShare)
      return upload.current.done
    },
    onSuccess: ({ import_id }) =>
      navigate({
        to: '/$business/contacts/import',
        params: { business: business_id },
        search: { id: import_id },
      }),
  })
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file && !send.isPending) send.mutate(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files)
  }
  if (send.isPending) {
    return (
      <section className="grid gap-3 rounded-xl border border-line p-5" aria-live="polite">
        <p className="truncate font-medium">
          <bdi>{imports.uploading(send.variables.name)}</bdi>
        </p>
        <ProgressBar share={share} label={imports.uploading(send.variables.name)} />
        <div className="flex items-center justify-between gap-3">
          <span className="text-muted tabular-nums">{percent(share)}</span>
          <Button onClick={() => upload.current?.cancel()}>{words.cancel}</Button>
        </div>
      </section>
    )
  }
  return (
    <div className="grid gap-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same by keyboard. */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        className={cx(
          'grid justify-items-center gap-2 rounded-xl border border-dashed px-4 py-12 text-center transition-colors',
          isOver ? 'border-accent bg-accent-ground' : 'border-line-strong bg-ground',
        )}
      >
        <span className="grid size-10 place-items-center rounded-xl border border-line bg-surface text-muted shadow-flat">
          <Icon name="upload" />
        </span>
        <p className="font-medium">{imports.drop}</p>
        <p className="max-w-sm text-muted">{imports.dropAbout}</p>
        <Button look="main" className="mt-2" onClick={() => input.current?.click()}>
          {imports.choose}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          aria-label={imports.choose}
          className="hidden"
          onChange={({ target }) => {
            take(target.files)
            // The same file can be chosen again after it was changed.
            target.value = ''
          }}
        />
      </div>
      {send.error && <Failure error={send.error} />}
    </div>
  )
}
