/** What a business writes about, and people choose or leave: in the order in which they see it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { languages } from '../../parts/recipient-languages.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Body, Card, Page } from '../../ui/page.tsx'
import { Empty, Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { topicWords } from '../../words/lists.ts'
import { language } from '../../words/texts.ts'
import { number, words } from '../../words/words.ts'

type Topic = Awaited<ReturnType<typeof api.topic.list>>['topics'][number]

export function Topics() {
  const business_id = useBusinessId()
  const mayEdit = useMay('editor')
  const [edited, edit] = useState<Topic | 'new'>()
  const { data, error, refetch } = useQuery({
    queryKey: ['topic.list', business_id, 'counts'],
    queryFn: ({ signal }) => api.topic.list({ business_id, counts: true }, { signal }),
  })
  const topics = data?.topics ?? []
  const offered = topics.filter(({ archived }) => !archived)
  const archived = topics.filter((topic) => topic.archived)
  const add = mayEdit && (
    <Button look="main" onClick={() => edit('new')}>
      {topicWords.add}
    </Button>
  )
  return (
    <Page title={topicWords.title} actions={add}>
      <Body narrow>
        <p className="text-muted">{topicWords.about}</p>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={5} />}
        {data && topics.length === 0 && <Empty icon="segment">{topicWords.empty}</Empty>}
        {offered.length > 0 && (
          <Card title={topicWords.offered} flush>
            <TopicRows topics={offered} all={topics} onEdit={mayEdit ? edit : undefined} />
          </Card>
        )}
        {archived.length > 0 && (
          <Card title={topicWords.archived} flush>
            <TopicRows topics={archived} all={topics} onEdit={mayEdit ? edit : undefined} />
          </Card>
        )}
      </Body>
      {edited && (
        <EditTopic
          topic={edited === 'new' ? undefined : edited}
          keys={topics.map(({ topic }) => topic)}
          onClose={() => edit(undefined)}
        />
      )}
    </Page>
  )
}

type SavedTopic = Parameters<typeof api.topic.save>[0]

/** Saves a topic, and shows the list as it is then. */
function useSaveTopic(onDone?: () => void) {
  const business_id = useBusinessId()
  return useMutation({
    mutationFn: (saved: Omit<SavedTopic, 'business_id'>) =>
      api.topic.save({ business_id, ...saved }),
    onSuccess: () => onDone?.(),
  })
}

interface TopicRowsProps {
  topics: readonly Topic[]
  /** With those that the other list has. */
  all: readonly Topic[]
  /** Undefined for members who may only look. */
  onEdit: ((topic: Topic) => void) | undefined
}

