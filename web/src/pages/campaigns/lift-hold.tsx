/** Ends early what a campaign waits for at one provider, after a warning. */
import { useMutation } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { ago, words } from '../../words/words.ts'

export interface HeldProvider {
  provider: string
  name: string
  until: string
}

interface LiftHoldProps {
  campaignId: string
  held: HeldProvider
  onClose: () => void
}

export function LiftHold({ campaignId: campaign_id, held, onClose }: LiftHoldProps) {
  const business_id = useBusinessId()
  const { byProvider } = campaignWords.results
  const { provider, name, until } = held
  const work = useMutation({
    mutationFn: () => api.campaign.lift_hold({ business_id, campaign_id, provider }),
    onSuccess: ({ messages }) => {
      tell(byProvider.lifted(messages))
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={byProvider.liftTitle(name)}
      description={byProvider.liftText(ago(until))}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {byProvider.lift}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
