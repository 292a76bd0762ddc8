/** The person's passkeys, by which they sign in without a mail: add, rename, remove. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { addPasskey, hasPasskeys, isPasskeyCancelled, isPasskeyKnown } from '../../api/passkeys.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { passkeyWords } from '../../words/account.ts'
import { ago, day, moment, words } from '../../words/words.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type Passkey = Awaited<ReturnType<typeof api.passkey.list>>['passkeys'][number]

/** What a dialog is open for: a new passkey, another name for one, or the removal of one. */
type Act = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

export function Passkeys() {
  const [act, setAct] = useState<Act>()
  const [codes, setCodes] = useState<string[]>()
  const list = useQuery({
    queryKey: ['passkey.list'],
    queryFn: ({ signal }) => api.passkey.list({}, { signal }),
  })
  const { passkeys = [], offered = true } = list.data ?? {}
  const canAdd = offered && hasPasskeys()
  const close = () => setAct(undefined)
  return (
    <Card
      title={passkeyWords.title}
      flush
      actions={
        canAdd && <Button onClick={() => setAct({ kind: 'add' })}>{passkeyWords.add}</Button>
      }
    >
      <p className="border-b border-line px-4 py-3 text-muted">
        {passkeyWords.about}
        {list.data && !canAdd && ` ${offered ? passkeyWords.oldBrowser : passkeyWords.needHttps}`}
      </p>
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && !list.error && <Skeleton lines={2} />}
      {list.data && passkeys.length === 0 && (
        <p className="px-4 py-3 text-muted">{passkeyWords.none}</p>
      )}
      <ul className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <Row key={passkey.passkey_id} passkey={passkey} onAct={setAct} />
        ))}
      </ul>
      <NameDialog act={act} onClose={close} onCodes={setCodes} />
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      <Remove passkey={act?.kind === 'remove' ? act.passkey : undefined} onClose={close} />
    </Card>
  )
}

function Row({ passkey, onAct }: { passkey: Passkey; onAct: (act: Act) => void }) {
  const { name, created_at, last_used_at } = passkey
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <span className="grid size-8 shrink-0 place-items-center rounded-lg border border-line text-muted">
        <Icon name="key" />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <h3 className="truncate font-medium">
          <bdi>{name}</bdi>
        </h3>
        <p className="text-sm text-muted">
          <time dateTime={created_at} title={moment(created_at)}>
            {passkeyWords.added(day(created_at))}
          </time>
          {' · '}
          {last_used_at === null ? (
            passkeyWords.unused
          ) : (
            <time dateTime={last_used_at} title={moment(last_used_at)}>
              {passkeyWords.used(ago(last_used_at))}
            </time>
          )}
        </p>
      </div>
      <IconButton
        icon="pen"
        label={`${passkeyWords.rename} ${name}`}
        onClick={() => onAct({ kind: 'rename', passkey })}
      />
      <Button
        look="danger"
        aria-label={`${passkeyWords.remove} ${name}`}
        onClick={() => onAct({ kind: 'remove', passkey })}
      >
        {passkeyWords.remove}
      </Button>
    </li>
  )
}

function NameDialog({
  act,
  onClose,
  onCodes,
}: {
  act: Act | undefined
  onClose: () => void
  onCodes: (codes: string[]) => void
}) {
  const isShown = act !== undefined && act.kind !== 'remove'
  // The dialog keeps its words while it closes.
  const [shown, setShown] = useState(act)
  const [name, setName] = useState('')
  const work = useMutation({
    mutationFn: async (chosen: string) => {
      if (shown?.kind === 'rename') {
        await api.passkey.save({ passkey_id: shown.passkey.passkey_id, name: chosen })
        return undefined
      }
      return addPasskey(chosen)
    },
    onSuccess: (codes) => {
      tell(shown?.kind === 'rename' ? passkeyWords.renamed : passkeyWords.wasAdded)
      onClose()
      if (codes) onCodes(codes)
    },
  })
  if (isShown && act !== shown) {
    setShown(act)
    setName(act.kind === 'rename' ? act.passkey.name : '')
    work.reset()
  }
  if (shown === undefined || shown.kind === 'remove') return null
  const isNew = shown.kind === 'add'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) work.mutate(name.trim())
  }
  return (
    <Dialog
      open={isShown}
      onClose={onClose}
      title={isNew ? passkeyWords.add : passkeyWords.rename}
      {...(isNew && { description: passkeyWords.addText })}
    >
      <form onSubmit={submit} className="grid gap-4">
        <Input
          label={passkeyWords.name}
          hint={passkeyWords.nameHint}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Fault error={work.error} />
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit" busy={work.isPending}>
            {isNew ? passkeyWords.go : words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Fault({ error }: { error: Error | null }) {
  if (error === null) return null
  if (isPasskeyCancelled(error)) return <p className="text-muted">{passkeyWords.cancelled}</p>
  if (isPasskeyKnown(error)) return <p className="text-bad">{passkeyWords.known}</p>
  return <Failure error={error} />
}

function Remove({ passkey, onClose }: { passkey: Passkey | undefined; onClose: () => void }) {
  const [shown, setShown] = useState(passkey)
  if (passkey !== undefined && passkey !== shown) setShown(passkey)
  const work = useMutation({
    mutationFn: (passkey_id: string) => api.passkey.remove({ passkey_id }),
    onSuccess: () => {
      tell(passkeyWords.removed)
      onClose()
    },
  })
  if (shown === undefined) return null
  return (
    <Dialog
      open={passkey !== undefined}
      onClose={onClose}
      title={passkeyWords.removeTitle(shown.name)}
      description={passkeyWords.removeText}
    >
      {work.error && <Failure error={work.error} />}
      <DialogActions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look="danger" busy={work.isPending} onClick={() => work.mutate(shown.passkey_id)}>
          {passkeyWords.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
