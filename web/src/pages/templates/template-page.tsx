/** One template: its content beside its preview, its versions, and a test. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { type BodyFormat, type Content, formatOf } from '../../parts/content/content.ts'
import { ContentEditor, type Incoming } from '../../parts/content/content-editor.tsx'
import { FormatSwitch } from '../../parts/content/format-switch.tsx'
import { type Filling, variablesOf } from '../../parts/content/use-preview.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { TagChip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Body, Page } from '../../ui/page.tsx'
import { Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { contactWords } from '../../words/contacts.ts'
import { contentWords } from '../../words/content.ts'
import { templateWords } from '../../words/lists.ts'
import type { Template } from './templates.tsx'

const Versions = lazyPart(() => import('./versions.tsx'), 'Versions')
const Results = lazyPart(() => import('./results.tsx'), 'Results')
const KeyAndTags = lazyPart(() => import('./key-and-tags.tsx'), 'KeyAndTags')

export function TemplatePage() {
  const business_id = useBusinessId()
  const { template: template_id } = useParams({ from: '/$business/templates/$template' })
  const { automation } = useSearch({ from: '/$business/templates/$template' })
  const { data, error, refetch } = useQuery({
    queryKey: ['template.list', business_id, template_id],
    queryFn: ({ signal }) => api.template.list({ business_id, template_id }, { signal }),
    // Somebody else may be changing it as well.
    refetchInterval: unlessTold(15_000),
  })
  const template = data?.templates[0]
  return (
    <Page
      title={<bdi>{template?.name ?? templateWords.title}</bdi>}
      actions={
        <>
          {automation !== undefined && (
            <Link
              to="/$business/automations/$automation"
              params={{ business: business_id, automation }}
              className="text-link hover:underline"
            >
              {templateWords.toAutomation}
            </Link>
          )}
          <Link
            to="/$business/templates"
            params={{ business: business_id }}
            className="text-link hover:underline"
          >
            {templateWords.all}
          </Link>
          {template && <ForDevelopers value={template} id={template_id} />}
        </>
      }
    >
      <Body>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!template && !error && <Skeleton lines={9} />}
        {template && <Editor key={template_id} template={template} />}
      </Body>
    </Page>
  )
}

interface EditorProps {
  template: Template
}

function Editor({ template }: EditorProps) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { template_id, channel, version, name } = template
  const source = (template.source ?? {}) as Content
  const [format, setFormat] = useState<BodyFormat>(() => formatOf(source))
  const [opened, setOpened] = useState<'versions' | 'results' | 'details'>()
  const close = () => setOpened(undefined)
  const [incoming, setIncoming] = useState<Incoming>()
  const [language, setLanguage] = useState<string>()
  const w = contentWords
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {may && channel === 'email' && language === undefined && (
          <FormatSwitch format={format} onChange={setFormat} />
        )}
        <Button icon="clock" onClick={() => setOpened('versions')}>
          {w.versions.title}
        </Button>
        <Button icon="usage" onClick={() => setOpened('results')}>
          {templateWords.results.title}
        </Button>
        {may && (
          <Button icon="tag" onClick={() => setOpened('details')}>
            {templateWords.details.title}
          </Button>
        )}
        {may && <UseInCampaign template={template} />}
        {template.tags.map((tag) => (
          <TagChip key={tag}>{tag}</TagChip>
        ))}
      </div>
      <ContentEditor
        key={format}
        title={contactWords.channel[channel]}
        draftName={`template ${business_id} ${template_id}`}
        channel={channel}
        format={format}
        version={version}
        stored={{ name, ...source }}
        saved={template.saved}
        outdated={template.outdated ?? []}
        language={language}
        onLanguage={setLanguage}
        save={(changed, if_version) =>
          api.template.save({ business_id, template_id, ...changed, if_version } as Parameters<
            typeof api.template.save
          >[0])
        }
        savedText={w.saved}
        incoming={incoming}
        onTaken={() => setIncoming(undefined)}
        actions={({ isChanged, filling }) =>
          channel === 'email' && (
            <TestToMe {...{ template_id, isChanged, filling, language, source }} />
          )
        }
      />
      <Transactional template={template} />
      <Suspense>
        {opened === 'results' && <Results template_id={template_id} onClose={close} />}
        {opened === 'details' && <KeyAndTags template={template} onClose={close} />}
        {opened === 'versions' && (
          <Versions
            template={template}
            onClose={close}
            onRestore={(content) => {
              close()
              setFormat(formatOf(content))
              setIncoming({ content })
              tell(w.versions.restored)
            }}
          />
        )}
      </Suspense>
    </>
  )
}

/** A new draft with its content, which counts among its results. */
function UseInCampaign({ template: { template_id, channel, name } }: EditorProps) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const make = useMutation({
    mutationFn: () => api.campaign.generate({ business_id, template_id, channel, name }),
    onSuccess: ({ campaign_id }) =>
      navigate({
        to: '/$business/campaigns/$campaign',
        params: { business: business_id, campaign: campaign_id },
        search: { step: 'what' },
      }),
    onError: (error) => tellFailure(templateWords.useFailed, problemOf(error).message),
  })
  return (
    <Button icon="campaign" busy={make.isPending} onClick={() => make.mutate()}>
      {templateWords.use}
    </Button>
  )
}

/** A person's word that people asked for what the template says. */
function Transactional({ template: { template_id, version, transactional } }: EditorProps) {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const client = useQueryClient()
  const w = contentWords.transactional
  const mark = useMutation({
    mutationFn: (wanted: boolean) =>
      api.template.mark({ business_id, template_id, transactional: wanted, version }),
    onSuccess: (_answer, wanted) => tell(wanted ? w.marked : w.unmarked),
    onError: (error) => tellFailure(w.failed, problemOf(error).message),
    onSettled: () => client.invalidateQueries({ queryKey: ['template.list', business_id] }),
  })
  return (
    <Checkbox
      label={w.label}
      hint={w.hint}
      checked={transactional}
      disabled={!may || mark.isPending}
      onChange={({ target }) => mark.mutate(target.checked)}
    />
  )
}

interface TestProps {
  template_id: string
  isChanged: boolean
  filling: Filling
  /** The tag of the translation that is edited. */
  language: string | undefined
  source: Content
}

/** A language that no translation has: the mail is that of the first language. */
const noLanguage = 'und'

/** Sends the saved template to the person, with the values of the preview. */
function TestToMe({ template_id, isChanged, filling, language, source }: TestProps) {
  const business_id = useBusinessId()
  const w = contentWords
  const send = useMutation({
    mutationFn: async () => {
      const { members } = await api.member.list({ business_id, limit: 200 })
      const me = members.find(({ is_you }) => is_you)
      const { templates } = await api.template.list({ business_id, template_id })
      const needs = templates[0]?.needs ?? []
      // As in the preview, a name stands for a value that nobody gave.
      const given = needs.map((name) => [name, filling.variables[name] ?? name.split('.').at(-1)])
      return api.email.send({
        business_id,
        to: me?.email ?? '',
        template_id,
        variables: variablesOf(Object.fromEntries(given) as Record<string, string>),
        allow_duplicate: true,
        // Otherwise it would be in the language of the contact with the person's address.
        ...(source.translations && { language: language ?? noLanguage }),
      })
    },
    onSuccess: () => tell(w.testSent),
    onError: (error) => tellFailure(w.testFailed, problemOf(error).message),
  })
  return (
    <Button
      busy={send.isPending}
      disabled={isChanged}
      title={isChanged ? w.testFirstSave : undefined}
      className="mr-auto"
      onClick={() => send.mutate()}
    >
      {w.test}
    </Button>
  )
}
