/** The editor of a feed: its address and times, and the mail with the place of its posts. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { type Block, newBlock } from '../../parts/blocks/model.ts'
import type { SentBlock, Translation } from '../../parts/content/content.ts'
import { Button } from '../../ui/button.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Card } from '../../ui/page.tsx'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { feedWords } from '../../words/feeds.ts'
import type { WholeFeed } from './feed.tsx'
import { MappingFields, type MappingTexts, mappingOf, mappingTexts } from './mapping-fields.tsx'
import { WeekTimes } from './week-times.tsx'

const WordsField = lazyPart(() => import('../../parts/mail-editor/words-field.tsx'), 'WordsField')
const LanguageBar = lazyPart(() => import('../../parts/content/language-bar.tsx'), 'LanguageBar')
const MailCanvas = lazyPart(() => import('../../parts/mail-editor/canvas.tsx'), 'MailCanvas')

type Every = 'day' | 'week' | 'month' | 'times'

const firstBlocks = (): Block[] => [
  { ...newBlock('heading'), text: feedWords.firstHeading },
  { ...newBlock('feed'), button: feedWords.readOn },
]

interface Texts {
  subject: string
  blocks: Block[]
}

interface Content extends Texts {
  /** By the tag of their language. */
  translations?: Record<string, Texts>
}

