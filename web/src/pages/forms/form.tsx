/** One form: its builder, sharing, and submissions. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Page } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { formWords } from '../../words/forms.ts'
import { FormStatus } from './form-status.tsx'
import { type FormTab, formTabs } from './search.ts'

const Builder = lazyPart(() => import('./builder.tsx'), 'Builder')
const Held = lazyPart(() => import('./held.tsx'), 'Held')
const Share = lazyPart(() => import('./share.tsx'), 'Share')
const Submissions = lazyPart(() => import('./submissions.tsx'), 'Submissions')

const from = '/$business/forms/$form' as const

export function FormPage() {
  const business_id = useBusinessId()
  const { form: form_id } = useParams({ from })
  const { tab = 'build' } = useSearch({ from })
  const navigate = useNavigate({ from })
  const forms = formWords
  const { data, error, refetch } = useQuery({
    queryKey: ['form.get', business_id, form_id],
    queryFn: ({ signal }) => api.form.get({ business_id, form_id }, { signal }),
    // Somebody else may be changing the form as well.
    refetchInterval: unlessTold(15_000),
  })
  const go = (to: FormTab) =>
    void navigate({ search: to === 'build' ? {} : { tab: to }, replace: true })
  const panels = { build: Builder, share: Share, submissions: Submissions, held: Held }
  const Panel = panels[tab]
  return (
    <Page
      title={<bdi>{data?.name ?? forms.title}</bdi>}
      detail={data && <FormStatus status={data.status} />}
      actions={
        <>
          {data && <ForDevelopers value={data} id={form_id} />}
          <Link
            to="/$business/forms"
            params={{ business: business_id }}
            className="text-link hover:underline"
          >
            {forms.all}
          </Link>
        </>
      }
    >
      <div className="border-b border-line px-5 py-2 max-sm:px-4">
        <ChipRow>
          {formTabs.map((formTab) => (
            <FilterChip
              key={formTab}
              on={formTab === tab}
              onClick={() => go(formTab)}
              {...(formTab === 'submissions' && { count: data?.submission_count })}
            >
              {forms.tabs[formTab]}
            </FilterChip>
          ))}
        </ChipRow>
      </div>
      {error && (
        <div className="p-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data ? (
        <Suspense fallback={<Skeleton lines={9} />}>
          <Panel key={form_id} form={data} />
        </Suspense>
      ) : (
        !error && <Skeleton lines={9} />
      )}
    </Page>
  )
}
