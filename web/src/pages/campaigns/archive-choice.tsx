/** Whether everybody may see this email in the archive of the business, while it is a draft and later. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Checkbox } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { settingsWords } from '../../words/settings.ts'
import type { WholeCampaign } from './campaign.tsx'

export function ArchiveChoice({ campaign }: { campaign: WholeCampaign }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { campaign_id } = campaign
  const texts = settingsWords.archive
  // Shown at once, before the service has answered.
  const [chosen, setChosen] = useState<boolean>()
  const settings = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  const save = useMutation({
    mutationFn: (archive: boolean) => api.campaign.save({ business_id, campaign_id, archive }),
    onSuccess: ({ archive }) => tell(archive ? texts.chosen : texts.dropped),
    // By then the campaign is read again.
    onSettled: () => setChosen(undefined),
  })
  const archive = settings.data?.archive
  const isShown = campaign.archive && archive?.on && campaign.status === 'completed'
  return (
    <Card title={texts.title}>
      <div className="grid gap-3">
        <Checkbox
          label={texts.choice}
          hint={texts.choiceHint}
          checked={chosen ?? campaign.archive}
          disabled={!may || save.isPending}
          onChange={({ target }) => {
            setChosen(target.checked)
            save.mutate(target.checked)
          }}
        />
        {campaign.archive && archive && !archive.on && (
          <p className="text-sm">
            {texts.off}{' '}
            <Link from="/$business" to="/$business/settings" className="text-link underline">
              {texts.turnOn}
            </Link>
          </p>
        )}
        {isShown && (
          <p>
            <a
              href={`${archive.url}/${campaign_id}`}
              target="_blank"
              rel="noreferrer"
              className="text-link hover:underline"
            >
              {texts.open}
            </a>
          </p>
        )}
        {save.error && <Failure error={save.error} />}
      </div>
    </Card>
  )
}
