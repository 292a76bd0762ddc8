/** Revokes a key, once somebody else holds the webhooks that depend on it, or nobody. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useHolders } from '../../parts/webhooks/holders.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { keyWords } from '../../words/api-keys.ts'
import { webhookWords } from '../../words/lists.ts'
import { words } from '../../words/words.ts'
import type { Key } from './key.ts'

type Webhook = Awaited<ReturnType<typeof api.webhook.list>>['webhooks'][number]

export function RevokeKey({ one, onClose }: { one: Key; onClose: () => void }) {
  const business_id = useBusinessId()
  const apiKeys = keyWords
  const { holders } = webhookWords
  const [chosen, choose] = useState<Readonly<Record<string, string>>>({})
  const dependent = useQuery({
    queryKey: ['webhook.list', business_id, 'of-key', one.key_id],
    queryFn: ({ signal }) => webhooksOf(business_id, one.key_id, signal),
    gcTime: 0,
  })
  const { options, isPending, error } = useHolders(one.key_id)
  const work = useMutation({
    mutationFn: async () => {
      // First, so that the key stays where one cannot be handed over.
      for (const [webhook_id, holder_id] of Object.entries(chosen)) {
        if (holder_id) await api.webhook.hand_over({ business_id, webhook_id, holder_id })
      }
      await api.key.revoke({ business_id, key_id: one.key_id })
    },
    onSuccess: () => {
      tell(apiKeys.revoked)
      onClose()
    },
  })
  const fault = work.error ?? dependent.error ?? error
  const webhooks = dependent.data ?? []
  const isLoading = dependent.isPending || isPending
  return (
    <Dialog
      open
      onClose={onClose}
      title={apiKeys.revoke}
      description={apiKeys.revokeText(one.name)}
    >
      {isLoading && !fault && <Skeleton lines={2} />}
      {webhooks.length > 0 && !isLoading && (
        <fieldset className="grid gap-3">
          <legend className="pb-1 font-medium">{apiKeys.dependent(webhooks.length)}</legend>
          <p className="text-sm text-muted">{apiKeys.dependentText}</p>
          {webhooks.map(({ webhook_id, url }) => (
            <Select
              key={webhook_id}
              label={url}
              options={[['', holders.none], ...options]}
              value={chosen[webhook_id] ?? ''}
              onChange={({ target }) => choose({ ...chosen, [webhook_id]: target.value })}
            />
          ))}
        </fieldset>
      )}
      {fault && <Failure error={fault} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          look="danger"
          busy={work.isPending}
          disabled={isLoading && !fault}
          onClick={() => work.mutate()}
        >
          {apiKeys.revoke}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

async function webhooksOf(
  business_id: string,
  keyId: string,
  signal: AbortSignal,
): Promise<Webhook[]> {
  const heldWebhooks: Webhook[] = []
  let cursor: string | null = null
  do {
    const page = await api.webhook.list(
      { business_id, limit: 100, ...(cursor && { cursor }) },
      { signal },
    )
    heldWebhooks.push(...page.webhooks.filter(({ holder }) => holder?.holder_id === keyId))
    cursor = page.next_cursor
  } while (cursor)
  return heldWebhooks
}
