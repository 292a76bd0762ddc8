import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Code, CopyButton } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { webhookWords } from '../../words/lists.ts'
import { words } from '../../words/words.ts'

type EventType = NonNullable<Parameters<typeof api.webhook.save>[0]>['events']

/** Of `message.sent`: `message.*`, which stands for all of them, also those of later versions. */
const groupOf = (type: string) => `${type.split('.')[0]}.*`

export function AddWebhook({ onClose }: { onClose: () => void }) {
  const business_id = useBusinessId()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly string[]>(['form.submitted'])
  const webhooks = webhookWords
  const capabilities = useQuery({
    queryKey: ['meta.capabilities', business_id],
    queryFn: ({ signal }) => api.meta.capabilities({ business_id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const save = useMutation({
    mutationFn: () =>
      api.webhook.save({ business_id, url: url.trim(), events: [...events] as EventType & object }),
  })
  const secret = save.data?.signing_secret
  if (secret !== undefined) {
    return (
      <Dialog open onClose={onClose} title={webhooks.secret} description={webhooks.secretAbout}>
        <Code>{secret}</Code>
        <DialogActions>
          <CopyButton text={secret} label={words.copy} />
          <Button look="main" onClick={onClose}>
            {words.close}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  const types = capabilities.data?.events.map(({ type }): string => type) ?? []
  const groups = [...new Set(types.map(groupOf))]
  const toggle = (type: string, on: boolean) =>
    setEvents(on ? [...events, type] : events.filter((entry) => entry !== type))
  return (
    <Dialog open onClose={onClose} title={webhooks.add}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Input
          label={webhooks.url}
          type="url"
          required
          placeholder="https://"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
          fault={faultOf(save.error)('url')}
        />
        <fieldset className="grid gap-1.5 sm:grid-cols-2">
          <legend className="pb-1 text-sm font-medium">{webhooks.events}</legend>
          {groups.map((group) => (
            <Checkbox
              key={group}
              label={webhooks.everyOf(group)}
              checked={events.includes(group)}
              onChange={({ target }) => toggle(group, target.checked)}
            />
          ))}
          {types.map((type) => (
            <Checkbox
              key={type}
              label={type}
              checked={events.includes(type) || events.includes(groupOf(type))}
              disabled={events.includes(groupOf(type))}
              onChange={({ target }) => toggle(type, target.checked)}
            />
          ))}
        </fieldset>
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={save.isPending} disabled={events.length === 0}>
            {webhooks.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
