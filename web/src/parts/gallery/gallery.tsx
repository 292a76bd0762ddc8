/** Mails and text messages to begin with, each mail drawn from what the service makes of it in the look of the business. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { galleryWords } from '../../words/gallery.ts'
import type { Block } from '../blocks/model.ts'
import type { Channel, Content, SentBlock } from '../content/content.ts'
import { MailThumbnail } from '../content/mail-thumbnail.tsx'

type Listed = Awaited<ReturnType<typeof api.template.gallery>>
type Mail = Listed['mails'][number]
type Slot = Mail['slots'][number]

/** What `campaign.generate` and `template.save` take. */
export interface GalleryChoice {
  gallery: string
  title: string
  slots: Record<string, string>
}

const purposes = {
  news: ['newsletter', 'announcement', 'press', 'job'],
  offers: ['sale', 'product-launch', 'season', 'back-in-stock', 'cart', 'birthday'],
  events: ['event', 'webinar', 'donation'],
  relations: ['welcome', 'win-back', 'review', 'survey', 're-permission', 'thank-you'],
  orders: ['appointment', 'receipt', 'shipping', 'invoice', 'password-reset'],
} as const
type Group = keyof typeof purposes
const groups = Object.keys(purposes) as Group[]

export function Gallery({
  channel,
  isBusy,
  onTake,
}: {
  channel: Channel
  isBusy: boolean
  onTake: (choice: GalleryChoice) => void
}) {
  const business_id = useBusinessId()
  const [group, setGroup] = useState<Group>()
  const list = useQuery({
    queryKey: ['template.gallery', business_id],
    queryFn: ({ signal }) => api.template.gallery({ business_id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const w = galleryWords
  const isShown = ({ purpose }: { purpose: string }) =>
    group === undefined || purposes[group].some((entry) => entry === purpose)
  if (channel === 'sms') {
    return <Texts {...{ isBusy, onTake }} list={list.data?.texts} error={list.error} />
  }
  return (
    <>
      <p className="text-muted">{w.about}</p>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{w.groups}</legend>
        {[undefined, ...groups].map((entry) => (
          <Button
            key={entry ?? 'all'}
            aria-pressed={group === entry}
            look={group === entry ? 'main' : 'plain'}
            onClick={() => setGroup(entry)}
          >
            {entry === undefined ? w.all : w[entry]}
          </Button>
        ))}
      </fieldset>
      {list.error && <Failure error={list.error} />}
      {list.isPending && <Skeleton lines={6} />}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3">
        {list.data?.mails.filter(isShown).map((mail) => (
          <li key={mail.key}>
            <button
              type="button"
              disabled={isBusy}
              onClick={() =>
                onTake({ gallery: mail.key, title: mail.title, slots: emptySlots(mail.slots) })
              }
              className="grid h-full w-full content-start overflow-hidden rounded-lg border border-line text-left transition-colors hover:border-line-strong"
            >
              <Thumbnail mail={mail} />
              <span className="grid gap-0.5 p-2.5">
                <span className="font-medium">{mail.title}</span>
                <span className="text-sm text-muted">{mail.about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Texts({
  list,
  error,
  isBusy,
  onTake,
}: {
  list: Listed['texts'] | undefined
  error: Error | null
  isBusy: boolean
  onTake: (choice: GalleryChoice) => void
}) {
  const w = galleryWords
  return (
    <>
      <p className="text-muted">{w.aboutTexts}</p>
      {error && <Failure error={error} />}
      {!list && !error && <Skeleton lines={6} />}
      <ul className="grid gap-3 sm:grid-cols-2">
        {list?.map(({ key, title, text, slots }) => (
          <li key={key}>
            <button
              type="button"
              disabled={isBusy}
              onClick={() => onTake({ gallery: key, title, slots: emptySlots(slots) })}
              className="grid h-full w-full content-start gap-1.5 rounded-lg border border-line p-3 text-left transition-colors hover:border-line-strong"
            >
              <span className="font-medium">{title}</span>
              <span className="text-sm text-muted">{labelled(text, slots)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** As somebody reads it who has not filled in anything. */
function labelled(text: string, slots: readonly Slot[]): string {
  const labels = new Map(slots.map(({ name, label }) => [name, label]))
  return text
    .replaceAll('{{ business.name }}', galleryWords.business)
    .replace(/\[\[([a-z_\d]+)\]\]/g, (whole, name: string) => `[${labels.get(name) ?? whole}]`)
}

/** The facts that a mail begins with: the label of each slot, so that none of its blocks is left out. */
function emptySlots(slots: readonly Slot[]): Record<string, string> {
  const labelled = slots
    .filter(({ kind }) => kind !== 'image')
    .map(({ name, kind, label }): [string, string] => {
      // An address has no spaces.
      if (kind === 'url') return [name, `https://[[${label.replace(/\s/g, '-')}]]`]
      return [name, `[[${kind === 'email' ? label.replace(/\s/g, '-') : label}]]`]
    })
  return Object.fromEntries(labelled)
}

/** A mail or a text message with the label of each slot in its place, for an editor. */
export async function contentOf(
  business_id: string,
  { gallery, slots }: Pick<GalleryChoice, 'gallery' | 'slots'>,
): Promise<Content> {
  const { mails, texts } = await api.template.gallery({ business_id, key: gallery })
  const fill = (text: string) =>
    text.replace(/\[\[([a-z_\d]+)\]\]/g, (whole, name: string) => slots[name] ?? whole)
  const text = texts[0]?.text
  if (text !== undefined) return { text: fill(text) }
  const { subject, preheader, blocks } = mails[0] ?? {}
  return {
    subject: fill(subject ?? ''),
    preheader: fill(preheader ?? ''),
    blocks: JSON.parse(
      fill(JSON.stringify((blocks ?? []).filter((block) => !('src' in block)))),
    ) as Block[],
  }
}

function Thumbnail({ mail }: { mail: Mail }) {
  const business_id = useBusinessId()
  return (
    <MailThumbnail
      queryKey={['gallery.picture', business_id, mail.key]}
      title={mail.title}
      read={async () => {
        const { mails } = await api.template.gallery({ business_id, key: mail.key })
        const { subject, preheader, blocks } = mails[0] ?? {}
        const { html } = await api.template.preview({
          business_id,
          channel: 'email',
          subject: subject ?? mail.title,
          ...(preheader && { preheader }),
          blocks: labelledBlocks(blocks ?? [], mail.slots) as object[] as SentBlock[],
          data: 'sample',
        })
        return html ?? null
      }}
    />
  )
}

/** With the label of each slot in its place. A picture that is missing leaves its block out. */
function labelledBlocks(blocks: readonly object[], slots: readonly Slot[]): object[] {
  const labels = new Map(slots.map(({ name, label }) => [name, label]))
  const fill = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') {
      if (key === 'url' && value.startsWith('[[')) return 'https://example.com'
      return value.replace(/\[\[([a-z_\d]+)\]\]/g, (whole, name: string) => {
        const label = labels.get(name) ?? whole
        return key === 'url' ? 'name' : label
      })
    }
    if (Array.isArray(value)) return value.map((entry) => fill(entry, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [name, fill(entry, name)]),
    )
  }
  return blocks.filter((block) => !('src' in block)).map((block) => fill(block) as object)
}
