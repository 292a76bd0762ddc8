/** The first step where nothing was sent yet: the dialog for a new campaign, from another page. */
import { Link } from '@tanstack/react-router'
import { useBusinessId, useMay } from '../api/businesses.ts'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { campaignWords } from '../words/campaigns.ts'

export function NewCampaignLink() {
  const business = useBusinessId()
  if (!useMay('editor')) return null
  return (
    <Link
      to="/$business/campaigns"
      params={{ business }}
      search={{ add: true }}
      className={buttonClass('main')}
    >
      <Icon name="plus" />
      {campaignWords.create}
    </Link>
  )
}
