/** A new draft from a sentence or two, or from one's own text. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input, Select, TextArea } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { words } from '../../words/words.ts'

export function NewCampaign({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [own, setOwn] = useState(false)
  const [channel, setChannel] = useState<'email' | 'sms'>('email')
  const [brief, setBrief] = useState('')
  const [subject, setSubject] = useState('')
  const { campaigns } = words
  const { make } = campaigns
  const ownContent =
    channel === 'email' ? { subject, blocks: make.firstBlocks } : { text: subject || make.subject }
  const work = useMutation({
    mutationFn: () =>
      api.campaign.generate({
        business_id,
        channel,
        ...(own ? { content: ownContent, name: subject } : { brief }),
      }),
    onSuccess: ({ campaign_id, notes = [] }) => {
      client.setQueryData(['campaign.notes', business_id, campaign_id], notes)
      return navigate({
        to: '/$business/campaigns/$campaign',
        params: { business: business_id, campaign: campaign_id },
        search: { step: 'what' },
      })
    },
  })
  const fault = faultOf(work.error)
  return (
    <Dialog open onClose={onClose} title={make.title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          work.mutate()
        }}
      >
        <Select
          label={campaigns.channel}
          value={channel}
          onChange={({ target }) => setChannel(target.value as typeof channel)}
          options={Object.entries(campaigns.channels)}
        />
        {own ? (
          <Input
            label={channel === 'email' ? make.subject : campaigns.name}
            required
            maxLength={200}
            value={subject}
            onChange={({ target }) => setSubject(target.value)}
            fault={fault('content')}
          />
        ) : (
          <TextArea
            label={make.brief}
            hint={make.briefHint}
            required
            rows={4}
            value={brief}
            onChange={({ target }) => setBrief(target.value)}
            fault={fault('brief')}
          />
        )}
        <Checkbox
          label={make.own}
          checked={own}
          onChange={({ target }) => setOwn(target.checked)}
        />
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {own ? make.start : make.write}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
