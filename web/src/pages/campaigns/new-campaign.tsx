/** A new draft from a mail of the gallery, from a sentence or two, or from one's own text. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import type { Content, SentBlock } from '../../parts/content/content.ts'
import type { GalleryChoice } from '../../parts/gallery/gallery.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input, Select, TextArea } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { contentWords } from '../../words/content.ts'
import { language } from '../../words/texts.ts'
import { words } from '../../words/words.ts'

const FromHtml = lazyPart(() => import('../../parts/content/from-html.tsx'), 'FromHtml')
const Gallery = lazyPart(() => import('../../parts/gallery/gallery.tsx'), 'Gallery')

/** What was asked for by a press is written in at once. */
const focus = (input: HTMLInputElement | null) => input?.focus()

export function NewCampaign({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [own, setOwn] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const [isConverting, setConverting] = useState(false)
  const [channel, setChannel] = useState<'email' | 'sms'>('email')
  const [brief, setBrief] = useState('')
  const [subject, setSubject] = useState('')
  const campaigns = campaignWords
  const { make } = campaigns
  const ownContent =
    channel === 'email' ? { subject, blocks: make.firstBlocks } : { text: subject || make.subject }
  const work = useMutation({
    mutationFn: (choice: GalleryChoice | Content | undefined) => {
      if (choice && 'blocks' in choice) {
        const { subject = contentWords.fromHtmlName, blocks, ...rest } = choice
        const content = {
          ...rest,
          subject,
          ...(blocks && { blocks: blocks as object[] as SentBlock[] }),
        }
        return api.campaign.generate({ business_id, channel, content, name: subject })
      }
      if (choice && 'gallery' in choice) {
        const { gallery, slots, title } = choice
        return api.campaign.generate({
          business_id,
          channel,
          gallery,
          slots,
          name: title,
          notes_in: language,
        })
      }
      const content = own ? { content: ownContent, name: subject } : { brief }
      return api.campaign.generate({ business_id, channel, ...content, notes_in: language })
    },
    onSuccess: ({ campaign_id, notes }) => {
      client.setQueryData(['campaign.notes', business_id, campaign_id], notes ?? [])
      return navigate({
        to: '/$business/campaigns/$campaign',
        params: { business: business_id, campaign: campaign_id },
        search: { step: 'who' },
      })
    },
  })
  const fault = faultOf(work.error)
  if (isChoosing) {
    return (
      <Dialog
        open
        wide
        onClose={() => setChoosing(false)}
        title={channel === 'email' ? make.gallery : make.galleryTexts}
      >
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
      <Dialog open wide onClose={() => setConverting(false)} title={contentWords.fromHtml}>
        {work.error && <Failure error={work.error} />}
        <Suspense fallback={<Skeleton />}>
          <FromHtml isBusy={work.isPending} onTake={(content) => work.mutate(content)} />
        </Suspense>
      </Dialog>
    )
  }
  return (
    <Dialog open onClose={onClose} title={make.title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          work.mutate(undefined)
        }}
      >
        <Select
          label={campaigns.channel}
          value={channel}
          onChange={({ target }) => setChannel(target.value as typeof channel)}
          options={Object.entries(campaigns.channels)}
        />
        <Button onClick={() => setChoosing(true)}>
          <Icon name="plus" />
          {channel === 'email' ? make.gallery : make.galleryTexts}
        </Button>
        {channel === 'email' && (
          <Button onClick={() => setConverting(true)}>
            <Icon name="upload" />
            {contentWords.fromHtml}
          </Button>
        )}
        <Button
          aria-pressed={own}
          className="aria-pressed:border-accent aria-pressed:bg-accent-ground"
          onClick={() => setOwn(!own)}
        >
          <Icon name="pen" />
          {make.own}
        </Button>
        {own ? (
          <Input
            label={channel === 'email' ? make.subject : campaigns.name}
            required
            ref={focus}
            maxLength={200}
            value={subject}
            onChange={({ target }) => setSubject(target.value)}
            fault={fault('content')}
          />
        ) : (
          <TextArea
            label={make.brief}
            hint={make.briefHint}
            required
            rows={4}
            value={brief}
            onChange={({ target }) => setBrief(target.value)}
            fault={fault('brief')}
          />
        )}
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {own ? make.start : make.write}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
