/** The content of a draft, which may begin from a template or become one. */
import { lazy, Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { type Content, inOneWay, type Way, wayOf } from '../../parts/content/content.ts'
import { ContentEditor, type Incoming } from '../../parts/content/content-editor.tsx'
import { WaySwitch } from '../../parts/content/way-switch.tsx'
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
  const [way, setWay] = useState<Way>(() => wayOf(stored))
  const [isTaking, setTaking] = useState(false)
  const [incoming, setIncoming] = useState<Incoming>()
  const [asTemplate, setAsTemplate] = useState<Content>()
  return (
    <>
      {may && (
        <div className="flex flex-wrap items-center gap-2">
          {channel === 'email' && <WaySwitch way={way} onChange={setWay} />}
          <Button icon="template" onClick={() => setTaking(true)}>
            {contentWords.fromTemplate}
          </Button>
        </div>
      )}
      <ContentEditor
        key={way}
        title={words.campaigns.steps.what}
        draftName={`${business_id} ${campaign_id}`}
        channel={channel}
        way={way}
        version={campaign.version}
        stored={stored}
        saved={campaign.saved}
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
          <Button className="mr-auto" onClick={() => setAsTemplate(inOneWay(value, way))}>
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
              setWay(wayOf(content))
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
