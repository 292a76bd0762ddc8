/** HTML or MJML from elsewhere becomes blocks, with a picture of both and what was not the same. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { foreignMailWords } from '../../words/foreign-mail.ts'
import type { Block } from '../blocks/model.ts'
import type { Content } from './content.ts'
import { MailFrame } from './mail-frame.tsx'

type Converted = Awaited<ReturnType<typeof api.template.convert>>

/** The most characters that the service takes. */
const most = 256 * 1024

export function FromHtml({
  isBusy = false,
  onTake,
}: {
  isBusy?: boolean
  onTake: (content: Content) => void
}) {
  const business_id = useBusinessId()
  const w = foreignMailWords
  const [source, setSource] = useState('')
  const file = useRef<HTMLInputElement>(null)
  const isMjml = /<mjml[\s>]/i.test(source)
  const convert = useMutation({
    mutationFn: () =>
      api.template.convert({ business_id, ...(isMjml ? { mjml: source } : { html: source }) }),
  })
  if (convert.data) {
    return (
      <Both source={isMjml ? undefined : source} converted={convert.data}>
        <Button onClick={() => convert.reset()}>{w.back}</Button>
        <Button
          look="main"
          busy={isBusy}
          onClick={() => convert.data && onTake(contentOf(convert.data))}
        >
          {w.use}
        </Button>
      </Both>
    )
  }
  const fault = faultOf(convert.error)
  return (
    <>
      <p className="text-muted">{w.about}</p>
      <TextArea
        label={w.paste}
        rows={10}
        maxLength={most}
        value={source}
        onChange={({ target }) => setSource(target.value)}
        fault={fault('html') ?? fault('mjml')}
      />
      <input
        ref={file}
        type="file"
        accept=".html,.htm,.mjml,text/html"
        aria-label={w.choose}
        className="hidden"
        onChange={({ target }) => {
          void target.files?.[0]?.text().then(setSource)
          // The same file can be chosen again after it was changed.
          target.value = ''
        }}
      />
      {convert.error && <Failure error={convert.error} />}
      <DialogActions>
        <Button icon="upload" onClick={() => file.current?.click()}>
          {w.choose}
        </Button>
        <Button
          look="main"
          busy={convert.isPending}
          disabled={source.trim() === ''}
          onClick={() => convert.mutate()}
        >
          {w.convert}
        </Button>
      </DialogActions>
    </>
  )
}

function contentOf({ subject, preheader, blocks }: Converted): Content {
  return {
    ...(subject !== null && { subject }),
    ...(preheader !== null && { preheader }),
    blocks: blocks as object[] as Block[],
  }
}

function Both({
  source,
  converted,
  children,
}: {
  /** Undefined for MJML, which no browser shows. */
  source: string | undefined
  converted: Converted
  children: React.ReactNode
}) {
  const business_id = useBusinessId()
  const w = foreignMailWords
  const { blocks } = converted
  const subject = converted.subject ?? w.after
  const preview = useQuery({
    queryKey: ['template.preview', business_id, 'foreign', blocks],
    queryFn: ({ signal }) =>
      api.template.preview(
        { business_id, channel: 'email', subject, blocks, data: 'sample' },
        { signal },
      ),
  })
  return (
    <>
      <Notes converted={converted} />
      <div className="grid gap-4 lg:grid-cols-2">
        {source !== undefined && (
          <section className="grid min-w-0 content-start gap-2">
            <h3 className="font-medium">{w.before}</h3>
            <MailFrame html={page(source)} view="desktop" title={w.before} />
          </section>
        )}
        <section className="grid min-w-0 content-start gap-2">
          <h3 className="font-medium">{w.after}</h3>
          {preview.error && <Failure error={preview.error} />}
          {preview.isPending && <Skeleton lines={8} />}
          {preview.data && (
            <MailFrame html={preview.data.html ?? ''} view="desktop" title={w.after} />
          )}
        </section>
      </div>
      <p className="text-sm text-muted">{w.pictures}</p>
      <DialogActions>{children}</DialogActions>
    </>
  )
}

/** Its own script and handlers would only be reported to the console by the policy of the frame. */
const page = (source: string) =>
  source
    .replaceAll(/<script\b[\s\S]*?(?:<\/script\s*>|$)/gi, '')
    .replaceAll(/\son[a-z]{3,20}\s*=/gi, ' data-on=')

function Notes({ converted }: { converted: Converted }) {
  const w = foreignMailWords
  const { kept_as_html, removed, pictures_lost, blocks_lost } = converted
  const { unknown_fields, converted_fields } = converted
  const notes = [
    kept_as_html > 0 && w.keptAsHtml(kept_as_html),
    removed > 0 && w.removed(removed),
    pictures_lost > 0 && w.picturesLost(pictures_lost),
    blocks_lost > 0 && w.blocksLost(blocks_lost),
    converted_fields.length > 0 && w.known(converted_fields.length),
  ].filter((note) => note !== false)
  const isFine = unknown_fields.length === 0 && kept_as_html + removed + pictures_lost === 0
  return (
    <section className="grid gap-2 rounded-lg border border-line p-3">
      <h3 className="font-medium">{isFine ? w.allFine : w.notes}</h3>
      <ul className="list-disc pl-5 text-sm">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {unknown_fields.length > 0 && (
        <div className="text-sm">
          <p>{w.unknown}</p>
          <ul className="flex flex-wrap gap-2 pt-1">
            {unknown_fields.map((field) => (
              <li key={field} className="rounded bg-hover px-1.5 font-mono">
                <bdi>{field}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
