/** Importing a file of contacts: the file, the preview, the progress, the result. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { ForDevelopers } from '../../parts/for-developers.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Body, Page } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { importWords } from '../../words/imports.ts'
import { words } from '../../words/words.ts'
import { DropFile } from './drop-file.tsx'
import { RecentImports } from './recent-imports.tsx'
import { Result } from './result.tsx'
import { Review } from './review.tsx'
import { Steps } from './steps.tsx'
import { UnderWay } from './under-way.tsx'
import type { Kind } from './upload.ts'
import { WhoIsInIt } from './who-is-in-it.tsx'

export type Import = Awaited<ReturnType<typeof api.import.get>>

const from = '/$business/contacts/import' as const

export function ImportPage() {
  const business = useBusinessId()
  const may = useMay('admin')
  const { id } = useSearch({ from })
  const imports = importWords
  const params = { business }
  return (
    <Page
      title={imports.title}
      actions={
        <Link to="/$business/contacts" params={params} className={buttonClass('quiet')}>
          {words.nav.contacts}
        </Link>
      }
    >
      {may ? (
        <Body narrow>{id === undefined ? <Start /> : <OneImport key={id} id={id} />}</Body>
      ) : (
        <Empty icon="people">{imports.onlyAdmins}</Empty>
      )}
    </Page>
  )
}

function Start() {
  const [kind, setKind] = useState<Kind>('contacts')
  return (
    <>
      <Steps at="file" />
      <WhoIsInIt kind={kind} onChange={setKind} />
      <DropFile kind={kind} />
      <RecentImports />
    </>
  )
}

const restless = new Set(['checking', 'running', 'undoing'])

function OneImport({ id }: { id: string }) {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['import.get', business_id, id],
    queryFn: ({ signal }) => api.import.get({ business_id, import_id: id, rows: true }, { signal }),
    // A check that ends between two looks of the stream leaves it nothing to tell.
    refetchInterval: ({ state }) =>
      restless.has(state.data?.state ?? '') ? unlessTold(1_000, 2_000)() : unlessTold(30_000)(),
  })
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton lines={9} />
  return (
    <>
      <Steps at={stepOf(data)} />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <State one={data} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex items-center gap-1">
          <ForDevelopers value={data} id={id} />
        </span>
        <StartAnew />
      </div>
    </>
  )
}

function State({ one }: { one: Import }) {
  switch (one.state) {
    case 'ready':
      return <Review key={JSON.stringify(one.found)} one={one} />
    case 'awaiting_file':
      return <Waiting one={one} />
    case 'checking':
    case 'running':
    case 'paused':
    case 'undoing':
      return <UnderWay one={one} />
    default:
      return <Result one={one} />
  }
}

/** An assistant or a program created it, and has not sent its file yet. */
function Waiting({ one }: { one: Import }) {
  const business_id = useBusinessId()
  const imports = importWords
  const cancel = useMutation({
    mutationFn: () => api.import.cancel({ business_id, import_id: one.import_id }),
  })
  return (
    <Empty
      icon="clock"
      action={
        <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {imports.cancel}
        </Button>
      }
    >
      {imports.awaiting}
    </Empty>
  )
}

function StartAnew() {
  const business = useBusinessId()
  return (
    <Link
      to="/$business/contacts/import"
      params={{ business }}
      className="text-link hover:underline"
    >
      {importWords.another}
    </Link>
  )
}

function stepOf({ state }: Import): 'file' | 'review' | 'result' {
  if (state === 'awaiting_file') return 'file'
  return state === 'checking' || state === 'ready' ? 'review' : 'result'
}
