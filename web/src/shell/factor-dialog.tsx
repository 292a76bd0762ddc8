/** Asks for a passkey or a code where an act needs one; the act goes on by itself. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { answerFactor } from '../api/factor.ts'
import { confirmWithPasskey, hasPasskeys, isPasskeyCancelled } from '../api/passkeys.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Input } from '../ui/field.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { confirmWords } from '../words/factors.ts'
import { words } from '../words/words.ts'

export function FactorDialog() {
  const [code, setCode] = useState('')
  const list = useQuery({
    queryKey: ['factor.list'],
    queryFn: ({ signal }) => api.factor.list({}, { signal }),
  })
  const work = useMutation({
    mutationFn: async (typed: string | undefined) => {
      if (typed === undefined) await confirmWithPasskey()
      else await api.factor.confirm({ code: typed })
    },
    onSuccess: () => answerFactor(true),
  })
  const { app = null, has_passkey = false, recovery_codes_left = 0 } = list.data ?? {}
  const hasNone = app === null && !has_passkey
  // On the page Sessions the person sets one up, and nothing may stand before it.
  const isAtSessions = location.pathname.endsWith('/sessions')
  const isSettingUp = isAtSessions && list.data !== undefined && hasNone
  useEffect(() => {
    if (isSettingUp) answerFactor(false)
  }, [isSettingUp])
  const asksCode = app !== null || recovery_codes_left > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim()) work.mutate(code.trim())
  }
  if (isSettingUp || (isAtSessions && list.isPending)) return null
  const description = hasNone ? confirmWords.none : confirmWords.text
  return (
    <Dialog
      open
      onClose={() => answerFactor(false)}
      title={confirmWords.title}
      {...(list.data && { description })}
    >
      {list.error && <Failure error={list.error} />}
      {list.isPending && !list.error && <Skeleton lines={2} />}
      {list.data && (
        <form onSubmit={submit} className="grid gap-4">
          {!hasNone && asksCode && (
            <Input
              label={app === null ? confirmWords.recoveryCode : confirmWords.code}
              hint={app === null ? confirmWords.recoveryHint : confirmWords.codeHint}
              autoComplete="one-time-code"
              maxLength={64}
              value={code}
              onChange={({ target }) => setCode(target.value)}
            />
          )}
          {work.error && !isPasskeyCancelled(work.error) && <Failure error={work.error} />}
          <DialogActions>
            <Button onClick={() => answerFactor(false)}>{words.cancel}</Button>
            {!hasNone && has_passkey && hasPasskeys() && (
              <Button
                look={app === null ? 'main' : 'plain'}
                busy={work.isPending && work.variables === undefined}
                onClick={() => work.mutate(undefined)}
              >
                {confirmWords.byPasskey}
              </Button>
            )}
            {!hasNone && asksCode && (
              <Button
                look={app === null ? 'plain' : 'main'}
                type="submit"
                busy={work.isPending && work.variables !== undefined}
              >
                {confirmWords.confirm}
              </Button>
            )}
            {hasNone && (
              <a className={buttonClass('main')} href="/b/sessions">
                {confirmWords.setUp}
              </a>
            )}
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
