/** A campaign as it is stored, with its footer: for invented people or one contact. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { FillingFields } from '../../parts/content/filling-fields.tsx'
import { PreviewCard } from '../../parts/content/preview-card.tsx'
import { type Filling, ordinary } from '../../parts/content/use-preview.ts'
import { languageName } from '../../parts/recipient-languages.ts'
import { Select } from '../../ui/field.tsx'
import { campaignWords } from '../../words/campaigns.ts'
import { letterOf } from './ab-test/letter.ts'
import type { WholeCampaign } from './campaign.tsx'

interface MailPreviewProps {
  campaign: Pick<WholeCampaign, 'campaign_id' | 'channel' | 'variants'>
  /** A change of this value reads it anew. */
  version: string
  /** The tag of a translation, which a test would send too; empty for the first language. */
  language?: string
  onLanguage?: (tag: string) => void
  /** With whose data it is filled in, which a test would send too. */
  filling?: Filling
  onFilling?: (filling: Filling) => void
  isAlone?: boolean
}

export function MailPreview({ campaign, version, isAlone = false, ...chosen }: MailPreviewProps) {
  const [ownLanguage, setOwnLanguage] = useState('')
  const { language = ownLanguage, onLanguage = setOwnLanguage } = chosen
  const [variant, setVariant] = useState(0)
  const { campaign_id, channel, variants } = campaign
  const { what } = campaignWords
  const business_id = useBusinessId()
  const [ownFilling, setOwnFilling] = useState(ordinary)
  const { filling = ownFilling, onFilling = setOwnFilling } = chosen
  const translations = Object.keys(variants[0]?.content?.translations ?? {})
  const { data: kind, contact_id } = filling
  const ofVariant = variant > 0 && { variant }
  const asked =
    kind === 'contact'
      ? { data: 'sample' as const, ...ofVariant, ...(contact_id !== undefined && { contact_id }) }
      : { data: kind, ...ofVariant, ...(language !== '' && { language }) }
  const { data, error } = useQuery({
    queryKey: ['campaign.sample', business_id, campaign_id, version, asked],
    queryFn: ({ signal }) =>
      api.campaign.sample({ business_id, campaign_id, ...asked }, { signal }),
  })
  return (
    <PreviewCard channel={channel} shown={data} error={error} isAlone={isAlone}>
      {variants.length > 1 && (
        <Select
          label={what.variant}
          value={String(variant)}
          onChange={({ target }) => setVariant(Number(target.value))}
          options={variants.map((entry): [string, string] => [
            String(entry.variant),
            letterOf(entry.variant),
          ])}
        />
      )}
      {translations.length > 0 && kind !== 'contact' && (
        <Select
          label={what.language}
          value={language}
          onChange={({ target }) => onLanguage(target.value)}
          options={[
            ['', what.firstLanguage],
            ...translations.map((tag): [string, string] => [tag, languageName(tag)]),
          ]}
        />
      )}
      <FillingFields filling={filling} onChange={onFilling} needs={[]} />
    </PreviewCard>
  )
}
