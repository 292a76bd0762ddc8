/** The steps to a first campaign, until all are done. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBusiness, useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { problemOf } from '../../ui/states.tsx'
import { tell, tellFailure } from '../../ui/tell.ts'
import { homeWords } from '../../words/home.ts'

interface Step {
  name: string
  about: string
  done: boolean
  /** Nothing needs this step yet, so it does not count. */
  later?: boolean
  action: ReactNode
  /** Shown when the step is done too. */
  aside?: ReactNode
}

export function SetupSteps() {
  const business = useBusiness()
  const business_id = useBusinessId()
  const contacts = useQuery({
    queryKey: ['contact.list', business_id, 'any'],
    queryFn: ({ signal }) => api.contact.list({ business_id, limit: 1 }, { signal }),
  })
  const messages = useQuery({
    queryKey: ['message.list', business_id, 'any'],
    queryFn: ({ signal }) => api.message.list({ business_id, limit: 1 }, { signal }),
  })
  const domains = useQuery({
    queryKey: ['domain.status', business_id],
    queryFn: ({ signal }) => api.domain.status({ business_id }, { signal }),
  })
  if (!business || !contacts.data || !messages.data || !domains.data) return null
  const { steps, ready, progress } = homeWords
  const isThere = (what: 'postal_address' | 'sender_domain') => !business.missing.includes(what)
  const params = { business: business_id }
  const hasDomain = domains.data.domains.some(({ status }) => status === 'verified')
  // Where the test inbox receives all mail, no domain is missing, although none was set up.
  const needsDomain = !isThere('sender_domain')
  const all: Step[] = [
    {
      ...steps.postal_address,
      done: isThere('postal_address'),
      action: (
        <Link to="/$business/settings" params={params} className={buttonClass()}>
          {steps.postal_address.action}
        </Link>
      ),
    },
    {
      ...steps.sender_domain,
      ...(!needsDomain && { about: steps.sender_domain.notNeeded, later: !hasDomain }),
      done: hasDomain,
      action: (
        <Link to="/$business/domains" params={params} className={buttonClass()}>
          {steps.sender_domain.action}
        </Link>
      ),
    },
    {
      ...steps.contacts,
      done: contacts.data.contacts.length > 0,
      action: (
        <Link to="/$business/contacts/import" params={params} className={buttonClass()}>
          {steps.contacts.action}
        </Link>
      ),
    },
    {
      ...steps.test,
      done: messages.data.messages.length > 0,
      action: <SendTest />,
      aside: <InboxLink />,
    },
  ]
  const needed = all.filter(({ later }) => !later)
  const done = needed.filter((step) => step.done).length
  if (done === needed.length) return null
  return (
    <Card
      title={<bdi>{ready(business.name)}</bdi>}
      actions={<span className="text-muted tabular-nums">{progress(done, needed.length)}</span>}
      flush
    >
      <ul className="divide-y divide-line">
        {all.map((step) => (
          <li key={step.name} className="flex flex-wrap items-center gap-3 px-4 py-2.5">
            <span
              className={cx(
                'grid size-5 shrink-0 place-items-center rounded-full',
                step.done ? 'bg-good-ground text-good' : 'border border-line-strong',
              )}
            >
              {step.done && <Icon name="check" className="size-3" />}
            </span>
            <div className="min-w-0 flex-1 basis-48">
              <p className={cx('font-medium', step.done && 'text-muted line-through')}>
                {step.name}
              </p>
              {!step.done && <p className="text-sm text-muted">{step.about}</p>}
            </div>
            {step.aside}
            {!step.done && step.action}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Where mail stays on this machine, nobody finds the test without the way to its inbox. */
function InboxLink() {
  const capabilities = useQuery({
    queryKey: ['meta.capabilities'],
    queryFn: ({ signal }) => api.meta.capabilities({}, { signal }),
  })
  if (capabilities.data?.channels.email.transport !== 'inbox') return null
  return (
    <a href="/inbox" target="_blank" rel="noreferrer" className={buttonClass()}>
      {homeWords.steps.test.inbox}
    </a>
  )
}

function SendTest() {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { test } = homeWords.steps
  const send = useMutation({
    mutationFn: async () => {
      const { members } = await api.member.list({ business_id, limit: 100 })
      const to = members.find(({ is_you }) => is_you)?.email ?? ''
      await api.email.send({
        business_id,
        to,
        subject: test.subject,
        text: test.text,
        allow_duplicate: true,
      })
      return to
    },
    onSuccess: (to) => tell(test.sent(to)),
    onError: (error) => tellFailure(test.failed, problemOf(error).message),
  })
  return (
    <Button busy={send.isPending} disabled={!may} onClick={() => send.mutate()}>
      {test.action}
    </Button>
  )
}
