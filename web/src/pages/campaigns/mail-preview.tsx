/** A mail in a frame that runs nothing and loads nothing from elsewhere. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { cx } from '../../ui/classes.ts'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'

type View = 'desktop' | 'phone' | 'plain'

interface MailPreviewProps {
  campaign: Pick<WholeCampaign, 'campaign_id' | 'channel' | 'variants'>
  /** A change of this value reloads the frame. */
  version: string
}

export function MailPreview({ campaign, version }: MailPreviewProps) {
  const { what } = words.campaigns
  const isMail = campaign.channel === 'email'
  const [view, setView] = useState<View>(isMail ? 'desktop' : 'plain')
  const [language, setLanguage] = useState('')
  const translations = Object.keys(campaign.variants[0]?.content?.translations ?? {})
  const query = language === '' ? '' : `?language=${encodeURIComponent(language)}`
  const views: View[] = isMail ? ['desktop', 'phone', 'plain'] : ['plain']
  return (
    <Card
      title={what.preview}
      flush
      actions={
        <span className="flex rounded-md border border-line p-px">
          {views.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={view === one}
              onClick={() => setView(one)}
              className={cx(
                'h-6.5 rounded px-2 text-sm max-sm:h-8',
                view === one ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
              )}
            >
              {what[one]}
            </button>
          ))}
        </span>
      }
    >
      {translations.length > 0 && (
        <div className="p-3">
          <Select
            label={what.language}
            className="w-48!"
            value={language}
            onChange={({ target }) => setLanguage(target.value)}
            options={[
              ['', what.firstLanguage],
              ...translations.map((tag): [string, string] => [tag, tag]),
            ]}
          />
        </div>
      )}
      {view === 'plain' ? (
        <PlainText campaignId={campaign.campaign_id} version={version} language={language} />
      ) : (
        <div className="bg-sunken p-3">
          <iframe
            key={`${version} ${language}`}
            title={what.frame}
            sandbox=""
            src={`/campaigns/${campaign.campaign_id}/sample${query}`}
            className={cx(
              'mx-auto block h-[560px] rounded-lg border border-line bg-[#ffffff] [color-scheme:light]',
              view === 'phone' ? 'w-[375px] max-w-full' : 'w-full',
            )}
          />
        </div>
      )}
    </Card>
  )
}

interface PlainTextProps {
  campaignId: string
  version: string
  language: string
}

function PlainText({ campaignId, version, language }: PlainTextProps) {
  const business_id = useBusinessId()
  const { data, error } = useQuery({
    queryKey: ['campaign.sample', business_id, campaignId, version, language],
    queryFn: ({ signal }) =>
      api.campaign.sample(
        {
          business_id,
          campaign_id: campaignId,
          data: 'sample',
          ...(language !== '' && { language }),
        },
        { signal },
      ),
  })
  if (error) {
    return (
      <div className="p-4">
        <Failure error={error} />
      </div>
    )
  }
  if (!data) return <Skeleton />
  return <pre className="p-4 font-mono text-sm whitespace-pre-wrap">{data.text}</pre>
}
