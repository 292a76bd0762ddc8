/** One template: rendered with ordinary, longest and no values, and its source. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { TagChip } from '../../ui/badge.tsx'
import { Code, Copyable } from '../../ui/copy.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Fact, Facts } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { number, words } from '../../words/words.ts'
import type { Template } from './templates.tsx'

export function TemplateDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  // The drawer keeps its template while it slides out.
  const [shown, setShown] = useState(id)
  if (id !== undefined && id !== shown) setShown(id)
  const { data, error, refetch } = useQuery({
    queryKey: ['template.list', business_id, shown],
    queryFn: ({ signal }) =>
      api.template.list({ business_id, template_id: shown ?? '' }, { signal }),
    enabled: id !== undefined,
  })
  const template = data?.templates[0]
  return (
    <Drawer
      open={id !== undefined}
      onClose={onClose}
      title={template?.name ?? words.templates.title}
    >
      {error && (
        <div className="p-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {!template && !error && <Skeleton />}
      {template && (
        <div className="grid divide-y divide-line *:p-4">
          {may && <Previews template={template} />}
          <About template={template} />
        </div>
      )}
    </Drawer>
  )
}

type Data = 'sample' | 'longest' | 'empty'

function Previews({ template: { template_id, version } }: { template: Template }) {
  const business_id = useBusinessId()
  const { templates } = words
  const [data, setData] = useState<Data>('sample')
  const made = useQuery({
    queryKey: ['template.save', business_id, template_id, version],
    // A dry run saves nothing.
    queryFn: ({ signal }) =>
      api.template.save({ business_id, template_id, dry_run: true }, { signal }),
  })
  if (made.error) return <Failure error={made.error} onRetry={() => void made.refetch()} />
  if (!made.data) return <Skeleton lines={8} />
  const preview = made.data.previews.find((one) => one.data === data)
  return (
    <section className="grid gap-3" aria-labelledby="preview-heading">
      <div className="flex items-center gap-3">
        <h3 id="preview-heading" className="flex-1 font-semibold">
          {templates.preview}
        </h3>
        <Select
          label={templates.data}
          hidden
          className="w-48!"
          value={data}
          onChange={({ target }) => setData(target.value as Data)}
          options={Object.entries(templates.datas)}
        />
      </div>
      {preview && preview.subject !== '' && (
        <p className="font-medium">
          <bdi>{preview.subject}</bdi>
        </p>
      )}
      <pre className="rounded-lg border border-line bg-sunken p-3 font-mono text-sm whitespace-pre-wrap">
        {preview?.text}
      </pre>
      <p className="text-sm text-muted">
        {preview?.segments === undefined
          ? templates.bytes(number(preview?.html_bytes ?? 0))
          : templates.parts(number(preview.segments))}
      </p>
      {made.data.warnings.length > 0 && (
        <div className="grid gap-1">
          <h4 className="font-medium">{templates.warnings}</h4>
          <ul className="grid list-disc gap-1 pl-4 text-muted">
            {made.data.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

function About({ template }: { template: Template }) {
  const { templates } = words
  const { source = {}, needs = [] } = template
  const body = source.mjml ?? source.html ?? source.text ?? ''
  return (
    <section className="grid gap-3" aria-labelledby="source-heading">
      <h3 id="source-heading" className="font-semibold">
        {templates.source}
      </h3>
      <Facts>
        <Fact name={templates.version}>{number(template.version)}</Fact>
        {source.subject !== undefined && (
          <Fact name={templates.subject}>
            <bdi>{source.subject}</bdi>
          </Fact>
        )}
        {source.preheader !== undefined && (
          <Fact name={templates.preheader}>
            <bdi>{source.preheader}</bdi>
          </Fact>
        )}
        {needs.length > 0 && (
          <Fact name={templates.needs}>
            <span className="flex flex-wrap gap-1">
              {needs.map((one) => (
                <TagChip key={one}>{one}</TagChip>
              ))}
            </span>
          </Fact>
        )}
      </Facts>
      <Code>{body}</Code>
      {Object.entries(source.translations ?? {}).map(([tag, one]) => (
        <section key={tag} className="grid gap-1" aria-label={`${templates.source} (${tag})`}>
          <h4 className="font-medium">
            {tag}
            {one.subject !== undefined && (
              <>
                {': '}
                <bdi>{one.subject}</bdi>
              </>
            )}
          </h4>
          <Code>{one.mjml ?? one.html ?? one.text ?? ''}</Code>
        </section>
      ))}
      <Copyable text={template.template_id} className="justify-self-start" />
    </section>
  )
}
