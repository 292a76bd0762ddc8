/** One-time codes of an authenticator app, and the recovery codes. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { factorWords, ruleWords } from '../../words/factors.ts'
import { ago, day, moment, words } from '../../words/words.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

export function AuthenticatorApp() {
  const [act, setAct] = useState<'set-up' | 'remove' | 'codes'>()
  const [codes, setCodes] = useState<string[]>()
  const list = useQuery({
    queryKey: ['factor.list'],
    queryFn: ({ signal }) => api.factor.list({}, { signal }),
  })
  const { app = null, has_passkey = false, recovery_codes_left: left = 0 } = list.data ?? {}
  const requiredFrom = list.data?.required_from ?? null
  const hasNone = list.data !== undefined && app === null && !has_passkey
  const close = () => setAct(undefined)
  return (
    <Card
      title={factorWords.title}
      actions={
        list.data && (
          <Button onClick={() => setAct('set-up')}>
            {app === null ? factorWords.setUp : factorWords.replace}
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        {hasNone && requiredFrom !== null && (
          <p className="text-bad" role="status">
            {factorWords.required(day(requiredFrom))}
          </p>
        )}
        {list.data && list.data.counts_from !== null && (
          <p className="text-bad" role="status">
            {factorWords.countsFrom(moment(list.data.counts_from))}
          </p>
        )}
        {list.data && list.data.reset_at !== null && <ResetWaits at={list.data.reset_at} />}
        <p className="text-muted">{factorWords.about}</p>
        {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && !list.error && <Skeleton lines={2} />}
        {app !== null && (
          <div className="flex flex-wrap items-center gap-3">
            <p className="min-w-0 flex-1">
              <time dateTime={app.added_at} title={moment(app.added_at)}>
                {factorWords.added(day(app.added_at))}
              </time>
              {app.last_used_at !== null && ` · ${factorWords.used(ago(app.last_used_at))}`}
            </p>
            <Button look="danger" onClick={() => setAct('remove')}>
              {factorWords.remove}
            </Button>
          </div>
        )}
        {list.data && !hasNone && (
          <div className="flex flex-wrap items-center gap-3">
            <p className="min-w-0 flex-1">{factorWords.codesLeft(left)}</p>
            <Button onClick={() => setAct('codes')}>{factorWords.newCodes}</Button>
          </div>
        )}
      </div>
      {act === 'set-up' && <SetUp onClose={close} onCodes={setCodes} />}
      {act === 'remove' && <Remove onClose={close} />}
      {act === 'codes' && <NewCodes onClose={close} onCodes={setCodes} />}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Card>
  )
}

/** An owner asked for a reset, which the person can stop. */
function ResetWaits({ at }: { at: string }) {
  const work = useMutation({
    mutationFn: () => api.factor.stop_reset({}),
    onSuccess: () => tell(ruleWords.stopped),
  })
  return (
    <div className="flex flex-wrap items-center gap-3" role="status">
      <p className="min-w-0 flex-1 text-bad">{ruleWords.resetWaits(moment(at))}</p>
      {work.error && <Failure error={work.error} />}
      <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
        {ruleWords.stopReset}
      </Button>
    </div>
  )
}

interface ActProps {
  onClose: () => void
  onCodes: (codes: string[]) => void
}

function SetUp({ onClose, onCodes }: ActProps) {
  const [code, setCode] = useState('')
  const start = useMutation({ mutationFn: () => api.factor.start({}) })
  const { mutate } = start
  useEffect(() => mutate(), [mutate])
  const work = useMutation({
    mutationFn: (typed: string) => api.factor.add({ code: typed }),
    onSuccess: ({ recovery_codes }) => {
      tell(factorWords.wasAdded)
      onClose()
      if (recovery_codes) onCodes(recovery_codes)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim()) work.mutate(code.trim())
  }
  return (
    <Dialog open onClose={onClose} title={factorWords.setUpTitle} description={factorWords.scan}>
      {start.error && <Failure error={start.error} />}
      {start.isPending && <Skeleton lines={4} />}
      {start.data && (
        <form onSubmit={submit} className="grid gap-4">
          <img
            src={`data:image/svg+xml,${encodeURIComponent(start.data.qr)}`}
            alt={factorWords.qr}
            className="size-52 justify-self-center rounded-md bg-white p-2"
          />
          <p className="text-sm text-muted">
            {factorWords.orType} <Copyable text={start.data.secret} />
          </p>
          <Input
            label={factorWords.firstCode}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={9}
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
          {work.error && <Failure error={work.error} />}
          <DialogActions>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button look="main" type="submit" busy={work.isPending}>
              {factorWords.add}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}

function Remove({ onClose }: Pick<ActProps, 'onClose'>) {
  const work = useMutation({
    mutationFn: () => api.factor.remove({}),
    onSuccess: () => {
      tell(factorWords.removed)
      onClose()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={factorWords.removeTitle}
      description={factorWords.removeText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate()}>
          {factorWords.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function NewCodes({ onClose, onCodes }: ActProps) {
  const work = useMutation({
    mutationFn: () => api.factor.codes({}),
    onSuccess: ({ recovery_codes }) => {
      onClose()
      onCodes(recovery_codes)
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={factorWords.newCodesTitle}
      description={factorWords.newCodesText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="main" busy={work.isPending} onClick={() => work.mutate()}>
          {factorWords.newCodes}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
