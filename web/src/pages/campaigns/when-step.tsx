import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusiness, useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { scheduleText } from '../../parts/schedule-text.ts'
import { StaysHere } from '../../parts/stays-here.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card, Fact, Facts } from '../../ui/page.tsx'
import { Failure, faultOf, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { number, words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { SendAt } from './send-at.tsx'
import { type Plan, usePlan } from './use-plan.ts'

export function WhenStep({ campaign }: { campaign: WholeCampaign }) {
  const business_id = useBusinessId()
  const role = useBusiness()?.role ?? ''
  const may = useMay('admin')
  const client = useQueryClient()
  const plan = usePlan(campaign)
  const [isLater, setLater] = useState(false)
  const [at, setAt] = useState('')
  const [isLocal, setLocal] = useState(false)
  const [isConfirming, setConfirming] = useState(false)
  const { when, steps } = campaignWords
  const { campaign_id } = campaign
  const order = useMutation({
    mutationFn: async () => {
      const planned = { business_id, campaign_id, ...(plan.data && planHashOf(plan.data)) }
      const answer = isLater
        ? await api.campaign.deploy({
            ...planned,
            send_at: `${at}:00`,
            ...(isLocal && { zone: 'recipient' as const }),
          })
        : await api.campaign.send(planned)
      const { status, schedule } = answer
      // A campaign that is under way has no plan, so the plan is not fetched again.
      client.setQueryData(['campaign.get', business_id, campaign_id], {
        ...campaign,
        status,
        schedule,
      })
      client.removeQueries({ queryKey: ['campaign.preview', business_id, campaign_id] })
      client.removeQueries({ queryKey: ['campaign.progress', business_id, campaign_id] })
      return answer
    },
    onSuccess: ({ status, schedule }) => {
      if (status === 'awaiting_approval') tell(when.approval)
      else if (status !== 'scheduled') tell(when.sent)
      // What was sent off shows on its page how long it can be undone.
      else if (isLater && schedule) tell(when.scheduled(scheduleText(schedule)))
    },
    // The plan shows changes made since then.
    onError: () => void plan.refetch(),
  })
  if (plan.error) return <Failure error={plan.error} onRetry={() => void plan.refetch()} />
  if (!plan.data) return <Skeleton />
  const isBlocked = plan.data.gates.some(({ result }) => result === 'block')
  const { recipients } = plan.data
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isLater) order.mutate()
        else setConfirming(true)
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
            <>
              <div className="max-w-64">
                <SendAt
                  value={at}
                  onChange={setAt}
                  fault={faultOf(order.error)('send_at')}
                  isLocal={isLocal}
                />
              </div>
              <Checkbox
                label={when.local}
                hint={when.localHint}
                checked={isLocal}
                onChange={({ target }) => setLocal(target.checked)}
              />
            </>
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
      {order.error && !isConfirming && <Failure error={order.error} />}
      {may ? (
        <div className="flex justify-end">
          <Button
            look="main"
            type="submit"
            busy={order.isPending && !isConfirming}
            disabled={isBlocked}
          >
            {isLater ? when.schedule(number(recipients)) : when.send(recipients)}
          </Button>
        </div>
      ) : (
        <p className="text-muted">{words.onlyRole(words.role[role] ?? role)}</p>
      )}
      {isConfirming && (
        <Confirmation
          campaign={campaign}
          plan={plan.data}
          error={order.error}
          isSending={order.isPending}
          isBlocked={isBlocked}
          onSend={() => order.mutate()}
          onClose={() => {
            setConfirming(false)
            order.reset()
          }}
        />
      )}
    </form>
  )
}

const planHashOf = ({ plan_hash }: Plan) => ({ plan_hash })

interface ConfirmationProps {
  campaign: WholeCampaign
  plan: Plan
  error: unknown
  isSending: boolean
  isBlocked: boolean
  onSend: () => void
  onClose: () => void
}

/** Asks once: how many get it, what it is called, from whom, and who is among them. */
function Confirmation(props: ConfirmationProps) {
  const { campaign, plan, error, isSending, isBlocked, onSend, onClose } = props
  const business_id = useBusinessId()
  const { campaign_id, channel, updated_at } = campaign
  const { confirm } = campaignWords.when
  const {
    data,
    error: unread,
    refetch,
  } = useQuery({
    queryKey: ['campaign.confirmation', business_id, campaign_id, updated_at],
    queryFn: ({ signal }) => api.campaign.confirmation({ business_id, campaign_id }, { signal }),
  })
  const first = data?.first.map(({ name, address }) => name ?? address) ?? []
  const isMail = channel === 'email'
  // Variants of an A/B test differ in their subjects; translations are of the same mail.
  const says = plan.samples
    .filter(({ data: kind, language }) => kind === 'sample' && language === null)
    .map(({ subject, text }) => (isMail ? subject : text))
  return (
    <Dialog open onClose={onClose} title={confirm.title(plan.recipients)}>
      <Facts>
        <Fact name={isMail ? confirm.subject : confirm.text}>
          <ul className="grid gap-1">
            {[...new Set(says)].map((line) => (
              <li key={line} className="line-clamp-4 font-medium break-words">
                <bdi>{line}</bdi>
              </li>
            ))}
          </ul>
        </Fact>
        {plan.from !== null && (
          <Fact name={campaignWords.check.from}>
            <bdi className="break-words">{plan.from}</bdi>
          </Fact>
        )}
        <Fact name={confirm.to}>
          {/* Its line is there before its names are. */}
          <span className="break-words">
            {data
              ? confirm.first(first, Math.max(0, plan.recipients - first.length))
              : !unread && '…'}
          </span>
        </Fact>
      </Facts>
      {unread && <Failure error={unread} onRetry={() => void refetch()} />}
      <StaysHere channel={channel} />
      {data && (
        <p className="text-muted">
          {data.undo_seconds === null
            ? confirm.approval
            : data.undo_seconds > 0 && confirm.undo(number(data.undo_seconds))}
        </p>
      )}
      {error !== null && <Failure error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.back}</Button>
        <Button look="main" busy={isSending} disabled={isBlocked} onClick={onSend}>
          {confirm.send}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
