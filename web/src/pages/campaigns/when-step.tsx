import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusiness, useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { StaysHere } from '../../parts/stays-here.tsx'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { language, number, words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { usePlan } from './check-step.tsx'

export function WhenStep({ campaign }: { campaign: WholeCampaign }) {
  const business_id = useBusinessId()
  const role = useBusiness()?.role ?? ''
  const may = useMay('admin')
  const client = useQueryClient()
  const plan = usePlan(campaign)
  const settings = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  const [isLater, setLater] = useState(false)
  const [at, setAt] = useState('')
  const { when, steps } = words.campaigns
  const deploy = useMutation({
    mutationFn: async () => {
      const answer = await api.campaign.deploy({
        business_id,
        campaign_id: campaign.campaign_id,
        ...(plan.data && { plan_hash: plan.data.plan_hash }),
        ...(isLater && { send_at: `${at}:00` }),
      })
      // A campaign that is under way has no plan, so the plan is not fetched again.
      const { status } = answer
      client.setQueryData(['campaign.get', business_id, campaign.campaign_id], {
        ...campaign,
        status,
      })
      client.removeQueries({ queryKey: ['campaign.preview', business_id, campaign.campaign_id] })
      return answer
    },
    onSuccess: ({ status, schedule }) => {
      if (status === 'awaiting_approval') tell(when.approval)
      else if (status === 'scheduled') tell(when.scheduled(clockText(schedule?.at ?? at)))
      else tell(when.sent)
    },
    // The plan shows changes made since then.
    onError: () => void plan.refetch(),
  })
  if (plan.error) return <Failure error={plan.error} onRetry={() => void plan.refetch()} />
  if (!plan.data) return <Skeleton />
  const isBlocked = plan.data.gates.some(({ result }) => result === 'block')
  const count = number(plan.data.recipients)
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        deploy.mutate()
      }}
    >
      <Card title={steps.when}>
        <div className="grid gap-4">
          <fieldset className="grid gap-2">
            <legend className="sr-only">{steps.when}</legend>
            {([false, true] as const).map((later) => (
              <label key={String(later)} className="flex items-center gap-2 max-sm:py-1">
                <input
                  type="radio"
                  name="later"
                  className="size-3.5 accent-accent"
                  checked={isLater === later}
                  onChange={() => setLater(later)}
                />
                {later ? when.later : when.now}
              </label>
            ))}
          </fieldset>
          {isLater && (
            <div className="max-w-64">
              <Input
                label={when.at}
                type="datetime-local"
                required
                min={settings.data && clockIn(settings.data.time_zone)}
                value={at}
                onChange={({ target }) => setAt(target.value)}
                hint={settings.data && when.zone(settings.data.time_zone)}
                fault={faultOf(deploy.error)('send_at')}
              />
            </div>
          )}
        </div>
      </Card>
      <StaysHere channel={campaign.channel} />
      {isBlocked && (
        <p className="flex items-center gap-2">
          <Icon name="error" className="text-bad" />
          {when.blocked}
        </p>
      )}
      {deploy.error && <Failure error={deploy.error} />}
      {may ? (
        <div className="flex justify-end">
          <Button look="main" type="submit" busy={deploy.isPending} disabled={isBlocked}>
            {isLater ? when.schedule(count) : when.send(count)}
          </Button>
        </div>
      ) : (
        <p className="text-muted">{words.onlyRole(words.role[role] ?? role)}</p>
      )}
    </form>
  )
}

/** What the clocks of the zone show now, as the field takes it: the earliest time to choose. */
function clockIn(timeZone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return format.format(new Date()).replace(' ', 'T')
}

/** A time as its own clocks show it, whatever the zone of the reader. */
const clockText = (at: string) =>
  new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(new Date(`${at.slice(0, 16)}Z`))