export function FeedEditor({ feed }: { feed?: WholeFeed }) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const navigate = useNavigate()
  const w = feedWords
  const content = feed?.content as Content | undefined
  const [fields, setFields] = useState({
    name: feed?.name ?? '',
    url: feed?.url ?? 'https://',
    every: (feed?.times ? 'times' : (feed?.every ?? 'week')) as Every,
    at: feed?.at ?? '08:00',
    times: feed?.times ?? ['mon 08:00'],
    topic: feed?.topic ?? '',
    segment: feed?.segment_id ?? '',
    subject: content?.subject ?? w.firstSubject,
    max: String(feed?.items.max ?? 5),
    take: feed?.items.take ?? ('newest' as const),
    approve: feed?.approve ?? ('once' as const),
    beginWith: String(feed?.begin_with ?? 0),
  })
  const [isOwnJson, setOwnJson] = useState(Boolean(feed?.mapping))
  const [mapping, setMapping] = useState<MappingTexts>(() => mappingTexts(feed?.mapping))
  const [blocks, setBlocks] = useState<Block[]>(() => content?.blocks ?? firstBlocks())
  const [translations, setTranslations] = useState(content?.translations ?? {})
  const [language, setLanguage] = useState<string>()
  const first = { subject: fields.subject, blocks }
  const texts = (language !== undefined && translations[language]) || first
  const write = (change: Partial<Texts>) => {
    if (language !== undefined) {
      setTranslations({ ...translations, [language]: { ...texts, ...change } })
      return
    }
    if (change.subject !== undefined) set({ subject: change.subject })
    if (change.blocks) setBlocks(change.blocks)
  }
  const set = (change: Partial<typeof fields>) => setFields({ ...fields, ...change })
  const { data: topics } = useQuery({
    queryKey: ['topic.list', business_id],
    queryFn: ({ signal }) => api.topic.list({ business_id }, { signal }),
  })
  const { data: segments } = useQuery({
    queryKey: ['segment.list', business_id],
    queryFn: ({ signal }) => api.segment.list({ business_id, limit: 200 }, { signal }),
  })
  const save = useMutation({
    mutationFn: () => {
      const { every } = fields
      const when = every === 'times' ? { times: fields.times } : { every, at: fields.at }
      return api.feed.save({
        business_id,
        ...(feed && { feed_id: feed.feed_id }),
        name: fields.name,
        url: fields.url,
        mapping: isOwnJson ? mappingOf(mapping) : null,
        ...when,
        topic: fields.topic === '' ? null : fields.topic,
        segment_id: fields.segment === '' ? null : fields.segment,
        content: { ...sent(first), ...translationsOf(content, translations) },
        items: { max: Number(fields.max), take: fields.take },
        approve: fields.approve,
        begin_with: Number(fields.beginWith),
      })
    },
    onSuccess: async ({ feed_id }) => {
      tell(w.saved)
      await client.invalidateQueries({ queryKey: ['feed.get', business_id, feed_id] })
      await navigate({
        to: '/$business/feeds/$feed',
        params: { business: business_id, feed: feed_id },
        search: { tab: 'start' },
      })
    },
  })
  const fault = faultOf(save.error)
  const at = language === undefined ? 'content' : `content.translations.${language}`
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n): [string, string] => [
      `${from + n}`,
      `${from + n}`,
    ])
  return (
    <Body>
      <Card title={w.rule}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label={w.name}
            value={fields.name}
            onChange={({ target }) => set({ name: target.value })}
            fault={fault('name')}
          />
          <Input
            label={w.url}
            hint={w.urlHint}
            value={fields.url}
            onChange={({ target }) => set({ url: target.value })}
            fault={fault('url')}
          />
          <label className="flex items-start gap-2 sm:col-span-2">
            <input
              type="checkbox"
              className="mt-1 accent-accent"
              checked={isOwnJson}
              onChange={({ target }) => setOwnJson(target.checked)}
            />
            {w.mapping.use}
          </label>
          {isOwnJson && <MappingFields texts={mapping} onChange={setMapping} fault={fault} />}
          <Select
            label={w.every}
            value={fields.every}
            onChange={({ target }) => set({ every: target.value as Every })}
            options={Object.entries(w.everies)}
          />
          {fields.every === 'times' ? (
            <WeekTimes times={fields.times} onChange={(times) => set({ times })} fault={fault} />
          ) : (
            <Input
              label={w.at}
              type="time"
              value={fields.at}
              onChange={({ target }) => set({ at: target.value })}
              fault={fault('at')}
            />
          )}
          <Select
            label={w.topic}
            value={fields.topic}
            onChange={({ target }) => set({ topic: target.value })}
            options={[
              ['', w.noTopic],
              ...(topics?.topics ?? []).map(({ topic, name }): [string, string] => [topic, name]),
            ]}
          />
          <Select
            label={w.segment}
            value={fields.segment}
            onChange={({ target }) => set({ segment: target.value })}
            options={[
              ['', w.everybody],
              ...(segments?.segments ?? []).map(({ segment_id, name }): [string, string] => [
                segment_id,
                name,
              ]),
            ]}
          />
          <Select
            label={w.max}
            value={fields.max}
            onChange={({ target }) => set({ max: target.value })}
            options={numbers(1, 20)}
          />
          <Select
            label={w.take}
            value={fields.take}
            onChange={({ target }) => set({ take: target.value as typeof fields.take })}
            options={Object.entries(w.takes)}
          />
          <Select
            label={w.beginWith}
            value={fields.beginWith}
            onChange={({ target }) => set({ beginWith: target.value })}
            options={numbers(0, 3)}
          />
          <Select
            label={w.approve}
            value={fields.approve}
            onChange={({ target }) => set({ approve: target.value as typeof fields.approve })}
            options={Object.entries(w.approvals)}
          />
        </div>
      </Card>
      <Card title={w.mail}>
        <div className="grid gap-4">
          <Suspense fallback={<Skeleton lines={6} />}>
            <LanguageBar
              channel="email"
              own={first as Translation}
              translations={translations as Record<string, Translation>}
              outdated={[]}
              chosen={language}
              may
              onChoose={setLanguage}
              onCopy={(tag) => {
                setTranslations({ ...translations, [tag]: first })
                setLanguage(tag)
              }}
              onRemove={(tag) => {
                const { [tag]: _gone, ...others } = translations
                setTranslations(others)
                setLanguage(undefined)
              }}
            />
            <WordsField
              kind="line"
              label={w.subject}
              isRequired
              key={`subject ${language}`}
              value={texts.subject}
              onChange={(subject) => write({ subject })}
              fault={fault(`${at}.subject`)}
              may
              ownPaths={['item.title', 'feed.title']}
            />
            <MailCanvas
              key={language ?? ''}
              blocks={texts.blocks ?? blocks}
              onChange={(changed) => write({ blocks: changed })}
              error={save.error}
              may
            />
          </Suspense>
        </div>
      </Card>
      {save.error && <Failure error={save.error} />}
      {feed && feed.started_version !== null && <p className="text-muted">{w.changed}</p>}
      <div className="flex justify-end">
        <Button look="main" icon="check" busy={save.isPending} onClick={() => save.mutate()}>
          {w.save}
        </Button>
      </div>
    </Body>
  )
}

const sent = ({ subject, blocks }: Texts) => ({
  subject,
  blocks: blocks as object[] as SentBlock[],
})

/** Null for a language that was there before: the service keeps those that are not named. */
function translationsOf(before: Content | undefined, now: Record<string, Texts>) {
  const removed = Object.keys(before?.translations ?? {}).map((tag) => [tag, null] as const)
  const written = Object.entries(now).map(([tag, texts]) => [tag, sent(texts)] as const)
  const translations = Object.fromEntries<ReturnType<typeof sent> | null>([...removed, ...written])
  return Object.keys(translations).length > 0 && { translations }
}
