/** The fields of a step that tells members or a webhook. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { automationWords } from '../../words/automations.ts'
import type { StepProps } from './steps-editor.tsx'

interface Notify {
  members?: string[]
  webhook_id?: string
  note?: string
}

export function NotifyFields({ step, path, faults, onChange }: StepProps) {
  const business_id = useBusinessId()
  const maySeeWebhooks = useMay('admin')
  const w = automationWords
  const { members = [], webhook_id = '', note = '' } = step['notify'] as Notify
  const people = useQuery({
    queryKey: ['member.list', business_id, 'names'],
    queryFn: () => api.member.list({ business_id, limit: 200 }),
    staleTime: 30_000,
  })
  const hooks = useQuery({
    queryKey: ['webhook.list', business_id, 'notified'],
    queryFn: () => api.webhook.list({ business_id, limit: 100 }),
    enabled: maySeeWebhooks,
    staleTime: 30_000,
  })
  const set = (part: Notify) => {
    const next = { members, webhook_id, note, ...part }
    onChange({
      notify: {
        ...(next.members.length > 0 && { members: next.members }),
        ...(next.webhook_id !== '' && { webhook_id: next.webhook_id }),
        ...(next.note !== '' && { note: next.note }),
      },
    })
  }
  const choices = [
    ['owner', w.everyOwner] as const,
    ['admin', w.everyAdmin] as const,
    ...(people.data?.members.map(({ user_id, email }) => [user_id, email] as const) ?? []),
  ]
  const named = hooks.data?.webhooks.filter(
    ({ webhook_id: id, events }) =>
      id === webhook_id || events.includes('sequence.notified') || events.includes('sequence.*'),
  )
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-1.5">
        <legend className="pb-1 text-sm font-medium">{w.tellMembers}</legend>
        {choices.map(([value, name]) => (
          <Checkbox
            key={value}
            label={name}
            checked={members.includes(value)}
            aria-invalid={faults.has(path) || undefined}
            onChange={({ target }) =>
              set({
                members: target.checked
                  ? [...members, value]
                  : members.filter((member) => member !== value),
              })
            }
          />
        ))}
      </fieldset>
      <Input
        label={w.note}
        hint={w.noteHint}
        maxLength={200}
        value={note}
        onChange={({ target }) => set({ note: target.value })}
      />
      {named && (named.length > 0 || webhook_id !== '') && (
        <Select
          label={w.tellWebhook}
          value={webhook_id}
          onChange={({ target }) => set({ webhook_id: target.value })}
          options={[
            ['', w.noWebhook],
            ...named.map((hook) => [hook.webhook_id, hook.url] as const),
          ]}
        />
      )}
    </div>
  )
}
