/** The frame of every page of a business: sidebar, shortcuts, and overlays. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { businessesQuery, useBusiness } from '../api/businesses.ts'
import { setLive } from '../api/liveness.ts'
import { IconButton } from '../ui/button.tsx'
import { lazyPart } from '../ui/lazy-part.ts'
import { HeaderEnd } from '../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'
import { setBusinessTitle } from '../ui/title.ts'
import { words } from '../words/words.ts'
import { DemoLabel } from './demo-label.tsx'
import { rememberBusiness } from './last-business.ts'
import type { Overlay } from './overlay.ts'
import { useGoKeys, useKeys } from './shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { Switcher } from './switcher.tsx'

const HelpButton = ({ onHelp }: { onHelp: () => void }) => (
  <IconButton icon="help" label={words.help} onClick={onHelp} />
)

const Overlays = lazyPart(() => import('./overlays.tsx'), 'Overlays')

export function Shell() {
  const [shown, show] = useState<Overlay>()
  const business = useBusiness()
  useGoKeys()
  useKeys(useMemo(() => ({ '?': () => show('keys') }), []))
  usePaletteKey(() => show('palette'))
  useEffect(() => {
    if (!business) return
    rememberBusiness(business.business_id)
    setBusinessTitle(business.name)
  }, [business])
  useLive(business?.business_id)

  return (
    <div className="flex h-dvh flex-col sm:flex-row">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 shadow-pop focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {words.skip}
      </a>
      <div className="flex h-12 shrink-0 items-center gap-1 border-b border-line bg-ground px-2 sm:hidden">
        <IconButton icon="menu" label={words.nav.open} onClick={() => show('menu')} />
        <Switcher onOpen={() => show('businesses')} />
        <IconButton icon="search" label={words.palette.open} onClick={() => show('palette')} />
      </div>
      <DemoLabel className="m-2 mb-0 shrink-0 sm:hidden" />
      <Sidebar onShow={show} />
      <main
        id="main"
        tabIndex={-1}
        className="relative min-h-0 min-w-0 flex-1 overflow-y-auto bg-surface outline-none sm:my-2 sm:mr-2 sm:rounded-xl sm:border sm:border-line sm:shadow-flat"
      >
        <HeaderEnd value={<HelpButton onHelp={() => show('help')} />}>
          {business ? <Outlet /> : <WithoutBusiness />}
        </HeaderEnd>
      </main>
      <Suspense>
        <Overlays shown={shown} onShow={show} />
      </Suspense>
    </div>
  )
}

/** What anybody changes of the business shows without asking; loaded after the page itself. */
function useLive(business: string | undefined): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (business === undefined) return
    let stop: (() => void) | undefined
    let isOver = false
    void import('../api/live.ts').then(({ followBusiness }) => {
      if (!isOver) stop = followBusiness({ business, queryClient, setLive })
    })
    return () => {
      isOver = true
      stop?.()
    }
  }, [business, queryClient])
}

function WithoutBusiness() {
  const { data, error, refetch } = useQuery(businessesQuery)
  if (data)
    return (
      <Empty isPage icon="people">
        {words.notAMember}
      </Empty>
    )
  if (!error) return <Skeleton />
  return (
    <div className="p-5">
      <h1 className="sr-only">{words.nav.home}</h1>
      <Failure error={error} onRetry={() => void refetch()} />
    </div>
  )
}

/** Ctrl-K or Cmd-K, wherever the focus is. */
function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  })
}
