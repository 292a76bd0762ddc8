import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Code, CopyButton } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { webhookWords } from '../../words/lists.ts'
import { words } from '../../words/words.ts'
import type { Webhook } from './webhooks.tsx'

type EventType = NonNullable<Parameters<typeof api.webhook.save>[0]>['events']

/** Of `message.sent`: `message.*`, which stands for all of them, also those of later versions. */
const groupOf = (type: string) => `${type.split('.')[0]}.*`

/** Adds a webhook, which shows its secret this once, or changes one. */
export function WebhookForm({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const business_id = useBusinessId()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? ['form.submitted'])
  const [tags, setTags] = useState(webhook?.filter?.tags?.join(', ') ?? '')
  const [template, setTemplate] = useState(webhook?.filter?.template_id ?? '')
  const webhooks = webhookWords
  const capabilities = useQuery({
    queryKey: ['meta.capabilities', business_id],
    queryFn: ({ signal }) => api.meta.capabilities({ business_id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const templates = useQuery({
    queryKey: ['template.list', business_id, 'all'],
    queryFn: ({ signal }) => api.template.list({ business_id, limit: 100 }, { signal }),
  })
  const tagList = tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  const filter = {
    ...(tagList.length > 0 && { tags: tagList }),
    ...(template !== '' && { template_id: template }),
  }
  const isFiltered = Object.keys(filter).length > 0
  const save = useMutation({
    mutationFn: () =>
      api.webhook.save({
        business_id,
        ...(webhook && { webhook_id: webhook.webhook_id }),
        ...(url.trim() !== webhook?.url && { url: url.trim() }),
        events: [...events] as EventType & object,
        ...((webhook !== undefined || isFiltered) && { filter }),
      }),
    onSuccess: () => {
      if (!webhook) return
      tell(words.saved)
      onClose()
    },
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
  const named = templates.data?.templates.map((one) => [one.template_id, one.name] as const) ?? []
  const unnamed = template !== '' && !named.some(([id]) => id === template)
  const title = webhook ? webhooks.edit.title : webhooks.add
  const types = capabilities.data?.events.map(({ type }): string => type) ?? []
  const groups = [...new Set(types.map(groupOf))]
  const fault = faultOf(save.error)
  const toggle = (type: string, on: boolean) =>
    setEvents(on ? [...events, type] : events.filter((entry) => entry !== type))
  return (
    <Dialog open onClose={onClose} title={title}>
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
          fault={fault('url')}
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
        <Input
          label={webhooks.edit.tags}
          hint={webhooks.edit.tagsHint}
          value={tags}
          onChange={({ target }) => setTags(target.value)}
          fault={fault('filter')}
        />
        <Select
          label={webhooks.edit.template}
          options={[
            ['', webhooks.edit.anyTemplate],
            ...named,
            ...(unnamed ? [[template, template] as const] : []),
          ]}
          value={template}
          onChange={({ target }) => setTemplate(target.value)}
        />
        {save.error && <Failure error={save.error} />}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={save.isPending} disabled={events.length === 0}>
            {webhook ? words.save : webhooks.add}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
