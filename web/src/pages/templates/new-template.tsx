/** A new template from a mail of the gallery, or with a first content, which its editor opens with. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import type { Content, SentBlock } from '../../parts/content/content.ts'
import type { GalleryChoice } from '../../parts/gallery/gallery.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { contentWords } from '../../words/content.ts'
import { words } from '../../words/words.ts'

const FromHtml = lazyPart(() => import('../../parts/content/from-html.tsx'), 'FromHtml')

type Kind = keyof typeof contentWords.make.kinds

const Gallery = lazyPart(() => import('../../parts/gallery/gallery.tsx'), 'Gallery')

export function NewTemplate({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const w = contentWords
  const [name, setName] = useState('')
  const [isChoosing, setChoosing] = useState(false)
  const [isConverting, setConverting] = useState(false)
  const [kind, setKind] = useState<Kind>('blocks')
  const work = useMutation({
    mutationFn: (choice: GalleryChoice | Content | undefined) => {
      const ownName = name.trim()
      if (choice && 'blocks' in choice) {
        const { subject = w.fromHtmlName, preheader, blocks } = choice
        return api.template.save({
          business_id,
          name: ownName || subject,
          subject,
          ...(preheader !== undefined && { preheader }),
          blocks: (blocks ?? []) as object[] as SentBlock[],
        })
      }
      if (choice && 'gallery' in choice) {
        const { gallery, slots, title } = choice
        return api.template.save({ business_id, name: ownName || title, gallery, slots })
      }
      return api.template.save({ business_id, name: ownName, ...firstContent(kind, ownName) })
    },
    onSuccess: ({ template_id }) =>
      navigate({
        to: '/$business/templates/$template',
        params: { business: business_id, template: template_id ?? '' },
      }),
  })
  const fault = faultOf(work.error)('name')
  const { make } = campaignWords
  const channel = kind === 'sms' ? 'sms' : 'email'
  const galleryName = kind === 'sms' ? make.galleryTexts : make.gallery
  if (isChoosing) {
    return (
      <Dialog open wide onClose={() => setChoosing(false)} title={galleryName}>
        {work.error && <Failure error={work.error} />}
        <Suspense fallback={<Skeleton />}>
          <Gallery
            channel={channel}
            isBusy={work.isPending}
            onTake={(choice) => work.mutate(choice)}
          />
        </Suspense>
      </Dialog>
    )
  }
  if (isConverting) {
    return (
      <Dialog open wide onClose={() => setConverting(false)} title={w.fromHtml}>
        {work.error && <Failure error={work.error} />}
        <Suspense fallback={<Skeleton />}>
          <FromHtml isBusy={work.isPending} onTake={(content) => work.mutate(content)} />
        </Suspense>
      </Dialog>
    )
  }
  return (
    <Dialog open onClose={onClose} title={w.make.title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          work.mutate(undefined)
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
        <Select
          label={w.make.kind}
          value={kind}
          onChange={({ target }) => setKind(target.value as Kind)}
          options={Object.entries(w.make.kinds)}
        />
        {work.error && fault === undefined && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {w.make.create}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function firstContent(kind: Kind, subject: string) {
  const { hello, heading } = contentWords.make
  switch (kind) {
    case 'sms':
      return { channel: 'sms' as const, text: hello }
    case 'html':
      return { subject, html: `<p>${hello}</p>\n` }
    case 'mjml': {
      const body = `      <mj-text>${hello}</mj-text>`
      const mjml = `<mjml>\n  <mj-body>\n    <mj-section><mj-column>\n${body}\n    </mj-column></mj-section>\n  </mj-body>\n</mjml>\n`
      return { subject, mjml }
    }
    case 'blocks':
      return {
        subject,
        blocks: [
          { type: 'heading' as const, text: heading },
          { type: 'text' as const, text: hello },
        ],
      }
  }
}
