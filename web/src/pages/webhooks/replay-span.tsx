import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Failure, faultOf } from '../../ui/states.tsx'
import { webhookWords } from '../../words/lists.ts'
import { number, words } from '../../words/words.ts'
import type { Webhook } from './webhooks.tsx'

type Replay = NonNullable<Parameters<typeof api.webhook.replay>[0]>
const outcomes = ['both', 'undelivered', 'delivered'] as const
type Outcome = (typeof outcomes)[number]

/** Sends what happened in a span of time again, by type and by whether it was delivered. */
export function ReplaySpan({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const business_id = useBusinessId()
  const { span } = webhookWords
  const [since, setSince] = useState('')
  const [until, setUntil] = useState('')
  const [outcome, setOutcome] = useState<Outcome>('both')
  const [type, setType] = useState('')
  const { webhook_id, events } = webhook
  const work = useMutation({
    mutationFn: (cursor: string | undefined) =>
      api.webhook.replay({
        business_id,
        webhook_id,
        // Without either, it would be every dead letter of the webhook.
        since: since === '' ? monthAgo() : momentOf(since),
        ...(until !== '' && { until: momentOf(until) }),
        ...(outcome !== 'both' && { outcome }),
        ...(type !== '' && { types: [type] as Replay['types'] & object }),
        ...(cursor !== undefined && { cursor }),
      }),
  })
  const fault = faultOf(work.error)
  const next = work.data?.next_cursor ?? undefined
  const change = (set: (value: string) => void) => (value: string) => {
    work.reset()
    set(value)
  }
  const single = events.filter((event) => !event.endsWith('.*'))
  return (
    <Dialog open onClose={onClose} title={span.title} description={span.text}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          work.mutate(next)
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Input
            label={span.since}
            type="datetime-local"
            value={since}
            onChange={({ target }) => change(setSince)(target.value)}
            fault={fault('since')}
          />
          <Input
            label={span.until}
            type="datetime-local"
            value={until}
            onChange={({ target }) => change(setUntil)(target.value)}
            fault={fault('until')}
          />
        </div>
        <Select
          label={span.outcome}
          options={outcomes.map((word) => [word, span.outcomes[word]] as const)}
          value={outcome}
          onChange={({ target }) => change((word) => setOutcome(word as Outcome))(target.value)}
        />
        <Select
          label={span.types}
          options={[['', span.everyType], ...single.map((word) => [word, word] as const)]}
          value={type}
          onChange={({ target }) => change(setType)(target.value)}
          fault={fault('types')}
        />
        {work.data && (
          <p role="status">
            {work.data.replaying === 0 ? span.none : span.done(number(work.data.replaying))}{' '}
            {next !== undefined && span.more}
          </p>
        )}
        {work.error && <Failure error={work.error} />}
        <DialogActions>
          <Button onClick={onClose}>{work.data ? words.close : words.cancel}</Button>
          {(!work.data || next !== undefined) && (
            <Button look="main" type="submit" busy={work.isPending}>
              {next === undefined ? span.go : span.goOn}
            </Button>
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The field has no zone: it is the browser's. */
const momentOf = (text: string) => new Date(text).toISOString()

/** Events are kept that long. */
const monthAgo = () => new Date(Date.now() - 30 * 86_400_000).toISOString()
