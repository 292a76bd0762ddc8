/** The content of a draft, which may begin from a template or become one. */
import { lazy, Suspense, useState } from 'react'
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
import { contentWords } from '../../words/content-words.ts'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'

const TakeTemplate = lazy(async () => ({
  default: (await import('../../parts/content/take-template.tsx')).TakeTemplate,
}))
const SaveAsTemplate = lazy(async () => ({
  default: (await import('../../parts/content/take-template.tsx')).SaveAsTemplate,
}))

export function ContentStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { campaign_id, channel } = campaign
  const stored = (campaign.variants[0]?.content ?? {}) as Content
  const [format, setFormat] = useState<BodyFormat>(() => formatOf(stored))
  const [isTaking, setTaking] = useState(false)
  const [incoming, setIncoming] = useState<Incoming>()
  const [language, setLanguage] = useState<string>()
  const [asTemplate, setAsTemplate] = useState<Content>()
  return (
    <>
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
        title={words.campaigns.steps.what}
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
          api.campaign.save({ business_id, campaign_id, content, if_version } as Parameters<
            typeof api.campaign.save
          >[0])
        }
        savedText={words.campaigns.what.saved}
        goOn={{ label: words.campaigns.save, onDone }}
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
            onTake={(content) => {
              setTaking(false)
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
