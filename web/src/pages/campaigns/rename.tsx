/** Gives a campaign another name; only its people see it. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tellFailure } from '../../ui/tell.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'

export function Rename({ campaign }: { campaign: WholeCampaign }) {
  const { campaign_id, name } = campaign
  const business_id = useBusinessId()
  const may = useMay('editor')
  const [draft, setDraft] = useState<string>()
  const { run } = campaignWords
  const close = () => setDraft(undefined)
  const work = useMutation({
    mutationFn: (chosen: string) => api.campaign.save({ business_id, campaign_id, name: chosen }),
    onSuccess: close,
    onError: (error) => tellFailure(run.failed, problemOf(error).message),
  })
  if (!may) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft?.trim()) work.mutate(draft.trim())
  }
  return (
    <>
      <IconButton icon="pen" label={run.rename} onClick={() => setDraft(name)} />
      <Dialog
        open={draft !== undefined}
        onClose={close}
        title={run.rename}
        description={run.renameText}
      >
        <form onSubmit={submit} className="grid gap-4">
          <Input
            label={campaignWords.name}
            required
            maxLength={200}
            value={draft ?? ''}
            onChange={({ target }) => setDraft(target.value)}
          />
          <DialogActions>
            <Button onClick={close}>{words.back}</Button>
            <Button look="main" type="submit" busy={work.isPending}>
              {run.renameSave}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
