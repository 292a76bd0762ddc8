/** Content begins from a template, or becomes one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { EmptyList, Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { contentWords } from '../../words/content.ts'
import { templateWords } from '../../words/lists.ts'
import { withTexts } from '../../words/texts.ts'
import { ago, words } from '../../words/words.ts'
import type { GalleryChoice } from '../gallery/gallery.tsx'
import { useFilledWords } from '../liquid/filled-words.tsx'
import type { Channel, Content } from './content.ts'

const loadGallery = withTexts(() => import('../gallery/gallery.tsx'))
const Gallery = lazyPart(loadGallery, 'Gallery')
const FromHtml = lazyPart(() => import('./from-html.tsx'), 'FromHtml')

interface TakeTemplateProps {
  channel: Channel
  /** The id is that of a template of the business, whose results it counts among. */
  onTake: (content: Content, template_id?: string) => void
  onClose: () => void
}

export function TakeTemplate({ channel, onTake, onClose }: TakeTemplateProps) {
  const business_id = useBusinessId()
  const w = contentWords
  const [isChoosing, setChoosing] = useState(false)
  const [isConverting, setConverting] = useState(false)
  const list = useQuery({
    queryKey: ['template.list', business_id, 'all'],
    queryFn: ({ signal }) => api.template.list({ business_id, limit: 100 }, { signal }),
  })
  const take = useMutation({
    mutationFn: (template_id: string) => api.template.list({ business_id, template_id }),
    onSuccess: ({ templates: [template] }, template_id) =>
      onTake((template?.source ?? {}) as Content, template_id),
  })
  const takeFromGallery = useMutation({
    mutationFn: async (choice: GalleryChoice) => {
      const { contentOf } = await loadGallery()
      return contentOf(business_id, choice)
    },
    onSuccess: (content) => onTake(content),
  })
  const { make } = campaignWords
  const galleryName = channel === 'email' ? make.gallery : make.galleryTexts
  if (isChoosing) {
    return (
      <Dialog open wide onClose={() => setChoosing(false)} title={galleryName}>
        {takeFromGallery.error && <Failure error={takeFromGallery.error} />}
        <Suspense fallback={<Skeleton />}>
          <Gallery
            channel={channel}
            isBusy={takeFromGallery.isPending}
            onTake={(choice) => takeFromGallery.mutate(choice)}
          />
        </Suspense>
      </Dialog>
    )
  }
  if (isConverting) {
    return (
      <Dialog open wide onClose={() => setConverting(false)} title={w.fromHtml}>
        <Suspense fallback={<Skeleton />}>
          <FromHtml onTake={(content) => onTake(content)} />
        </Suspense>
      </Dialog>
    )
  }
  const fitting = (list.data?.templates ?? []).filter((entry) => entry.channel === channel)
  const error = list.error ?? take.error
  return (
    <Dialog open onClose={onClose} title={w.fromTemplate} description={w.fromTemplateAbout}>
      <Button onClick={() => setChoosing(true)}>
        <Icon name="plus" />
        {galleryName}
      </Button>
      {channel === 'email' && (
        <Button onClick={() => setConverting(true)}>
          <Icon name="upload" />
          {w.fromHtml}
        </Button>
      )}
      {error && <Failure error={error} />}
      {list.isPending && <Skeleton lines={3} />}
      {list.data && fitting.length === 0 && (
        <EmptyList
          action={
            <Link
              to="/$business/templates"
              params={{ business: business_id }}
              className={buttonClass()}
            >
              {templateWords.create}
            </Link>
          }
        >
          {w.noTemplates}
        </EmptyList>
      )}
      {fitting.length > 0 && (
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line">
          {fitting.map(({ template_id, name, updated_at }) => (
            <li key={template_id}>
              <button
                type="button"
                disabled={take.isPending}
                onClick={() => take.mutate(template_id)}
                className="flex min-h-10 w-full items-center gap-3 px-3 text-left hover:bg-hover"
              >
                <bdi className="min-w-0 flex-1 truncate font-medium">{name}</bdi>
                <span className="shrink-0 text-sm text-muted">{ago(updated_at)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

interface SaveAsTemplateProps {
  channel: Channel
  content: Content
  onClose: () => void
}

export function SaveAsTemplate({ channel, content, onClose }: SaveAsTemplateProps) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const w = contentWords
  const [name, setName] = useState(useFilledWords()(content.subject ?? ''))
  const work = useMutation({
    mutationFn: () =>
      api.template.save({ business_id, name: name.trim(), channel, ...content } as Parameters<
        typeof api.template.save
      >[0]),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['template.list'] })
      tell(w.templateSaved)
      onClose()
    },
  })
  const fault = faultOf(work.error)('name')
  return (
    <Dialog open onClose={onClose} title={w.asTemplate} description={w.asTemplateAbout}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          // The dialog stands within the form of the editor.
          event.preventDefault()
          event.stopPropagation()
          work.mutate()
        }}
      >
        <Input
          label={w.fields.name}
          required
          maxLength={200}
          value={name}
          onChange={({ target }) => setName(target.value)}
          fault={fault}
        />
        {work.error && fault === undefined && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
