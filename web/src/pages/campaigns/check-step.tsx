import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { type Filling, ordinary } from '../../parts/content/use-preview.ts'
import { providerName } from '../../parts/provider-name.ts'
import { languageName } from '../../parts/recipient-languages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Card, Fact, Facts } from '../../ui/page.tsx'
import { Failure, problemOf, Skeleton } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { campaignWords } from '../../words/campaigns.ts'
import { number, words } from '../../words/words.ts'
import type { WholeCampaign } from './campaign.tsx'
import { MailPreview } from './mail-preview.tsx'
import { type Plan, usePlan } from './use-plan.ts'

// It brings the words of all that checks find.
const Gates = lazyPart(() => import('../../parts/gates.tsx'), 'Gates')

export function CheckStep({ campaign, onDone }: { campaign: WholeCampaign; onDone: () => void }) {
  const { data, error, refetch } = usePlan(campaign)
  const { check } = campaignWords
  const [language, setLanguage] = useState('')
  const [filling, setFilling] = useState(ordinary)
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton />
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <div className="grid gap-5">
        <Card title={check.people(number(data.recipients))}>
          <Numbers plan={data} />
        </Card>
        <Card title={check.gates} flush>
          <Suspense fallback={<Skeleton lines={2} />}>
            <Gates gates={data.gates} />
          </Suspense>
        </Card>
        <div className="flex flex-wrap justify-end gap-2">
          <SendTest campaign={campaign} language={language} filling={filling} />
          <Button look="main" onClick={onDone}>
            {words.next}
          </Button>
        </div>
      </div>
      <MailPreview
        campaign={campaign}
        version={campaign.updated_at}
        language={language}
        onLanguage={setLanguage}
        filling={filling}
        onFilling={setFilling}
      />
    </div>
  )
}

function Numbers({ plan }: { plan: Plan }) {
  const { check } = campaignWords
  const { cost, excluded, warm_up } = plan
  return (
    <Facts>
      {plan.from !== null && (
        <Fact name={check.from}>
          <bdi>{plan.from}</bdi>
        </Fact>
      )}
      <Fact name={check.cost}>
        {number(cost.amount)} {check.units[cost.metric] ?? cost.metric}
        {cost.left !== null && ` · ${check.left(number(cost.left))}`}
      </Fact>
      {plan.languages && (
        <Fact name={check.languages}>
          <ul>
            {plan.languages.map(({ language, recipients }) => (
              <li key={language ?? ''}>
                {number(recipients)}{' '}
                {language === null ? campaignWords.what.firstLanguage : languageName(language)}
              </li>
            ))}
          </ul>
        </Fact>
      )}
      {plan.utm_example && (
        <Fact name={check.link}>
          <code className="break-all">{plan.utm_example.tagged_url}</code>
        </Fact>
      )}
      {warm_up && (
        <Fact name={check.warmUp.name}>
          <p>{check.warmUp.days(number(warm_up.days))}</p>
          <ul className="text-muted">
            {warm_up.providers
              .filter(({ days }) => days > 1)
              .map(({ provider, recipients, days }) => (
                <li key={provider}>
                  {check.warmUp.provider(
                    providerName(provider) ?? provider,
                    number(recipients),
                    number(days),
                  )}
                </li>
              ))}
          </ul>
          <p className="text-muted">{check.warmUp.first}</p>
        </Fact>
      )}
      {excluded.length > 0 && (
        <Fact name={check.excluded}>
          <ul>
            {excluded.map(({ reason, count }) => (
              <li key={reason}>
                {number(count)} {check.reasons[reason]}
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </Facts>
  )
}

interface SendTestProps {
  campaign: WholeCampaign
  /** The tag of a translation; empty for the language of the person. */
  language: string
  filling: Filling
}

/** The most members that one test is sent to. */
const mostMembers = 10

/** What the preview shows, sent to the person, or to members that they choose. */
function SendTest({ campaign: { campaign_id }, language, filling }: SendTestProps) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { check } = campaignWords
  const [chosen, setChosen] = useState<readonly string[]>()
  const members = useQuery({
    queryKey: ['member.list', business_id],
    queryFn: ({ signal }) => api.member.list({ business_id, limit: 200 }, { signal }),
    enabled: may,
  }).data?.members
  const { data: kind, contact_id } = filling
  const inLanguage = language !== '' && { language }
  const send = useMutation({
    mutationFn: (to: readonly string[] | undefined) =>
      api.campaign.test({
        business_id,
        campaign_id,
        ...(kind === 'contact' && contact_id !== undefined ? { contact_id } : inLanguage),
        ...(to && { to: [...to] }),
      }),
    onSuccess: () => {
      setChosen(undefined)
      tell(check.testSent)
    },
    onError: (error) => tellFailure(check.testFailed, problemOf(error).message),
  })
  if (!may) return null
  const choose = (email: string, isOn: boolean) =>
    setChosen((before = []) =>
      isOn ? [...before, email] : before.filter((entry) => entry !== email),
    )
  return (
    <>
      {members !== undefined && members.length > 1 && (
        <Button
          look="quiet"
          onClick={() =>
            setChosen(members.filter(({ is_you }) => is_you).map(({ email }) => email))
          }
        >
          {check.testTo}
        </Button>
      )}
      <Button busy={send.isPending && chosen === undefined} onClick={() => send.mutate(undefined)}>
        {check.test}
      </Button>
      <Dialog
        open={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        title={check.testTo}
        description={check.testNote(number(mostMembers))}
      >
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (chosen) send.mutate(chosen)
          }}
        >
          <div className="grid max-h-80 gap-2 overflow-y-auto">
            {members?.map(({ email }) => {
              const isOn = chosen?.includes(email) ?? false
              return (
                <Checkbox
                  key={email}
                  label={email}
                  checked={isOn}
                  disabled={!isOn && (chosen?.length ?? 0) >= mostMembers}
                  onChange={({ target }) => choose(email, target.checked)}
                />
              )
            })}
          </div>
          <DialogActions>
            <Button onClick={() => setChosen(undefined)}>{words.back}</Button>
            <Button look="main" type="submit" busy={send.isPending} disabled={chosen?.length === 0}>
              {check.testSend}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}
