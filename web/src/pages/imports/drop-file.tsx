/** Files are dropped or chosen, and uploaded one after another with visible progress. */
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
import { filesToImport } from './archive.ts'
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
  const [name, setName] = useState('')
  const send = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      const files = await filesToImport(chosen, kind)
      if (files.some(({ file }) => file.size > largest)) {
        throw new CrierError({ code: 'too_large', message: imports.tooLarge })
      }
      let first: string | undefined
      for (const entry of files) {
        setShare(0)
        setName(entry.file.name)
        upload.current = uploadFile(business_id, entry, setShare)
        const { import_id } = await upload.current.done
        first ??= import_id
      }
      return first
    },
    onSuccess: (id) =>
      navigate({
        to: '/$business/contacts/import',
        params: { business: business_id },
        search: id === undefined ? {} : { id },
      }),
  })
  const take = (files: FileList | null) => {
    if (files && files.length > 0 && !send.isPending) {
      setName(files[0]?.name ?? '')
      send.mutate([...files])
    }
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
          <bdi>{imports.uploading(name)}</bdi>
        </p>
        <ProgressBar share={share} label={imports.uploading(name)} />
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
          multiple
          accept=".csv,.tsv,.txt,.zip,text/csv,text/plain,application/zip"
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
