/** The content of a draft, which may begin from a template or become one. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import {
  type BodyFormat,
  type Content,
  formatOf,
  inOneFormat,
} from '../../parts/content/content.ts'
import { ContentEditor, type Incoming } from '../../parts/content/content-editor.tsx'
import { FormatSwitch } from '../../parts/content/format-switch.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { contentWords } from '../../words/content.ts'
import type { WholeCampaign } from './campaign.tsx'

const TakeTemplate = lazyPart(() => import('../../parts/content/take-template.tsx'), 'TakeTemplate')
const SaveAsTemplate = lazyPart(
  () => import('../../parts/content/take-template.tsx'),
  'SaveAsTemplate',
)

/** What the writer says about a draft that it has just made, until somebody closes it. */
function WriterNotes({ campaign_id }: { campaign_id: string }) {
  const queryKey = ['campaign.notes', useBusinessId(), campaign_id]
  const client = useQueryClient()
  const { data: notes = [] } = useQuery<string[]>({ queryKey, queryFn: () => [], enabled: false })
  if (notes.length === 0) return null
  return (
    <section className="grid gap-2 rounded-md border border-line bg-sunken p-3 text-sm">
      <h3 className="font-medium">{campaignWords.notes.title}</h3>
      <ul className="list-disc space-y-1 pl-5">
        {notes.map((note) => (
          <li key={note} className="break-words">
            {note}
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => client.setQueryData(queryKey, [])}>
          {campaignWords.notes.close}
        </Button>
      </div>
    </section>
  )
}

export function ContentStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { campaign_id, channel } = campaign
  const stored = (campaign.variants[0]?.content ?? {}) as Content
  const [format, setFormat] = useState<BodyFormat>(() => formatOf(stored))
  const [isTaking, setTaking] = useState(false)
  const [incoming, setIncoming] = useState<Incoming>()
  const [language, setLanguage] = useState<string>()
  const [template, setTemplate] = useState<string>()
  const [asTemplate, setAsTemplate] = useState<Content>()
  return (
    <>
      <WriterNotes campaign_id={campaign_id} />
      {may && (
        <div className="flex flex-wrap items-center gap-2">
          {channel === 'email' && language === undefined && (
            <FormatSwitch format={format} onChange={setFormat} />
          )}
          <Button icon="template" onClick={() => setTaking(true)}>
            {contentWords.fromTemplate}
          </Button>
        </div>
      )}
      <ContentEditor
        key={format}
        title={campaignWords.steps.what}
        draftName={`${business_id} ${campaign_id}`}
        channel={channel}
        format={format}
        version={campaign.version}
        stored={stored}
        saved={campaign.saved}
        outdated={campaign.variants[0]?.outdated ?? []}
        language={language}
        onLanguage={setLanguage}
        within="content."
        save={(content, if_version) =>
          api.campaign.save({
            business_id,
            campaign_id,
            content,
            if_version,
            ...(template && { template_id: template }),
          } as Parameters<typeof api.campaign.save>[0])
        }
        savedText={campaignWords.what.saved}
        goOn={{ label: campaignWords.save, onDone }}
        incoming={incoming}
        onTaken={() => setIncoming(undefined)}
        actions={({ value }) => (
          <Button className="mr-auto" onClick={() => setAsTemplate(inOneFormat(value, format))}>
            {contentWords.asTemplate}
          </Button>
        )}
      />
      <Suspense>
        {isTaking && (
          <TakeTemplate
            channel={channel}
            onClose={() => setTaking(false)}
            onTake={(content, template_id) => {
              setTaking(false)
              setTemplate(template_id)
              setFormat(formatOf(content))
              setIncoming({ content })
            }}
          />
        )}
        {asTemplate && (
          <SaveAsTemplate
            channel={channel}
            content={asTemplate}
            onClose={() => setAsTemplate(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
