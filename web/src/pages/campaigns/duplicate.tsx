/** Copies a campaign, whatever its state, into a new draft and leads there. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { words } from '../../words/words.ts'

interface DuplicateProps {
  campaign: { campaign_id: string; name: string }
  /** In a list, where the name is needed to tell the buttons apart. */
  inList?: boolean
}

export function Duplicate({ campaign: { campaign_id, name }, inList = false }: DuplicateProps) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const navigate = useNavigate()
  const { run } = words.campaigns
  const work = useMutation({
    mutationFn: () => api.campaign.copy({ business_id, campaign_id }),
    onSuccess: (copy) => {
      tell(run.duplicated)
      return navigate({
        to: '/$business/campaigns/$campaign',
        params: { business: business_id, campaign: copy.campaign_id },
        search: { step: 'what' },
      })
    },
    onError: (error) => tellFailure(run.failed, problemOf(error).message),
  })
  if (!may) return null
  if (inList) {
    return (
      <IconButton
        icon="copy"
        label={run.duplicateOf(name)}
        disabled={work.isPending}
        onClick={() => work.mutate()}
      />
    )
  }
  return (
    <Button look="quiet" icon="copy" busy={work.isPending} onClick={() => work.mutate()}>
      <span className="max-sm:sr-only">{run.duplicate}</span>
    </Button>
  )
}
