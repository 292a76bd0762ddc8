/** The submissions of a form, each with its source, its time and its contact. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { useList } from '../../parts/list-page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Body, Card, Fact, Facts } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { contactWords } from '../../words/contacts.ts'
import { formWords } from '../../words/forms.ts'
import { ago, moment, number, words } from '../../words/words.ts'
import type { Form } from './model.ts'

type Submission = Awaited<ReturnType<typeof api.submission.list>>['submissions'][number]

const from = '/$business/forms/$form' as const

export function Submissions({ form }: { form: Form }) {
  const business_id = useBusinessId()
  const { form_id } = form
  const { open } = useSearch({ from })
  const navigate = useNavigate({ from })
  const { sent } = formWords
  const list = useList(['submission.list', business_id, form_id], (page, options) =>
    api.submission.list({ business_id, form_id, ...page }, options),
  )
  const rows = list.data?.pages.flatMap(({ submissions }) => submissions) ?? []
  const opened = rows.find(({ submission_id }) => submission_id === open)
  const close = () => void navigate({ search: { tab: 'submissions' }, replace: true })
  if (list.data && rows.length === 0) {
    return (
      <Empty
        icon="form"
        action={
          <Link
            to="/$business/forms/$form"
            params={{ business: business_id, form: form_id }}
            search={{ tab: 'share' }}
            className={buttonClass('main')}
          >
            {sent.toShare}
          </Link>
        }
      >
        {sent.none}
      </Empty>
    )
  }
  return (
    <Body>
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && !list.error && <Skeleton />}
      {rows.length > 0 && (
        <Card title={sent.title} actions={<ExportButton of={{ form_id }} />} flush>
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <li key={row.submission_id} className="flex min-h-10 items-center gap-3 px-4">
                <Link
                  to="/$business/forms/$form"
                  params={{ business: business_id, form: form_id }}
                  search={{ tab: 'submissions', open: row.submission_id }}
                  className="min-w-0 flex-1 truncate py-2 font-medium hover:underline"
                >
                  <bdi>{nameOf(form, row)}</bdi>
                </Link>
                <span className="min-w-0 flex-1 truncate text-muted max-sm:hidden">
                  <bdi>{otherAnswers(form, row)}</bdi>
                </span>
                <Became consent={row.consent} />
                <span className="text-sm text-muted">{ago(row.created_at)}</span>
              </li>
            ))}
          </ul>
          {list.hasNextPage && (
            <div className="border-t border-line p-3">
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {sent.more}
              </Button>
            </div>
          )}
        </Card>
      )}
      <Drawer
        open={opened !== undefined}
        onClose={close}
        title={opened ? nameOf(form, opened) : sent.title}
      >
        {opened && <One form={form} submission={opened} />}
      </Drawer>
    </Body>
  )
}

/** What became of the person's consent. A form without one shows nothing. */
function Became({ consent }: Pick<Submission, 'consent'>) {
  const { became } = formWords.sent
  const { email, sms } = consent ?? {}
  const status = email === 'none' ? sms : email
  if (consent === null) return <Badge tone="calm">{became.gone}</Badge>
  if (status === undefined || status === 'none') return null
  return <Badge tone={tones[status]}>{became[status]}</Badge>
}

const tones = { pending: 'warn', subscribed: 'good', unsubscribed: 'calm' } as const

const addressed = new Set(['email', 'phone'])

function nameOf({ fields }: Form, { fields: answers, submission_id }: Submission): string {
  const address = fields.find(({ key, type }) => addressed.has(type) && answers[key])
  return (address && answers[address.key]) ?? submission_id
}

function otherAnswers({ fields }: Form, { fields: answers }: Submission): string {
  const others = fields.filter(({ type }) => !addressed.has(type) && type !== 'consent')
  return others
    .map(({ key }) => answers[key] ?? '')
    .filter((answer) => answer !== '')
    .join(' · ')
}

/** The values with which a page or a program sends a tick. */
const yes = new Set(['true', 'on', 'yes', '1'])

function shownAnswer(field: Form['fields'][number] | undefined, answer: string): string {
  if (field?.type !== 'consent' && field?.type !== 'boolean') return answer
  return yes.has(answer.toLowerCase()) ? words.yes : words.no
}

function One({ form, submission }: { form: Form; submission: Submission }) {
  const business = useBusinessId()
  const { sent } = formWords
  const {
    fields: answers,
    source_url,
    contact_id,
    created_at,
    form_version,
    submission_id,
  } = submission
  const known = new Map(form.fields.map((field) => [field.key, field]))
  return (
    <div className="grid divide-y divide-line *:p-4">
      <section className="grid gap-3" aria-labelledby="answers-heading">
        <h3 id="answers-heading" className="font-semibold">
          {sent.answers}
        </h3>
        <Facts>
          {Object.entries(answers).map(([key, answer]) => (
            <Fact key={key} name={known.get(key)?.label ?? key}>
              <bdi className="whitespace-pre-line">{shownAnswer(known.get(key), answer)}</bdi>
            </Fact>
          ))}
        </Facts>
      </section>
      <section className="grid gap-3" aria-labelledby="evidence-heading">
        <h3 id="evidence-heading" className="font-semibold">
          {contactWords.drawer.evidence}
        </h3>
        <Facts>
          <Fact name={sent.at}>{moment(created_at)}</Fact>
          <Fact name={sent.page}>
            <bdi>{source_url}</bdi>
          </Fact>
          <Fact name={sent.version}>{number(form_version)}</Fact>
          <Fact name={sent.id}>
            <Copyable text={submission_id} />
          </Fact>
        </Facts>
        <p className="text-muted">{sent.consentAbout}</p>
        <Link
          to="/$business/contacts"
          params={{ business }}
          search={{ open: contact_id }}
          className={buttonClass('plain', 'justify-self-start')}
        >
          {sent.contact}
        </Link>
      </section>
    </div>
  )
}
