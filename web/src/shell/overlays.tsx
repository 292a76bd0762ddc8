/** Overlays of the page. Loaded once the page is drawn, so that nobody waits for them. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { confirmWithPasskey, hasPasskeys, isPasskeyCancelled } from '../api/passkeys.ts'
import { hideSignIn, signInAgainUrl, signInUrl, useSignInNeed } from '../api/session.ts'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { backdropClass, Dialog, DialogActions } from '../ui/dialog.tsx'
import { problemOf } from '../ui/states.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { words } from '../words/words.ts'
import { Businesses } from './businesses.tsx'
import { type GuidedSubject, Help } from './help.tsx'
import { KeysHelp } from './keys-help.tsx'
import type { Overlay } from './overlay.ts'
import { Palette } from './palette.tsx'
import { Foot, Pages } from './sidebar.tsx'
import { FactorNeed } from './sign-in-factor.tsx'

interface OverlaysProps {
  shown: Overlay | undefined
  onShow: (what: Overlay | undefined) => void
}

export function Overlays({ shown, onShow }: OverlaysProps) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const hide = () => onShow(undefined)
  const [asked, setAsked] = useState<GuidedSubject>()
  const shownAt = useRef(path)
  // They close because the page changed, not because they were loaded: a key may be pending.
  useEffect(() => {
    if (shownAt.current === path) return
    shownAt.current = path
    onShow(undefined)
  }, [path, onShow])
  return (
    <>
      <SideDrawer open={shown === 'menu'} onClose={hide}>
        <Pages />
        <Foot onKeys={() => onShow('keys')} />
      </SideDrawer>
      <Businesses open={shown === 'businesses'} onClose={hide} />
      <Palette
        open={shown === 'palette'}
        onClose={hide}
        onKeys={() => onShow('keys')}
        onGuide={(subject) => {
          setAsked(subject)
          onShow('help')
        }}
      />
      <KeysHelp open={shown === 'keys'} onClose={hide} />
      <Help
        open={shown === 'help'}
        asked={asked}
        onClose={() => {
          setAsked(undefined)
          hide()
        }}
      />
      <SignIn />
      <FactorNeed />
    </>
  )
}

function SideDrawer({
  open,
  onClose,
  children,
}: {
  open: boolean
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup className="fixed inset-y-0 left-0 z-40 flex w-72 flex-col gap-3 overflow-y-auto border-r border-line bg-ground p-3 transition-transform duration-200 data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <div className="flex items-center">
            <Base.Title className="flex-1 px-2 font-semibold">{words.nav.label}</Base.Title>
            <Base.Close render={<IconButton icon="close" label={words.close} />} />
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

function SignIn() {
  const need = useSignInNeed()
  const { title, text, oldTitle, oldText } = words.session
  const isOld = need === 'old'
  return (
    <Dialog
      open={need !== undefined}
      onClose={hideSignIn}
      title={isOld ? oldTitle : title}
      description={isOld ? oldText : text}
    >
      <DialogActions>
        <a
          className={buttonClass()}
          href={isOld ? '/login?again=yes' : '/login'}
          target="_blank"
          rel="noreferrer"
        >
          {words.session.elsewhere}
        </a>
        <Button look="main" onClick={() => location.assign(isOld ? signInAgainUrl() : signInUrl())}>
          {words.session.here}
        </Button>
        {isOld && hasPasskeys() && <ByPasskey />}
      </DialogActions>
    </Dialog>
  )
}

/** Who has a passkey uses it here, and loses nothing of what they were doing. */
function ByPasskey() {
  const list = useQuery({
    queryKey: ['passkey.list'],
    queryFn: ({ signal }) => api.passkey.list({}, { signal }),
  })
  const work = useMutation({
    mutationFn: confirmWithPasskey,
    onSuccess: () => {
      tell(words.session.confirmed)
      hideSignIn()
    },
    onError: (error) => {
      if (!isPasskeyCancelled(error)) tellFailure(words.somethingFailed, problemOf(error).message)
    },
  })
  if (!list.data || list.data.passkeys.length === 0) return null
  return (
    <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
      {words.session.byPasskey}
    </Button>
  )
}
