/** Duplicate, take back, pause, resume, cancel: visible as long as they are possible. */
import { CrierError } from '@crier-mail/sdk/session'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { Duplicate, SendAgain } from './duplicate.tsx'

type Act = 'pause' | 'resume' | 'cancel'

/** Makes it a draft again, as long as nobody was sent anything. */
export function useUnschedule(campaign: WholeCampaign) {
  const business_id = useBusinessId()
  const client = useQueryClient()
  const { campaign_id } = campaign
  const { run } = campaignWords
  const queryKey = ['campaign.get', business_id, campaign_id]
  return useMutation({
    mutationFn: async () => {
      const draft = await api.campaign.unschedule({ business_id, campaign_id })
      client.setQueryData(queryKey, { ...campaign, ...draft })
      client.removeQueries({ queryKey: ['campaign.progress', business_id, campaign_id] })
    },
    onSuccess: () => tell(run.undone),
    onError: (error) => {
      // It has begun since the page was read, which now shows what is still possible.
      void client.invalidateQueries({ queryKey })
      if (error instanceof CrierError && error.code === 'conflict') {
        tellFailure(run.tooLate, run.tooLateText)
      } else tellFailure(run.failed, problemOf(error).message)
    },
  })
}

export function Controls({ campaign }: { campaign: WholeCampaign }) {
  const business_id = useBusinessId()
  const may = useMay('admin')
  const [cancelling, setCancelling] = useState(false)
  const { campaign_id, possible } = campaign
  const { run } = campaignWords
  const work = useMutation({
    mutationFn: (act: Act): Promise<unknown> => api.campaign[act]({ business_id, campaign_id }),
    onSuccess: (_answer, act) => tell(run.acted[act] ?? run.done, { about: campaign_id }),
    onError: (error) => tellFailure(run.failed, problemOf(error).message),
    onSettled: () => setCancelling(false),
  })
  const undo = useUnschedule(campaign)
  // The service names tools as assistants call them, such as svc.v1.campaign.pause.
  const can = (act: Act | 'unschedule') =>
    may && possible.some((tool) => tool.endsWith(`.campaign.${act}`))
  if (campaign.status === 'draft') return <Duplicate campaign={campaign} />
  return (
    <>
      <SendAgain campaign={campaign} />
      <Duplicate campaign={campaign} />
      {/* A scheduled one has it beside its time. */}
      {campaign.status !== 'scheduled' && can('unschedule') && (
        <Button busy={undo.isPending} onClick={() => undo.mutate()}>
          {run.backToDraft}
        </Button>
      )}
      {can('cancel') && (
        <Button look="quiet" onClick={() => setCancelling(true)} className="max-sm:hidden">
          {run.cancel}
        </Button>
      )}
      {can('pause') && (
        <Button icon="pause" busy={work.isPending} onClick={() => work.mutate('pause')}>
          {run.pause}
        </Button>
      )}
      {can('resume') && (
        <Button look="main" icon="play" busy={work.isPending} onClick={() => work.mutate('resume')}>
          {run.resume}
        </Button>
      )}
      <Dialog
        open={cancelling}
        onClose={() => setCancelling(false)}
        title={run.cancel}
        description={run.cancelText}
      >
        <DialogActions>
          <Button onClick={() => setCancelling(false)}>{words.back}</Button>
          <Button look="danger" busy={work.isPending} onClick={() => work.mutate('cancel')}>
            {run.cancel}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