function TopicRows({ topics, all, onEdit }: TopicRowsProps) {
  const save = useSaveTopic()
  /** A topic takes the place of the one before or after it in the same list. */
  const move = (topic: Topic, by: 1 | -1) => {
    const other = topics[topics.indexOf(topic) + by]
    if (other) save.mutate({ topic: topic.topic, position: all.indexOf(other) + 1 })
  }
  return (
    <>
      {save.error && <Failure error={save.error} />}
      <ul className="divide-y divide-line">
        {topics.map((topic, i) => (
          <li key={topic.topic} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
            <div className="min-w-0 flex-1 basis-48">
              <p className="truncate font-medium">
                <bdi>{topic.name}</bdi>
              </p>
              {topic.description !== null && (
                <p className="text-sm text-muted">
                  <bdi>{topic.description}</bdi>
                </p>
              )}
              <Counts topic={topic} />
            </div>
            {onEdit && (
              <div className="flex items-center gap-1">
                {!topic.archived && (
                  <>
                    <IconButton
                      icon="up"
                      label={topicWords.moveUp(topic.name)}
                      disabled={i === 0 || save.isPending}
                      onClick={() => move(topic, -1)}
                    />
                    <IconButton
                      icon="down"
                      label={topicWords.moveDown(topic.name)}
                      disabled={i === topics.length - 1 || save.isPending}
                      onClick={() => move(topic, 1)}
                    />
                  </>
                )}
                <Button onClick={() => onEdit(topic)}>{words.edit}</Button>
                <Button
                  disabled={save.isPending}
                  onClick={() => save.mutate({ topic: topic.topic, archived: !topic.archived })}
                >
                  {topic.archived ? topicWords.offerAgain : topicWords.archive}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function Counts({ topic: { chosen_by, left_by } }: { topic: Topic }) {
  if (!chosen_by || !left_by) return null
  const { email, sms } = chosen_by
  const gone = left_by.email + left_by.sms
  return (
    <p className="text-sm text-muted">
      {[
        topicWords.byEmail(number(email)),
        ...(sms > 0 ? [topicWords.bySms(number(sms))] : []),
        ...(gone > 0 ? [topicWords.left(number(gone))] : []),
      ].join(' · ')}
    </p>
  )
}

interface EditTopicProps {
  /** Undefined for a new one. */
  topic: Topic | undefined
  keys: readonly string[]
  onClose: () => void
}

function EditTopic({ topic, keys, onClose }: EditTopicProps) {
  const [name, setName] = useState(topic?.name ?? '')
  const [description, setDescription] = useState(topic?.description ?? '')
  const [translations, setTranslations] = useState<Translations>(() => translationsOf(topic))
  const save = useSaveTopic(onClose)
  const fault = faultOf(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ topic: topic?.topic ?? newKey(name, keys), name, description, translations })
  }
  return (
    <Dialog open onClose={onClose} title={topic ? topicWords.edit : topicWords.add}>
      <form className="grid gap-4" onSubmit={submit}>
        <Input
          label={topicWords.name}
          hint={topicWords.nameHint}
          required
          maxLength={60}
          value={name}
          onChange={({ target }) => setName(target.value)}
          fault={fault('name') ?? fault('topic')}
        />
        <Input
          label={topicWords.description}
          hint={topicWords.descriptionHint}
          maxLength={200}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
          fault={fault('description')}
        />
        <Translated {...{ translations, fault }} onChange={setTranslations} />
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="main" busy={save.isPending}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type Translations = NonNullable<SavedTopic['translations']>
type Translation = Translations[number]

const translationsOf = (topic: Topic | undefined): Translations =>
  (topic?.translations ?? []).map(({ description, ...translation }) => {
    return { ...translation, description: description ?? '' }
  })

interface TranslatedProps {
  translations: Translations
  onChange: (translations: Translations) => void
  fault: (field: string) => string | undefined
}

/** The words for people whose pages are in another language than the business's. */
function Translated({ translations, onChange, fault }: TranslatedProps) {
  const taken = new Set<string>(translations.map(({ language }) => language))
  const others = languages.filter(([tag]) => !taken.has(tag))
  const next = others.find(([tag]) => tag === language) ?? others[0]
  const change = (place: number, part: Partial<Translation>) =>
    onChange(translations.map((entry, i) => (i === place ? { ...entry, ...part } : entry)))
  return (
    <>
      {translations.map(({ language: tag, name, description = '' }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the language of a place changes while it has the focus.
        <fieldset key={place} className="grid gap-3 border-t border-line pt-4">
          <legend className="sr-only">{nameOf(tag)}</legend>
          <div className="flex items-end gap-2">
            <div className="flex-1">
              <Select
                label={topicWords.language}
                options={languages.filter(([other]) => other === tag || !taken.has(other))}
                value={tag}
                onChange={({ target }) =>
                  change(place, { language: target.value as Translation['language'] })
                }
              />
            </div>
            <IconButton
              icon="close"
              label={topicWords.removeLanguage(nameOf(tag))}
              onClick={() => onChange(translations.filter((_, i) => i !== place))}
            />
          </div>
          <Input
            label={topicWords.name}
            required
            maxLength={60}
            lang={tag}
            value={name}
            onChange={({ target }) => change(place, { name: target.value })}
            fault={fault(`translations[${place}].name`)}
          />
          <Input
            label={topicWords.description}
            maxLength={200}
            lang={tag}
            value={description}
            onChange={({ target }) => change(place, { description: target.value })}
            fault={fault(`translations[${place}].description`)}
          />
        </fieldset>
      ))}
      {next && (
        <div>
          <Button
            icon="plus"
            onClick={() =>
              onChange([
                ...translations,
                { language: next[0] as Translation['language'], name: '', description: '' },
              ])
            }
          >
            {topicWords.addLanguage}
          </Button>
        </div>
      )}
    </>
  )
}

/** In the language of the app, for the names of buttons and groups. */
const nameOf = (tag: string) =>
  new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' }).of(tag) ??
  tag

const longestKey = 32

/** A key that no topic has, made of the name: `Neues & Angebote` gives `neues-angebote`. */
function newKey(name: string, keys: readonly string[]): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, longestKey - 4)
  const key = letters === '' ? 'topic' : letters
  for (let n = 1; ; n++) {
    const tried = n === 1 ? key : `${key}-${n}`
    if (!keys.includes(tried)) return tried
  }
}
