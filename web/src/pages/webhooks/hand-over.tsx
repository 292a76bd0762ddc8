import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useHolders } from '../../parts/webhooks/holders.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { webhookWords } from '../../words/lists.ts'
import { words } from '../../words/words.ts'
import type { Webhook } from './webhooks.tsx'

/** Lets another key or person hold a webhook. */
export function HandOver({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const business_id = useBusinessId()
  const { holders } = webhookWords
  const [chosen, choose] = useState<string>()
  const { options, isPending, error } = useHolders(webhook.holder?.holder_id)
  const holder_id = chosen ?? options[0]?.[0]
  const work = useMutation({
    mutationFn: (id: string) =>
      api.webhook.hand_over({ business_id, webhook_id: webhook.webhook_id, holder_id: id }),
    onSuccess: () => {
      tell(holders.done)
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={holders.title} description={holders.text}>
      <Select
        label={holders.to}
        options={options}
        disabled={isPending}
        value={holder_id ?? ''}
        onChange={({ target }) => choose(target.value)}
        fault={faultOf(work.error)('holder_id')}
      />
      {(work.error ?? error) && <Failure error={work.error ?? error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          look="main"
          busy={work.isPending}
          disabled={holder_id === undefined}
          onClick={() => holder_id !== undefined && work.mutate(holder_id)}
        >
          {holders.title}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
